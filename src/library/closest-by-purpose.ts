import type { LibraryEntry } from './library-entry.js';

const most = 3;
/** What ids say of themselves rather than of their purpose. */
const empty = new Set(['workflow', 'workflows', 'routine', 'task', 'wr', 'the', 'a', 'my', 'and', 'for', 'of', 'to']);

/** Short for what descriptions spell out. */
const spelledOut: ReadonlyMap<string, readonly string[]> = new Map([
  ['code', ['code', 'change', 'diff']],
  ['mr', ['merged', 'pull', 'request']],
  ['pr', ['pull', 'request']],
]);

type About = Pick<LibraryEntry, 'id' | 'title' | 'description' | 'tags' | 'kind'>;

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu));

/** Workflows that are about what an id says, those with its words in their own id first; a word that few have counts for more. */
export function closestByPurpose(id: string, entries: readonly About[]): readonly string[] {
  const asked = [...wordsIn(id.slice(0, 200))]
    .filter((word) => !empty.has(word))
    .flatMap((word) => spelledOut.get(word) ?? [word]);
  const sentences = entries.flatMap(({ id: of, description }) =>
    description.split(/(?<=[.!?])\s+/u).map((text) => ({ text, of: named(text, of, entries) ?? of })),
  );
  const all = entries.map((entry) => ({
    entry,
    name: wordsIn(`${entry.id} ${entry.title}`),
    about: wordsIn([...entry.tags, ...sentences.flatMap(({ text, of }) => (of === entry.id ? [text] : []))].join(' ')),
  }));
  const worth = new Map(
    asked.map((word) => {
      const having = all.filter(({ name, about }) => name.has(word) || about.has(word)).length;
      return [word, having === 0 ? 0 : entries.length / having];
    }),
  );
  const sum = (words: ReadonlySet<string>): number =>
    asked.reduce((total, word) => total + (words.has(word) ? worth.get(word)! : 0), 0);
  return all
    .map(({ entry, name, about }) => ({ entry, score: 4 * sum(name) + sum(about) }))
    .filter(({ score }) => score > 0)
    .toSorted(
      (a, b) =>
        Number(a.entry.kind === 'routine') - Number(b.entry.kind === 'routine') ||
        b.score - a.score ||
        (a.entry.id < b.entry.id ? -1 : 1),
    )
    .slice(0, most)
    .map(({ entry }) => entry.id);
}

/** A sentence that sends its reader to another workflow says what that one is for. */
const named = (text: string, own: string, entries: readonly About[]): string | undefined =>
  entries.find(({ id }) => id !== own && text.includes(id))?.id;
