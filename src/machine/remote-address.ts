import { limits } from '../base/limits.js';

/** Transports whose addresses are read; any other, and each `<helper>::<address>`, may hold anything anywhere. */
const schemes = 'https?|ssh|git|git\\+ssh|ssh\\+git|ftps?';
const name = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?`;
const url = new RegExp(
  String.raw`^(?<scheme>${schemes})://(?:[^@/?#\s\\]*@)?(?<host>${name}|\[[0-9A-Fa-f:.]+\])(?<port>:[0-9]{1,5})?(?<path>/[^?#]*)?(?:[?#][^@]*)?$`,
  'iu',
);
/** The short form of ssh. */
const short = new RegExp(String.raw`^(?:(?<user>[^@:/?#\s]+)@)?(?<host>${name}):(?<path>[^?#]+)(?:[?#][^@]*)?$`, 'u');
/** What names of folders are made of. An `@`, a `:` or a `=` may be the end of a login or of a token that stands in an odd place. */
const plainPath = /^[\p{L}\p{M}\p{N}._~+/ -]*$/u;

/**
 * Scheme, host and path of a remote, as far as its address is of a kind that is known; nothing of any other. User,
 * password, query and fragment go. A path of this machine is none.
 */
export function remoteAddress(address: string): string | undefined {
  if (address.length > limits.remote || /[\p{Cc}\s\\]/u.test(address)) return undefined;
  const long = url.exec(address)?.groups;
  if (long !== undefined) return isPlain(long['path'] ?? '') ? withHost(long) : undefined;
  const { user, host, path } = short.exec(address)?.groups ?? {};
  if (host === undefined || path === undefined || !isPlain(path) || path.startsWith('//')) return undefined;
  // Without a user and a dot it may as well be a drive, a scheme, or a login that lacks its host.
  if (user === undefined && !host.includes('.')) return undefined;
  // The user is a fixed account name (git), which is kept where it says nothing.
  return `${user === 'git' ? 'git@' : ''}${host}:${path}`;
}

function withHost({
  scheme,
  host,
  port = '',
  path = '',
}: {
  readonly [part: string]: string | undefined;
}): string | undefined {
  try {
    const parsed = new URL(`${scheme}://${host}${port}${path}`);
    return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  } catch {
    return undefined;
  }
}

/** Neither as it stands nor as its escapes are meant. */
function isPlain(path: string): boolean {
  try {
    return plainPath.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}
