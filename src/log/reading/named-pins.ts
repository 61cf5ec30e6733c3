import type { WorkflowHash } from '../../base/ids.js';
import type { Projection } from '../port/projection.js';

/** All that care wants to know of a session's events: which pins they name. Small, however long the session is. */
export interface NamedPins {
  readonly pins: Set<WorkflowHash>;
}

export const namedPinsProjection: Projection<NamedPins> = {
  version: 'named-pins-1',
  empty: () => ({ pins: new Set() }),
  fold: (named, events) => {
    for (const event of events) if (event.kind === 'run_started') named.pins.add(event.data.workflowHash);
    return named;
  },
};
