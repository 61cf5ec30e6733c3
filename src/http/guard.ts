import { timingSafeEqual } from 'node:crypto';

export interface GuardOptions {
  /** The port we listen on; 0 is never asked about. */
  readonly port: number;
  /** Host names under which we may be reached, without port: loopback's, and the one that was asked for. */
  readonly hosts: readonly string[];
  /** Wanted from every request where others than this machine can reach us. */
  readonly token: string | undefined;
}

/** What a request says of itself, as it came: names and values in turn. */
export interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
}

export interface Refused {
  readonly status: 400 | 401 | 403;
  readonly code: 'HOST_REFUSED' | 'ORIGIN_REFUSED' | 'CROSS_SITE_REFUSED' | 'TOKEN_REFUSED' | 'HEADER_MISSING';
  readonly message: string;
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Names by which loopback is called. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a request may come in at all. Asked before anything else, on every route and method, the live streams included:
 * a page of another site can send requests to this machine, and can give this machine a name of its own.
 */
export function guard(head: RequestHead, { port, hosts, token }: GuardOptions): Refused | undefined {
  const all = (name: string): readonly string[] =>
    head.rawHeaders.flatMap((value, index) =>
      index % 2 === 1 && head.rawHeaders[index - 1]!.toLowerCase() === name ? [value] : [],
    );
  const authorities = new Set(hosts.flatMap((host) => (port === 80 ? [host, `${host}:80`] : [`${host}:${port}`])));
  const host = all('host');
  if (host.length !== 1 || !authorities.has(host[0]!.toLowerCase()))
    return refused(403, 'HOST_REFUSED', `this server answers to ${[...authorities].join(', ')} only`);
  // A request line may name a host as well, and then that is the one that counts.
  if (!head.url.startsWith('/')) return refused(403, 'HOST_REFUSED', 'the request line must name a path');
  const origin = all('origin');
  const own = new Set([...authorities].map((authority) => `http://${authority}`));
  if (origin.length > 1 || (origin.length === 1 && !own.has(origin[0]!.toLowerCase())))
    return refused(403, 'ORIGIN_REFUSED', 'requests from other origins are not allowed');
  const site = all('sec-fetch-site');
  if (site.some((value) => value !== 'same-origin' && value !== 'none'))
    return refused(403, 'CROSS_SITE_REFUSED', 'requests from other sites are not allowed');
  if (token !== undefined && !authorized(all('authorization'), all('cookie'), { name: cookieName(port), token }))
    return refused(401, 'TOKEN_REFUSED', 'send Authorization: Bearer and the token that workrail serve printed');
  // No form and no link of another site can send this header without asking first.
  const isProgram = origin.length + site.length === 0 && isOfStates(head.url);
  if (changing.has(head.method) && !isMcp(head.url) && !isProgram && all('x-workrail').length === 0)
    return refused(403, 'HEADER_MISSING', 'requests that change something need the header X-WorkRail: 1');
  return undefined;
}

/** Programs of others write to shared states. Every browser says where a request that changes something comes from. */
const isOfStates = (url: string): boolean => /^\/workflow-(?:schema|state)s?(?:[/?]|$)/u.test(url);

/** MCP clients are no pages and know nothing of our header; what they send is JSON, which a form cannot be. */
const isMcp = (url: string): boolean => url.split('?')[0] === '/mcp';

/** Cookies know no ports: two servers of one machine must not take each other's. */
export const cookieName = (port: number): string => `workrail-${port}`;

function authorized(
  authorization: readonly string[],
  cookies: readonly string[],
  { name, token }: { readonly name: string; readonly token: string },
): boolean {
  const bearer = authorization.length === 1 ? /^bearer (\S+)$/iu.exec(authorization[0]!)?.[1] : undefined;
  const named =
    cookies.length === 1
      ? cookies[0]!
          .split(';')
          .map((pair) => pair.trim())
          .filter((pair) => pair.startsWith(`${name}=`))
      : [];
  const cookie = named.length === 1 ? named[0]!.slice(name.length + 1) : undefined;
  // A token that is sent and wrong is wrong, whatever else is sent.
  const given = authorization.length > 0 ? bearer : cookie;
  return given !== undefined && isToken(given, token);
}

/** Compared in a time that tells nothing of how much is right. */
export function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const refused = (status: Refused['status'], code: Refused['code'], message: string): Refused => ({
  status,
  code,
  message,
});
