/**
 * Where the strings of a JSON text are: from the quote that opens one to behind the one that closes it. By hand, since a
 * pattern needs room on the stack for every letter.
 */
export function* jsonStrings(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = endOfString(text, start);
    yield { start, end };
    start = text.indexOf('"', end);
  }
}

function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}

/** Whether a string is followed by a colon, and so a key. */
export function isKeyAt(text: string, end: number): boolean {
  let at = end;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}
