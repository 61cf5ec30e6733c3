import { idPatterns } from '../../base/ids.js';

/** A state as people name it: by its id, or by its session. */
export function namedState(
  word: string | undefined,
): { readonly stateId: string } | { readonly session: string } | undefined {
  if (word === undefined || word.trim() === '') return undefined;
  return idPatterns.state.test(word) ? { stateId: word } : { session: word };
}

/** A version as people name it. */
export function namedVersion(text: string): number | string | undefined {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  return /^v\d+-[0-9a-f]{12}$/u.test(text) ? text : undefined;
}
