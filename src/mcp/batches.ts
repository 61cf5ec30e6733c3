import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

interface Batch {
  readonly waiting: RequestId[];
  readonly answers: object[];
}

/** Requests that came as one list are answered as one, as revision 2025-03-26 has it. */
export class Batches {
  private readonly unanswered = new Set<Batch>();

  /** The whole answer, where nothing of the list is to be waited for. */
  open(waiting: readonly RequestId[], refused: readonly object[]): readonly object[] | undefined {
    const batch = { waiting: [...waiting], answers: [...refused] };
    if (waiting.length === 0) return refused.length === 0 ? undefined : batch.answers;
    this.unanswered.add(batch);
    return undefined;
  }

  /** What goes out now: the message itself, the list that it completes, or nothing yet. */
  gather(message: JSONRPCMessage): object | undefined {
    const id = answeredId(message);
    const batch = this.unanswered.size === 0 ? undefined : this.batchOf(id);
    if (batch === undefined) return message;
    batch.answers.push(message);
    return this.settle(batch, id);
  }

  /** A request that was taken back is never answered. */
  takeBack(id: unknown): object | undefined {
    const batch = this.batchOf(id);
    return batch === undefined ? undefined : this.settle(batch, id);
  }

  private batchOf(id: unknown): Batch | undefined {
    return [...this.unanswered].find(({ waiting }) => waiting.some((one) => one === id));
  }

  private settle(batch: Batch, id: unknown): object | undefined {
    batch.waiting.splice(
      batch.waiting.findIndex((one) => one === id),
      1,
    );
    if (batch.waiting.length > 0) return undefined;
    this.unanswered.delete(batch);
    return batch.answers.length === 0 ? undefined : batch.answers;
  }
}

/** What a message answers. One that the server made need not be held against its schema, which looks at all of it. */
export const answeredId = (message: JSONRPCMessage): RequestId | undefined =>
  'method' in message ? undefined : message.id;
