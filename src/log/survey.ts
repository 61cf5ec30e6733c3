import type { WorkflowHash } from '../base/ids.js';
import type { Projection } from './projection.js';

/** All that care wants to know of a session's events: which pins they name. Small, however long the session is. */
export interface Survey {
  readonly pins: Set<WorkflowHash>;
}

export const surveyProjection: Projection<Survey> = {
  version: 'survey-1',
  empty: () => ({ pins: new Set() }),
  fold: (survey, events) => {
    for (const event of events) if (event.kind === 'run_started') survey.pins.add(event.data.workflowHash);
    return survey;
  },
};
