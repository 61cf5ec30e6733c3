import { lookup } from 'node:dns/promises';
import type { buildConnector } from 'undici';
import { limits } from '../base/limits.js';
import { type AddressRules, parseAddress, whyRefused } from './address-rules.js';
import { type CallProblem, callProblem } from './call-problem.js';
import { portOf } from './checked-url.js';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Opens a connection to one of some addresses, and to nothing else. */
export type Dial = (
  addresses: readonly string[],
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => { readonly destroy: () => unknown; readonly once: (event: 'close', gone: () => void) => unknown };

export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export class RefusedAddress extends Error {
  constructor(readonly problem: CallProblem) {
    super(problem.message);
  }
}

export interface Connections {
  readonly resolve: Resolve;
  readonly dial: Dial;
  readonly opened: Set<Opened>;
  /** Nothing is opened any more. */
  readonly isClosed: () => boolean;
}

/** Connects where the rules allow it. All addresses of a name are looked at, and the connection goes to one of these. */
export function checkedConnector(
  rules: AddressRules,
  { resolve, dial, opened, isClosed }: Connections,
): buildConnector.connector {
  return (options, connected) => {
    const to = { host: options.hostname, port: portOf(options) };
    const fail = (cause: unknown): void =>
      connected(cause instanceof Error ? cause : new Error('no connection', { cause }), null);
    const addresses = parseAddress(to.host) === undefined ? resolve(to.host) : Promise.resolve([to.host]);
    addresses.then((found) => {
      const refused = refusalOf(found, to, rules);
      if (refused !== undefined) return fail(new RefusedAddress(refused));
      if (isClosed()) return fail(new Error('closed'));
      try {
        const socket = dial(found, options, connected);
        opened.add(socket);
        socket.once('close', () => opened.delete(socket));
      } catch (cause) {
        fail(cause);
      }
    }, fail);
  };
}

export type Opened = ReturnType<Dial>;

function refusalOf(
  addresses: readonly string[],
  to: { readonly host: string; readonly port: string },
  rules: AddressRules,
): CallProblem | undefined {
  if (addresses.length === 0)
    return callProblem('COMMAND_UNAVAILABLE', `${to.host} has no address.`, 'Check the name of the host.');
  const place = `${to.host.includes(':') ? `[${to.host}]` : to.host}:${to.port}`;
  for (const address of addresses) {
    const why = whyRefused(address, to, rules);
    if (why === undefined) continue;
    if (why === 'not listed')
      return callProblem(
        'ADDRESS_REFUSED',
        `${to.host} would be called without encryption, and everyone on the way could read the credentials.`,
        `Use https, or add ${place} to the allowed addresses of the catalog.`,
      );
    const name = parseAddress(to.host) === undefined ? `${to.host} leads to ${address}, which` : address;
    return callProblem(
      'ADDRESS_REFUSED',
      `${name} is ${why.is}, and only public addresses are called.`,
      `If it is meant, ask the user to add ${place} to the allowed addresses of the catalog.`,
    );
  }
  return undefined;
}

/** Opens real connections. */
export function systemDial(build: typeof buildConnector): Dial {
  let pinned: readonly string[] = [];
  const connect = build({
    timeout: limits.callConnectMs,
    lookup: (_host, { all }, callback) => {
      // Asked for within `connect`, before anybody else can connect.
      const found = pinned.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      process.nextTick(() => {
        if (all === true) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      });
    },
  }) as (...given: Parameters<buildConnector.connector>) => Opened;
  return (addresses, options, callback) => {
    pinned = addresses;
    const isChecked = (remote: string | undefined): boolean =>
      remote === undefined || addresses.some((one) => String(parseAddress(one)) === String(parseAddress(remote)));
    return connect(options, (...[cause, socket]) => {
      if (cause !== null) return callback(cause, null);
      if (isChecked(socket.remoteAddress)) return callback(null, socket);
      socket.destroy();
      callback(new Error('connected to an address that was not looked at'), null);
    });
  };
}
