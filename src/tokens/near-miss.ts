import { distance } from 'fastest-levenshtein';

const tolerated = 2;

/** The one candidate that a garbled token is a couple of characters away from; none where two are as near. */
export function nearMiss<C extends { readonly token: string }>(
  garbled: string,
  candidates: Iterable<C>,
): C | undefined {
  const wanted = garbled.trim().toUpperCase();
  let best: C | undefined;
  let least = tolerated + 1;
  for (const candidate of candidates) {
    const token = candidate.token.toUpperCase();
    if (Math.abs(token.length - wanted.length) > tolerated) continue;
    const off = distance(wanted, token);
    if (off < least) {
      best = candidate;
      least = off;
    } else if (off === least && best?.token !== candidate.token) best = undefined;
  }
  return best;
}
