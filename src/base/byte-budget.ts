export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The longest prefix of whole characters that fits; never half a character, never half a surrogate pair. */
export function cutToBytes(text: string, budget: number): string {
  if (byteLength(text) <= budget) return text;
  const bytes = Buffer.from(text, 'utf8');
  let end = Math.max(0, budget);
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** One line that opens a longer text: white space folded, cut with an ellipsis inside the budget. */
export function firstWords(text: string, budget: number): string {
  // A long text is not folded as a whole for the sake of its beginning, unless that is mostly white space.
  const head = text.length > 4 * budget ? folded(text.slice(0, 4 * budget)) : '';
  const line = byteLength(head) > budget ? head : folded(text);
  return byteLength(line) <= budget ? line : `${cutToBytes(line, budget - 4).trimEnd()} …`;
}

const folded = (text: string): string => (/\s\s|[^\S ]/u.test(text) ? text.replace(/\s+/gu, ' ') : text).trim();
