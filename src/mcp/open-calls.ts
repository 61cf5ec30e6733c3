import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { answeredId } from './batches.js';
import type { LineTransport } from './line-transport.js';

export interface OpenCalls {
  /** Resolves when everything that was asked has been answered and handed to stdout. */
  answered(): Promise<void>;
}

/** Told when more is asked at once than is good, and when it has been worked off. */
export interface CallsBounds {
  readonly most: number;
  readonly full: () => void;
  readonly free: () => void;
}

/** Counts what is asked and not yet answered, which the SDK keeps to itself. */
export function openCalls(transport: LineTransport, { most, full, free }: CallsBounds): OpenCalls {
  /** How many are open under each id: a client may give one id to many. */
  const byId = new Map<RequestId, number>();
  let open = 0;
  let waiting: (() => void)[] = [];
  let isFull = false;
  const settled = (id: RequestId | undefined): void => {
    const times = id === undefined ? undefined : byId.get(id);
    if (id === undefined || times === undefined) return;
    if (times > 1) byId.set(id, times - 1);
    else byId.delete(id);
    open -= 1;
    if (isFull && open <= most / 2) {
      isFull = false;
      free();
    }
    if (open > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  transport.heard = (message: JSONRPCMessage) => {
    // What comes here is a message: a request is told by what it has.
    if ('method' in message && 'id' in message) {
      // A subscription stays open for as long as the connection: nobody waits for its end.
      if (message.method === 'subscriptions/listen') return;
      byId.set(message.id, (byId.get(message.id) ?? 0) + 1);
      open += 1;
      if (open < most || isFull) return;
      isFull = true;
      full();
    }
    // A cancelled request is never answered.
    else if ('method' in message && message.method === 'notifications/cancelled') settled(cancelledId(message.params));
  };
  transport.sent = (message: JSONRPCMessage) => settled(answeredId(message));
  return {
    answered: () => (open === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

function cancelledId(params: { readonly [key: string]: unknown } | undefined): RequestId | undefined {
  const id = params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
