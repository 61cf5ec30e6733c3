/** `1 line`, `2 lines`; a word with another ending says it itself. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
