import { useState } from 'react';
import type { StatesOfSession } from '../../contract/states-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Button } from '../parts/button.js';
import { sizeWords } from '../parts/size-words.js';
import { TimeTold } from '../parts/time-told.js';
import { PickOne } from './pick-one.js';
import { SchemaDialog } from './schema-dialog.js';
import { whoWords } from './version-words.js';

type State = StatesOfSession['states'][number];

export interface StateFactsProps {
  readonly states: readonly State[];
  readonly state: State;
  readonly onState: (stateId: string) => void;
  /** Etag of the version that is shown, whose schema may be an older one. */
  readonly shown: string;
}

/** What a state is besides its document; of several, which one is shown. */
export function StateFacts({ states, state, onState, shown }: StateFactsProps) {
  const [schema, setSchema] = useState(false);
  return (
    <div className="state-facts small">
      {states.length < 2 ? null : (
        <PickOne label="State" chosen={state.state_id} onChoose={onState}>
          {states.map((one) => (
            <option key={one.state_id} value={one.state_id}>
              {stateWords(one)}
            </option>
          ))}
        </PickOne>
      )}
      <span className={state.status === 'open' ? 'tag good' : 'tag'}>
        {state.status === 'open' ? 'Open' : 'Closed'}
      </span>
      <span>
        Schema {visibleTitle(state.schema_name)} {state.schema_version}{' '}
        <Button small look="bare" onClick={() => setSchema(true)}>
          Show schema
        </Button>
      </span>
      <span className="quiet">
        newest {state.etag}, {sizeWords(state.bytes)}, updated <TimeTold at={state.updated_at} />
      </span>
      {state.forked_from === undefined ? null : (
        <span className="quiet">
          forked from {state.forked_from.etag} of {state.forked_from.state_id}
        </span>
      )}
      <code className="quiet">{state.state_id}</code>
      {state.closed === undefined ? null : <span>{closedWords(state.closed)}</span>}
      {schema ? <SchemaDialog stateId={state.state_id} etag={shown} onClose={() => setSchema(false)} /> : null}
    </div>
  );
}

const stateWords = ({ state_id: id, schema_name: name, version, status, forked_from: from }: State): string =>
  `${visibleTitle(name)}, version ${version}${from === undefined ? '' : ', fork'}${status === 'closed' ? ', closed' : ''} (${id})`;

function closedWords({ reason, ...closed }: NonNullable<State['closed']>): string {
  const who = whoWords(closed);
  return `Closed${who === undefined ? '' : ` ${who}`}${reason === '' ? '' : `: ${visibleTitle(reason)}`}`;
}
