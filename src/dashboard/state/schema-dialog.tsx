import { useQuery } from '@tanstack/react-query';
import { CodeTold } from '../catalogs/code-told.js';
import { queries } from '../api/queries.js';
import { Dialog } from '../parts/dialog.js';
import { NotYet } from '../parts/state-notice.js';

/** The schema of a version, as the log of its session has it. */
export function SchemaDialog({
  stateId,
  etag,
  onClose,
}: {
  readonly stateId: string;
  readonly etag: string;
  readonly onClose: () => void;
}) {
  const asked = useQuery(queries.stateSchema(stateId, etag));
  const { data } = asked;
  return (
    <Dialog title={data === undefined ? 'Schema' : `Schema ${data.name} ${data.version}`} onClose={onClose} isText>
      {data === undefined ? (
        <NotYet asked={asked} what="the schema" lines={5} place="here" />
      ) : (
        <CodeTold text={JSON.stringify(data.json_schema, null, 2)} language="json" />
      )}
    </Dialog>
  );
}
