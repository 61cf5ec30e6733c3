import { own } from '../base/own.js';

/**
 * The W3C trace context of a request in the words of the log; none where it is malformed, as that standard wants. Lines
 * and control characters of a stranger cannot come in: each part is what its grammar allows.
 */
export function traceContext(traceparent: unknown, tracestate: unknown): string | undefined {
  const [, parent, version, traceId, parentId, rest] =
    (typeof traceparent === 'string' ? parentForm.exec(traceparent) : null) ?? [];
  if (parent === undefined || version === 'ff' || /^0+$/u.test(traceId!) || /^0+$/u.test(parentId!)) return undefined;
  // A later version may add to what is known of this one.
  if (version === '00' && rest !== '') return undefined;
  const state = typeof tracestate === 'string' ? stateOf(tracestate) : undefined;
  return `traceparent ${parent}${state === undefined ? '' : `, tracestate ${state}`}`;
}

/** From the metadata of a message. */
export const traceOfMeta = (meta: Readonly<Record<string, unknown>>): string | undefined =>
  traceContext(own(meta, 'traceparent'), own(meta, 'tracestate'));

/** From the headers of a request. Two that are named alike come as one, and are no `traceparent`. */
export const traceOfHeaders = (headers: Headers): string | undefined =>
  traceContext(headers.get('traceparent'), headers.get('tracestate'));

function stateOf(tracestate: string): string | undefined {
  if (tracestate.length > longestState) return undefined;
  const members = tracestate.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/gu, ''));
  const named = members.filter((member) => member !== '');
  const right = named.length > 0 && named.length <= mostMembers && named.every((member) => memberForm.test(member));
  return right ? named.join(',') : undefined;
}

const longestState = 512;
const mostMembers = 32;
const parentForm = /^(([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2})(|-.*)$/u;
/** A key, of a tenant's system or of one alone, and printable ASCII that is neither comma nor equals sign. */
const memberForm =
  /^(?:[a-z][a-z\d_*/-]{0,255}|[a-z\d][a-z\d_*/-]{0,240}@[a-z][a-z\d_*/-]{0,13})=[ -+--<>-~]{0,255}[!-+--<>-~]$/u;
