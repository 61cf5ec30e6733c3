import type * as Undici from 'undici';
import type { Agent, Client, Dispatcher } from 'undici';
import { limits } from '../base/limits.js';
import type { AddressRules } from './address-rules.js';
import {
  checkedConnector,
  type Dial,
  type Opened,
  type Resolve,
  systemDial,
  systemResolve,
} from './connect-checked.js';
import { exchange, type Exchanged, type ExchangedRequest } from './exchange.js';

/** How requests leave this machine. */
export interface Transport {
  readonly exchange: (request: ExchangedRequest, way: Way) => Promise<Exchanged>;
  readonly close: () => Promise<void>;
}

export interface Way {
  readonly rules: AddressRules;
  /** A write has a connection of its own: one that was kept may be gone without a word. */
  readonly isFresh: boolean;
  readonly answerBytes: number;
  readonly signal: AbortSignal;
  /** Counts until the first byte leaves. */
  readonly unsent?: AbortSignal | undefined;
}

export function openTransport({
  resolve = systemResolve,
  dial,
}: {
  readonly resolve?: Resolve;
  readonly dial?: Dial;
}): Transport {
  const agents = new Map<string, Agent>();
  const clients = new Set<Client>();
  const opened = new Set<Opened>();
  let systemDialer: Dial | undefined;
  let loaded: typeof Undici | undefined;
  let isClosed = false;
  return {
    exchange: async (request, { rules, isFresh, answerBytes, signal, unsent }) => {
      // Whoever calls nobody does not load it.
      const undici = (loaded ??= await import('undici'));
      if (isClosed) return { kind: 'failed', sent: false, cause: new Error('closed') };
      const options = {
        connect: checkedConnector(rules, {
          resolve,
          dial: dial ?? (systemDialer ??= systemDial(undici.buildConnector)),
          opened,
          isClosed: () => isClosed,
        }),
        pipelining: 1,
        maxHeaderSize: limits.callHead,
      };
      const send = (dispatcher: Dispatcher): Promise<Exchanged> =>
        exchange(dispatcher, request, { answerBytes, signal, unsent });
      if (!isFresh) {
        const agent = agents.get(rules.key) ?? new undici.Agent(options);
        agents.set(rules.key, agent);
        return send(agent);
      }
      const client = new undici.Client(request.url.origin, options);
      clients.add(client);
      try {
        return await send(client);
      } finally {
        clients.delete(client);
        void client.destroy();
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...agents.values(), ...clients].map((one) => one.destroy()));
      for (const socket of opened) socket.destroy();
    },
  };
}
