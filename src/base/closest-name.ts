import { distance } from 'fastest-levenshtein';

const fold = (name: string): string => name.toLowerCase().replace(/[\s_.-]/gu, '');

/** The names a caller may have meant, best first: the same but for case and separators, contained, or a few letters off. */
export function closestNames(wanted: string, known: Iterable<string>, most = 3): string[] {
  const folded = fold(wanted.slice(0, 200));
  // Of a short name a letter or two off is another name.
  const tolerance = folded.length < 5 ? Math.floor(folded.length / 2) : Math.max(2, Math.ceil(folded.length / 3));
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const name of known) {
    const other = fold(name);
    const contained = Math.min(folded.length, other.length) > 2 && (other.includes(folded) || folded.includes(other));
    const score = other === folded ? 0 : contained || areSwapped(folded, other) ? 1 : distance(folded, other);
    if (score <= tolerance) scored.push({ name, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return scored.slice(0, most).map((entry) => entry.name);
}

/** It is the same name but for a slip or two of the hand; `most`: how many letters they may take. */
export function isSlip(wanted: string, name: string, most = 3): boolean {
  const [one, other] = [fold(wanted.slice(0, 200)), fold(name)];
  return distance(one, other) <= Math.min(most, Math.floor(one.length / 3)) || areSwapped(one, other);
}

/** Two letters beside each other in the wrong order: one slip of the hand. */
function areSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return at >= 0 && one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
}

export function closestName(wanted: string, known: Iterable<string>): string | undefined {
  return closestNames(wanted, known, 1)[0];
}

const fewNames = 4;

/** After the word that a name is unknown: what was meant, and the known ones where nothing was or where they are few. */
export function knownInstead(meant: string | undefined, known: readonly string[], what: 'fields' | 'keys'): string {
  const all = `known ${what}: ${known.join(', ')}`;
  if (meant === undefined) return known.length === 0 ? '' : `; ${all}`;
  return `; did you mean ${meant}?${known.length > 0 && known.length <= fewNames ? ` (${all})` : ''}`;
}
