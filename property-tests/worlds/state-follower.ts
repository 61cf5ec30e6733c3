import type { JsonValue } from '../../src/base/json-value.js';
import { readPatch } from '../../src/base/patch/json-patch.js';
import type { StateMessage } from '../../src/contract/state-messages.js';
import type { Heard } from './http-world.js';
import { naivelyPatched } from './naive-patch.js';

/** What a client that follows a state knows of it: a snapshot, and the operations of each version done to it. */
export class StateFollower {
  /** Etags in the order in which they were told, with the document at each. */
  readonly seen: { readonly etag: string; readonly value: JsonValue }[] = [];
  readonly beside: StateMessage[] = [];
  snapshots = 0;

  get etag(): string | undefined {
    return this.seen.at(-1)?.etag;
  }

  get value(): JsonValue | undefined {
    return this.seen.at(-1)?.value;
  }

  hear(message: StateMessage): void {
    switch (message.event_type) {
      case 'workflow_state_snapshot':
        this.snapshots += 1;
        this.seen.push({ etag: message.etag, value: message.current_data });
        return;
      case 'workflow_state_updated': {
        if (message.from !== this.etag) throw new Error(`${message.etag} is of ${message.from}, not of ${this.etag}`);
        this.seen.push({ etag: message.etag, value: patched(this.value!, message.operations) });
        return;
      }
      case 'workflow_state_conflicts':
      case 'workflow_state_closed':
      case 'workflow_state_gone':
        this.beside.push(message);
    }
  }

  /** All that a stream of server-sent events has told. */
  hearAll(heard: readonly Heard[]): this {
    for (const { event, data } of heard) if (event.startsWith('workflow_state_')) this.hear(data as StateMessage);
    return this;
  }
}

/** As a program does it that knows nothing of ours: each operation in turn. */
function patched(value: JsonValue, operations: JsonValue): JsonValue {
  const patch = readPatch(operations);
  const now = patch.ok ? naivelyPatched(value, patch.value) : undefined;
  if (now === undefined) throw new Error(`cannot be done: ${JSON.stringify(operations).slice(0, 300)}`);
  return now;
}
