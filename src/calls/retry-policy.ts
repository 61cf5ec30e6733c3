import { limits } from '../base/limits.js';

/** How often a call is tried again, and after what. */
export interface Retries {
  /** Further tries. */
  readonly max: number;
  /** Statuses, and `network` for a connection that failed. */
  readonly on?: readonly (number | 'network')[];
  /** The longest that a server may ask to wait. */
  readonly upToMs?: number;
}

/** What one try came to, as far as it counts for another. */
export type Tried =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'failed'; readonly sent: boolean; readonly retryable: boolean; readonly isNetwork: boolean };

export interface TriedCall {
  readonly tries: number;
  /** Whether it does no harm twice. */
  readonly repeatable: boolean;
  readonly retries: Retries | undefined;
  readonly now: number;
  /** From 0 to 1, drawn anew each time, so that callers do not come back all at once. */
  readonly chance: number;
}

const always: readonly (number | 'network')[] = [429, 502, 503, 504, 'network'];

/** How long to wait before the next try; or that there is none, and for how long the server wants none. */
export function nextTry(
  tried: Tried,
  call: TriedCall,
): { readonly waitMs: number } | { readonly end: true; readonly retryAfterMs?: number } {
  const asked = tried.kind === 'answered' ? askedWait(tried.headers, call.now) : undefined;
  const end = { end: true, ...(asked !== undefined && { retryAfterMs: asked }) } as const;
  const { max = limits.callRetries, upToMs = limits.callRetryUpToMs } = call.retries ?? {};
  if (!mayAgain(tried, call)) return tried.kind === 'answered' && isBusy(tried.status) ? end : { end: true };
  if (call.tries > max) return end;
  if (asked !== undefined) return asked <= upToMs ? { waitMs: asked } : end;
  const most = limits.callPauseMs * 2 ** (call.tries - 1);
  return { waitMs: Math.min(upToMs, Math.round(most / 2 + (most / 2) * call.chance)) };
}

const isBusy = (status: number): boolean => status === 429 || status === 503;

function mayAgain(tried: Tried, { repeatable, retries }: TriedCall): boolean {
  const on = retries?.on ?? always;
  if (tried.kind === 'failed')
    return tried.retryable && on.includes('network') && (!tried.sent || (repeatable && tried.isNetwork));
  if (!on.includes(tried.status)) return false;
  // A server that says when to come back has not done it.
  return repeatable || (isBusy(tried.status) && tried.headers['retry-after'] !== undefined);
}

/** How long a server asks to be left alone, in either form of Retry-After, or until its limit is reset. */
function askedWait(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const after = headers['retry-after']?.trim();
  if (after !== undefined) {
    if (/^\d{1,9}$/u.test(after)) return Number(after) * 1000;
    const at = Date.parse(after);
    if (!Number.isNaN(at)) return Math.max(0, at - now);
  }
  const reset = headers['ratelimit-reset']?.trim() ?? /;\s*t=(\d{1,9})/u.exec(headers['ratelimit'] ?? '')?.[1];
  if (reset !== undefined && /^\d{1,9}$/u.test(reset)) return Number(reset) * 1000;
  const old = headers['x-ratelimit-remaining'] === '0' ? headers['x-ratelimit-reset']?.trim() : undefined;
  if (old === undefined || !/^\d{1,10}$/u.test(old)) return undefined;
  // Some say in how many seconds, others at which second since 1970.
  return Number(old) > 1e9 ? Math.max(0, Number(old) * 1000 - now) : Number(old) * 1000;
}
