import { readSpan } from '../../base/read-span.js';

/** `15s`, `30m`, `2h`, `1d`, in milliseconds. In a file of ours `m` is never a month. */
export function duration(text: string): number | undefined {
  return /^\d+\s*(?:s|m|min|h|d)$/u.test(text) ? readSpan(text.replace(/m$/u, 'min')) : undefined;
}
