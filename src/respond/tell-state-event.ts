import { unreachable } from '../base/assert.js';
import { plural } from '../base/plural.js';
import type { Event } from '../events/event.js';
import type { stateEvents } from '../events/state-events.js';
import type { Said } from './said.js';

type StateEvent = Event<keyof typeof stateEvents>;

export const isStateEvent = (event: Event): event is StateEvent => event.kind.startsWith('state_');

/** What became of a shared state, in words. */
export function sayStateEvent(event: StateEvent, words: (text: string) => string): Said {
  const step = event.node === undefined ? '' : ' by a step';
  const by = event.who?.agent === undefined ? step : ` by ${words(event.who.agent)}`;
  switch (event.kind) {
    case 'state_created': {
      const { state, schema, bytes, from } = event.data;
      const how = from === undefined ? 'created' : `forked from ${from.state}`;
      return {
        says: `shared state ${how}${by}`,
        details: [`${state}: ${words(schema.name)} ${schema.version}, ${bytes} bytes`],
      };
    }
    case 'state_kept':
      return { says: 'the whole value of the shared state is kept' };
    case 'state_changed': {
      const { depth, mode, ops, bytes, merged = [], conflicts = [] } = event.data;
      const says = {
        patch: `shared state changed to version ${depth}`,
        update: `shared state replaced, version ${depth}`,
        merge: `changes to the shared state merged, version ${depth}`,
        migrate: `shared state under another schema, version ${depth}`,
      }[mode];
      return {
        says: `${says}${by}`,
        details: [
          `${plural(ops.length, 'operation')}; ${bytes} bytes`,
          merged.length === 0 ? undefined : `with ${plural(merged.length, 'other version')}`,
          conflicts.length === 0
            ? undefined
            : `${plural(conflicts.length, 'change')} not applied: somebody has to settle that`,
        ],
      };
    }
    case 'state_refused':
      return {
        says: `a change of the shared state was refused${by}`,
        details: [
          words(event.data.reason),
          ...event.data.violations.map(({ path, message }) => `${words(path)}: ${words(message)}`),
        ],
      };
    case 'state_waived':
      return { says: `nothing to report to the shared state${by}`, details: [words(event.data.reason)] };
    case 'state_settled': {
      const { how, reason } = event.data;
      const said = { leave: 'left out', apply: 'made now' }[how];
      return { says: `a change that a merge did not apply is ${said}${by}`, details: [reason && words(reason)] };
    }
    case 'state_closed':
      return { says: `shared state closed${by}`, details: [event.data.reason && words(event.data.reason)] };
    default:
      return unreachable(event);
  }
}
