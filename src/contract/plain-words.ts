/** A text in Markdown as one line of words: without headings, marks of emphasis and code, fences and bullets; links by their text. */
export function plainWords(markdown: string): string {
  return markdown
    .replaceAll(/^[ \t]*(?:`{3,}|~{3,}).*$/gmu, ' ')
    .replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+|>[ \t]?|\d{1,9}[.)][ \t]+)+/gmu, '')
    .replaceAll(/!?\[([^\][]*)\]\([^()\s]*\)/gu, '$1')
    .replaceAll(/(\*\*|__|`+)(?=\S)(.+?)(?<=\S)\1/gu, '$2')
    .replaceAll(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_]+)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** As much of a text as there is room for, up to the end of a word. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = cut.lastIndexOf(' ');
  return `${(end > most / 2 ? cut.slice(0, end) : cut).trimEnd()} …`;
}

/** A quote out of structured output for people: `{"claim":"late rows"}` as `claim: late rows`; other text as it is. */
export function withoutJson(quote: string): string {
  if (!/"[^"\\]{1,60}":(?=\S)/u.test(quote)) return quote;
  return quote
    .replaceAll(/\\(?:n|r|t)/gu, ' ')
    .replaceAll(/(?<=^|[{,[\s])"([^"\\]{1,60})":(?=\S)/gu, ' $1: ')
    .replaceAll(/(?<!\\)["{}[\]]/gu, ' ')
    .replaceAll('\\"', '"')
    .replaceAll(/\s+([,.;])/gu, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
