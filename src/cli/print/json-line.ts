/** JSON in which nothing steers or reorders a terminal: what JSON itself lets stand as it is becomes an escape. The value is the same. */
export function jsonLine(value: unknown): string {
  return harmlessJson(JSON.stringify(value));
}

/** The same for text that is JSON already. */
export function harmlessJson(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
