import { useQuery } from '@tanstack/react-query';
import { plural } from '../../base/plural.js';
import { isArray } from '../../base/patch/json-pointer.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { CopyButton } from '../parts/copy-button.js';
import { NotYet } from '../parts/state-notice.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import { OperationList } from './operation-list.js';
import { settledWords } from './settled-words.js';
import type { VersionTold } from './version-moment.js';
import { madeWords, versionName, whoWords } from './version-words.js';

export interface ChangeToldProps {
  readonly sessionId: string;
  readonly stateId: string;
  readonly shown: VersionTold;
  readonly versions: readonly VersionTold[];
  readonly onVersion: (etag: string) => void;
}

/** How a version came to be: who made it, when, at which step, and by which operations. */
export function ChangeTold({ sessionId, stateId, shown, versions, onVersion }: ChangeToldProps) {
  const asked = useQuery(queries.stateChange(sessionId, stateId, shown.etag));
  const { data } = asked;
  const who = whoWords(shown);
  return (
    <section className="change-told" aria-label="Change">
      <h2>{versionName(shown, versions)}</h2>
      <p>
        <strong>{madeWords(shown)}</strong>
        {who === undefined ? null : ` ${who}`}, <TimeTold at={shown.at} />
      </p>
      <p className="small">
        <code>{shown.etag}</code> <CopyButton text={shown.etag} label="Copy the etag" />
      </p>
      {shown.merged === undefined ? null : (
        <p>
          Brings in the changes of <Versions etags={shown.merged} onVersion={onVersion} />.
        </p>
      )}
      {data === undefined ? (
        <NotYet asked={asked} what="the change" lines={2} place="here" />
      ) : (
        <>
          {data.set_aside.length === 0 ? null : (
            <p className="warning">
              Could not be merged: <Versions etags={data.set_aside} onVersion={onVersion} />
            </p>
          )}
          {data.step === undefined ? null : (
            <p className="small">
              <span className="quiet">During the step </span>
              <Link to={{ view: 'session', sessionId, runId: data.step.runId, nodeId: data.step.nodeId }}>
                {visibleTitle(data.step.title)}
              </Link>
            </p>
          )}
          {data.settled === undefined ? null : <p>{settledWords(data.settled)}</p>}
          {shown.made === 'create' ? null : (
            <h3>{plural(isArray(data.operations) ? data.operations.length : 0, 'operation')}</h3>
          )}
          <OperationList operations={data.operations} label="Operations" />
        </>
      )}
    </section>
  );
}

function Versions({
  etags,
  onVersion,
}: {
  readonly etags: readonly string[];
  readonly onVersion: (etag: string) => void;
}) {
  return etags.map((etag, index) => (
    <span key={etag}>
      {index === 0 ? '' : ', '}
      <button type="button" className="link-button" onClick={() => onVersion(etag)}>
        {etag}
      </button>
    </span>
  ));
}
