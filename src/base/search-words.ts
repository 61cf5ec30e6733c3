/** Text as it is compared: compatibility forms and case folded. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Scripts that write words without spaces between them: they are compared by single letters and pairs. */
export const unspacedRuns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;

/** Most text: its letters fold one by one, and its words stand apart. */
const plain = /^\p{ASCII}*$/u;
export const isPlain = (text: string): boolean => plain.test(text);

export function wordsOf(text: string): ReadonlySet<string> {
  if (isPlain(text)) return new Set(text.toLowerCase().match(/[a-z0-9]+/gu));
  const words = new Set<string>();
  for (const word of foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) {
    for (const spaced of word.split(unspacedRuns)) if (spaced !== '') words.add(spaced);
    for (const run of word.match(unspacedRuns) ?? []) {
      const letters = Array.from(run);
      for (const [index, letter] of letters.entries()) {
        words.add(letter);
        const next = letters[index + 1];
        if (next !== undefined) words.add(letter + next);
      }
    }
  }
  return words;
}

/** A word, and the same in the other number as far as an `s` makes that: people say giraffes where a note says giraffe. */
export function formsOf(word: string): readonly string[] {
  if (!/^[a-z]{3,}$/u.test(word) || word.endsWith('ss')) return [word];
  return [word, word.endsWith('s') ? word.slice(0, -1) : `${word}s`];
}

export function hasAllWords(wanted: ReadonlySet<string>, text: string): boolean {
  if (wanted.size === 0) return false;
  const words = wordsOf(text);
  for (const word of wanted) if (!words.has(word)) return false;
  return true;
}
