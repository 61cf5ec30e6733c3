import { connect } from 'node:net';
import { err, ok } from '../../src/base/result.js';
import type { BuiltRequest } from '../../src/catalogs/built-request.js';
import { callProblem } from '../../src/calls/call-problem.js';
import type { CallSettings } from '../../src/calls/call-settings.js';
import type { Clock } from '../../src/calls/clock.js';
import type { Dial, Resolve } from '../../src/calls/connect-checked.js';
import { type Calls, openCalls, type CallsOptions } from '../../src/calls/open-calls.js';
import type { SecretName } from '../../src/calls/secret-source.js';
import { limits } from '../../src/base/limits.js';
import { type Script, scriptedServer, type ScriptedServer } from './scripted-server.js';

/** A connection as it left the room. */
export interface Dialled {
  readonly host: string;
  readonly port: string;
  readonly protocol: string;
  readonly addresses: readonly string[];
}

/** A clock that no test waits for: pauses are over at once, and noted; the limit of a try ends when it is told to. */
export interface TestClock extends Clock {
  readonly pauses: number[];
  readonly move: (ms: number) => void;
  /** Ends the time of every try under way. */
  readonly endTries: () => void;
}

export function testClock(start = Date.parse('2026-01-02T03:04:05Z')): TestClock {
  let now = start;
  const pauses: number[] = [];
  const tries = new Set<() => void>();
  return {
    now: () => now,
    pauses,
    move: (ms) => {
      now += ms;
    },
    endTries: () => {
      for (const end of tries) end();
    },
    after: (ms, run) => {
      if (ms === limits.callMs || ms === limits.apiReadMs) {
        tries.add(run);
        return () => void tries.delete(run);
      }
      pauses.push(ms);
      const soon = setImmediate(() => {
        now += ms;
        run();
      });
      return () => clearImmediate(soon);
    },
  };
}

export interface CalledServers {
  readonly calls: Calls;
  readonly server: ScriptedServer;
  readonly clock: TestClock;
  readonly dialled: Dialled[];
  readonly close: () => Promise<void>;
}

export interface Played {
  readonly script?: Script;
  /** Addresses by name; all others are public. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly resolve?: Resolve;
  readonly secrets?: readonly (SecretName & { readonly value: string })[];
  readonly openFile?: CallsOptions['openFile'];
  readonly dial?: Dial;
}

/** An internet in which every address is one server on loopback: what is dialled is noted, and never left this machine. */
export async function calledServers({
  script,
  names = {},
  resolve,
  secrets = [],
  openFile,
  dial,
}: Played = {}): Promise<CalledServers> {
  const server = await scriptedServer(script);
  const clock = testClock();
  const dialled: Dialled[] = [];
  const calls = openCalls({
    clock,
    chance: () => 1,
    resolve: resolve ?? ((host) => Promise.resolve(names[host] ?? ['93.184.216.34'])),
    dial:
      dial ??
      ((addresses, { hostname, port, protocol }, callback) => {
        dialled.push({ host: hostname, port, protocol, addresses });
        const socket = connect(server.port, '127.0.0.1');
        socket.once('connect', () => callback(null, socket)).once('error', (cause) => callback(cause, null));
        return socket;
      }),
    secrets: {
      read: ({ catalog, origin, name }) => {
        const found = secrets.find((one) => one.catalog === catalog && one.origin === origin && one.name === name);
        return found === undefined
          ? err(callProblem('PRECONDITION_FAILED', `no secret ${name} for ${origin}`, 'Set it.'))
          : ok(found.value);
      },
      all: ({ catalog, origin }) =>
        secrets.filter((one) => one.catalog === catalog && one.origin === origin).map(({ value }) => value),
    },
    ...(openFile !== undefined && { openFile }),
  });
  return {
    calls,
    server,
    clock,
    dialled,
    close: async () => {
      await calls.close();
      await server.close();
    },
  };
}

export const api = 'https://api.example.com';

export const settings = (more: Partial<CallSettings> = {}): CallSettings => ({
  catalog: 'shop',
  baseUrl: `${api}/v1`,
  ...more,
});

export const get = (url: string, headers: BuiltRequest['headers'] = []): BuiltRequest => ({
  method: 'GET',
  url,
  headers,
});

export const post = (url: string, body: unknown = { a: 1 }, headers: BuiltRequest['headers'] = []): BuiltRequest => ({
  method: 'POST',
  url,
  headers: [['content-type', 'application/json'], ...headers],
  body: { kind: 'text', text: JSON.stringify(body) },
});
