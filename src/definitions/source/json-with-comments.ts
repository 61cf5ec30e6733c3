/**
 * JSON with comments in it as plain JSON, each of its signs where it stood; undefined for what is not JSON even so. Commas
 * that nothing follows go with the comments.
 */
export function jsonWithComments(text: string): string | undefined {
  if (!/^\s*(?:[{[]|\/[/*])/u.test(text)) return undefined;
  const places = notJson(text);
  if (places === undefined || places.length === 0) return undefined;
  let done = 0;
  let bare = '';
  for (const [from, to] of places) {
    bare += text.slice(done, from) + text.slice(from, to).replaceAll(/[^\n\r]/gu, (sign) => ' '.repeat(sign.length));
    done = to;
  }
  bare += text.slice(done);
  try {
    JSON.parse(bare);
    return bare;
  } catch {
    return undefined;
  }
}

/** Where comments stand and commas that nothing follows; undefined where a text or a comment never ends. */
function notJson(text: string): readonly (readonly [from: number, to: number])[] | undefined {
  const found: (readonly [number, number])[] = [];
  let comma: number | undefined;
  for (let at = 0; at < text.length;) {
    const end = endOfToken(text, at);
    if (end === undefined) return undefined;
    if (text[at] === '/') found.push([at, end]);
    else if (/\S/u.test(text[at]!)) {
      if (comma !== undefined && (text[at] === '}' || text[at] === ']')) found.push([comma, comma + 1]);
      comma = text[at] === ',' ? at : undefined;
    }
    at = end;
  }
  return found.toSorted(([a], [b]) => a - b);
}

function endOfToken(text: string, at: number): number | undefined {
  if (text[at] === '"') return endOfText(text, at);
  if (text[at] !== '/') return at + 1;
  if (text[at + 1] === '/') return text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
  const end = text[at + 1] === '*' ? text.indexOf('*/', at + 2) : -1;
  return end < 0 ? undefined : end + 2;
}

function endOfText(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length && text[at] !== '\n'; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
  }
  return undefined;
}
