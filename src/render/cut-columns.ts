const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;

/** By columns, where a character of the East and a picture take two. Near enough for a page; a terminal knows better. */
export function cutColumns(text: string, room: number): string {
  const characters = [...text];
  let used = 0;
  for (const [index, character] of characters.entries()) {
    used += wide.test(character) ? 2 : 1;
    if (used > room) return `${characters.slice(0, Math.max(0, index - 1)).join('')}…`;
  }
  return text;
}
