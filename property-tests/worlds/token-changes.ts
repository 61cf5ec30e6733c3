const printable = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCodePoint(0x20 + at));

/** Every text that is one character away from a token over printable ASCII, but for those that differ in case alone. */
export function everyChange(token: string): readonly string[] {
  const folded = token.toLowerCase();
  const changed = new Set<string>();
  for (let at = 0; at <= token.length; at += 1) {
    const [before, here, after] = [token.slice(0, at), token[at], token.slice(at + 1)];
    for (const letter of printable) {
      changed.add(before + letter + token.slice(at));
      if (here !== undefined) changed.add(before + letter + after);
    }
    if (here !== undefined) changed.add(before + after);
  }
  return [...changed].filter((text) => text.toLowerCase() !== folded);
}
