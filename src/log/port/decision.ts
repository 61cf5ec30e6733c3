import type { WorkflowHash } from '../../base/ids.js';
import type { EventDraft } from '../../events/event.js';

/** What came of looking at the session under its lock: an answer, and the facts that make it true. */
export interface Decision<A> {
  readonly answer: A;
  readonly events?: readonly EventDraft[];
  /** Snapshots of compiled workflows that the events name; on disk before the events are. */
  readonly pins?: readonly { readonly hash: WorkflowHash; readonly text: string }[];
}
