/** Text as it is compared: compatibility forms and case folded. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []);
}

export function hasAllWords(wanted: ReadonlySet<string>, text: string): boolean {
  if (wanted.size === 0) return false;
  const words = wordsOf(text);
  for (const word of wanted) if (!words.has(word)) return false;
  return true;
}
