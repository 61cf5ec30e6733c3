import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { limits } from '../base/limits.js';

/** A position as it can stand in a header: a session with many writers has a long one. */
export const sealPosition = (position: string): string => deflateRawSync(position).toString('base64url');

/** Undefined where it is none; what it says is judged by whoever follows. */
export function openPosition(sealed: string): string | undefined {
  // As a page of events gives it.
  if (sealed.startsWith('{')) return sealed;
  try {
    const text = inflateRawSync(Buffer.from(sealed, 'base64url'), {
      maxOutputLength: limits.requestHead * 16,
    }).toString('utf8');
    return text.startsWith('{') ? text : undefined;
  } catch {
    return undefined;
  }
}
