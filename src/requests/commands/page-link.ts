/**
 * The address of a page as a server gave it, of which the secrets were taken out: what it repeats of the first request
 * stands in it again, and what is added to every request is left to whoever adds it.
 */
export function pageLink(link: string, first: string): string {
  const url = new URL(link);
  const name = (pair: string): string => pair.split('=', 1)[0]!;
  const known = new Map(pairsOf(new URL(first)).map((pair) => [name(pair), pair]));
  const pairs = pairsOf(url);
  if (!pairs.some(isMasked)) return link;
  url.search = pairs.flatMap((pair) => (isMasked(pair) ? (known.get(name(pair)) ?? []) : pair)).join('&');
  return url.href;
}

const pairsOf = (url: URL): readonly string[] => url.search.slice(1).split('&').filter(Boolean);
const isMasked = (pair: string): boolean => /=.*(?:\[|%5B)secret(?:\]|%5D)/iu.test(pair);
