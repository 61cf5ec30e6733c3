/** The lines of a text, and the one that is read next. */
export interface PlainLines {
  readonly all: string[];
  at: number;
}

/** Below 0 where there is nothing but space. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent < line.length ? indent : -1;
}

/** Without the spaces at its end; other white space is text. */
export function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
