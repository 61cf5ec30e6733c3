import { useQuery } from '@tanstack/react-query';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { isArray, parsePointer, valueAt } from '../../base/patch/json-pointer.js';
import type { StatesOfSession } from '../../contract/states-told.js';
import { queries } from '../api/queries.js';
import { readJson } from '../api/read-json.js';
import { NotYet } from '../parts/state-notice.js';
import { TimeTold } from '../parts/time-told.js';
import { JsonText } from './json-text.js';
import { OperationList, placeWords } from './operation-list.js';
import { SettleForm } from './settle-form.js';
import type { VersionTold } from './version-moment.js';
import { whoWords } from './version-words.js';

export interface ConflictListProps {
  readonly sessionId: string;
  readonly state: StatesOfSession['states'][number];
  readonly versions: readonly VersionTold[];
  readonly onVersion: (etag: string) => void;
}

/** Changes that a merge could not make: each beside what stands in its place now, for somebody to settle. */
export function ConflictList({ sessionId, state, versions, onVersion }: ConflictListProps) {
  return (
    <section className="conflict-list" aria-label="Conflicts">
      {state.conflicts.map((etag) => (
        <Conflict
          key={etag}
          sessionId={sessionId}
          state={state}
          etag={etag}
          made={versions.find((version) => version.etag === etag)}
          onVersion={onVersion}
        />
      ))}
    </section>
  );
}

interface ConflictProps extends Pick<ConflictListProps, 'sessionId' | 'state' | 'onVersion'> {
  readonly etag: string;
  /** Absent where it is not among the versions that were told. */
  readonly made: VersionTold | undefined;
}

function Conflict({ sessionId, state, etag, made, onVersion }: ConflictProps) {
  const asked = useQuery(queries.stateChange(sessionId, state.state_id, etag));
  const now = useQuery(queries.stateDocuments(state.state_id, state.etag, undefined));
  const who = made && whoWords(made);
  return (
    <article className="aside warning conflict">
      <h2>A change could not be merged</h2>
      <p className="small">
        <button type="button" className="link-button" onClick={() => onVersion(etag)}>
          {etag}
        </button>
        {who === undefined ? '' : ` ${who}`}
        {made === undefined ? null : (
          <>
            , <TimeTold at={made.at} />
          </>
        )}
        . It changes what somebody else changed too. Decide what to do with it.
      </p>
      {asked.data === undefined ? (
        <NotYet asked={asked} what="the change" lines={2} place="here" />
      ) : (
        <div className="two-sides">
          <div>
            <h3>In the document now</h3>
            <ul className="operation-list" aria-label="In the document now">
              {placesOf(asked.data.operations).map((place) => (
                <li key={place}>
                  <code>{placeWords(place === '' ? undefined : place)}</code>:{' '}
                  {now.data === undefined ? '…' : <ValueNow document={now.data.after} place={place} />}
                </li>
              ))}
            </ul>
          </div>
          <div>
            <h3>The change</h3>
            <OperationList operations={asked.data.operations} label="The change" />
          </div>
        </div>
      )}
      <SettleForm sessionId={sessionId} stateId={state.state_id} conflict={etag} closed={state.status === 'closed'} />
    </article>
  );
}

/** Where the operations of a patch write, each place once. */
const placesOf = (operations: JsonValue): readonly string[] => [
  ...new Set(
    (isArray(operations) ? operations : []).flatMap((operation) =>
      isJsonObject(operation) ? [readJson.text(operation, 'path') ?? ''] : [],
    ),
  ),
];

function ValueNow({ document, place }: { readonly document: JsonValue; readonly place: string }) {
  const way = parsePointer(place);
  const value = way.ok ? valueAt(document, way.value) : undefined;
  return value === undefined ? <span className="quiet">nothing</span> : <JsonText value={value} />;
}
