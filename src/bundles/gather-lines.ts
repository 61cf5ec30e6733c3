import type { WorkflowHash } from '../base/ids.js';
import { compareEvents, type Event, type EventPosition } from '../events/event.js';

/** What a manifest tells of the lines of a session, and which pins they need. */
export interface GatheredLines {
  readonly lines: number;
  readonly runs: number;
  readonly key: string | undefined;
  readonly title: string | undefined;
  readonly pins: ReadonlySet<WorkflowHash>;
}

/** Gathers lines in whatever order they come, and holds none of them. What was redacted says nothing. */
export function gatherLines(redacted: ReadonlySet<string>): {
  readonly take: (event: Event) => void;
  readonly gathered: () => GatheredLines;
} {
  let lines = 0;
  const runs = new Set<string>();
  const pins = new Set<WorkflowHash>();
  let started:
    | { readonly at: EventPosition; readonly key: string | undefined; readonly title: string | undefined }
    | undefined;
  let labelled: { readonly at: EventPosition; readonly title: string } | undefined;
  return {
    take: (event) => {
      lines += 1;
      if (redacted.has(event.sum)) return;
      if (event.kind === 'run_started') {
        runs.add(event.run ?? '');
        pins.add(event.data.workflowHash);
      } else if (event.kind === 'session_started') {
        if (started === undefined || compareEvents(event, started.at) < 0)
          started = { at: event, key: event.data.key, title: event.data.title };
      } else if (event.kind === 'session_labelled' && event.data.title !== undefined) {
        if (labelled === undefined || compareEvents(event, labelled.at) > 0)
          labelled = { at: event, title: event.data.title };
      }
    },
    gathered: () => ({ lines, runs: runs.size, key: started?.key, title: labelled?.title ?? started?.title, pins }),
  };
}
