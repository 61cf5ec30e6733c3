import ipaddr from 'ipaddr.js';
import { err, ok, type Result } from '../base/result.js';
import { type CallProblem, callProblem } from './call-problem.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

interface Allowed {
  readonly port: string | undefined;
  readonly host?: string;
  readonly range?: readonly [Address, number];
}

/** Where a request may go. */
export interface AddressRules {
  /** Alike for rules that are alike. */
  readonly key: string;
  readonly allowed: readonly Allowed[];
  /** Whether public addresses are allowed, besides those that are listed. */
  readonly isPublicAllowed: boolean;
}

export interface Destination {
  readonly host: string;
  readonly port: string;
}

/** The rules of a catalog: all public addresses, and what is listed. */
export function addressRules(allow: readonly string[] = []): Result<AddressRules, CallProblem> {
  const allowed: Allowed[] = [];
  for (const text of allow) {
    const one = readAllowed(text.trim());
    if (one === undefined)
      return err(
        callProblem(
          'VALIDATION_ERROR',
          `\`${text}\` in \`allow\` is no address`,
          'Write it as one of: 127.0.0.1, 10.0.0.0/8, localhost, localhost:8080, [::1]:3000.',
        ),
      );
    allowed.push(one);
  }
  return ok({ key: [...new Set(allow)].sort().join(' '), allowed, isPublicAllowed: true });
}

/** The same rules for what no stranger may read on its way: only what is listed. */
export const listedOnly = (rules: AddressRules): AddressRules => ({
  ...rules,
  key: `only ${rules.key}`,
  isPublicAllowed: false,
});

function readAllowed(text: string): Allowed | undefined {
  const whole = rangeOf(text.replace(/^\[(.*)\]$/su, '$1'));
  if (whole !== undefined) return { port: undefined, range: whole };
  const [, host = text, port] = /^(.+):(\d{1,5})$/su.exec(text) ?? [];
  const range = rangeOf(host.replace(/^\[(.*)\]$/su, '$1'));
  if (range !== undefined) return { port, range };
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/iu.test(host) ? { port, host: plainHost(host) } : undefined;
}

function rangeOf(text: string): readonly [Address, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address && [address, address.kind() === 'ipv4' ? 32 : 128];
}

const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/u, '');

/** An address as it is written in numbers; undefined for a name. In an IPv6 address that only wraps an IPv4 one, that. */
export function parseAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\]$/su, '$1');
  const address = ipaddr.IPv6.isValid(bare)
    ? ipaddr.IPv6.parse(bare)
    : ipaddr.IPv4.isValidFourPartDecimal(bare)
      ? ipaddr.IPv4.parse(bare)
      : undefined;
  return address !== undefined && isV6(address) && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

const isV6 = (address: Address): address is ipaddr.IPv6 => address.kind() === 'ipv6';

/** Why nothing may be sent to an address: what it is, or that it is public and only listed ones may be; undefined where it may. */
export function whyRefused(
  address: string,
  to: Destination,
  rules: AddressRules,
): { readonly is: string } | 'not listed' | undefined {
  const parsed = parseAddress(address);
  if (parsed === undefined) return { is: 'no address that is known' };
  if (rules.allowed.some((one) => isAllowed(one, parsed, to))) return undefined;
  const kind = kindOf(parsed);
  if (kind !== undefined) return { is: kind };
  return rules.isPublicAllowed ? undefined : 'not listed';
}

const isAllowed = ({ host, port, range }: Allowed, address: Address, to: Destination): boolean =>
  (port === undefined || port === to.port) &&
  (host === undefined || host === plainHost(to.host)) &&
  (range === undefined || (range[0].kind() === address.kind() && address.match([range[0], range[1]])));

const kinds: ReadonlyMap<string, string> = new Map([
  ['loopback', 'this machine'],
  ['private', 'a private network'],
  ['uniqueLocal', 'a private network'],
  ['deprecatedSiteLocal', 'a private network'],
  ['linkLocal', 'a link-local address'],
  ['carrierGradeNat', 'a shared address of a provider'],
  ['unspecified', 'an unspecified address'],
  ['multicast', 'a multicast address'],
  ['broadcast', 'a broadcast address'],
]);
const reserved = 'a reserved address';

/** What a cloud offers to its own machines under an address that looks public. */
const ofClouds: readonly string[] = ['168.63.129.16'];
/** All that is handed out of IPv6; where ipaddr.js knows of nothing special it says unicast of the rest too. */
const handedOut = ipaddr.IPv6.parseCIDR('2000::/3');
/** IPv6 networks reach IPv4 through these: the address that counts is the last part. */
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** In words, what is not public about an address; undefined where it is. */
function kindOf(address: Address): string | undefined {
  if (isV6(address)) {
    if (address.match(translated)) return kindOf(new ipaddr.IPv4(address.toByteArray().slice(12)));
    const range: string = address.range();
    return range === 'unicast' && address.match(handedOut) ? undefined : (kinds.get(range) ?? reserved);
  }
  if (ofClouds.includes(address.toString())) return reserved;
  const range = address.range();
  return range === 'unicast' ? undefined : (kinds.get(range) ?? reserved);
}
