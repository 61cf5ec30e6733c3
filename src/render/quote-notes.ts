import { isTooCostly } from './too-costly-markdown.js';
import { fence } from './markdown-text.js';
import { type MarkdownToken, parseMarkdown } from './parse-markdown.js';
import { visibleText } from './visible-text.js';

const rounds = 8;
/** Headings in notes stand below every heading of ours. */
const topHeading = 5;

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/**
 * What somebody wrote in Markdown, quoted so that it stays within its quote: it makes no heading of the page, passes no
 * HTML, loads no image, leads nowhere but to an address, and defines nothing for the rest of the page.
 */
export function quoteNotes(markdown: string): readonly string[] {
  const shown = visibleText(markdown).replaceAll('\t', '    ').trimEnd();
  if (!isTooCostly(shown)) {
    let quoted = quote(shown.split('\n'));
    for (let round = 0; round < rounds; round += 1) {
      const edits = editsOf(quoted);
      quoted = apply(quoted, edits);
      // A heading that sinks stays a heading, and nothing else is read in another way for it.
      if (edits.every(({ by }) => /^#+$/u.test(by))) return quoted.split('\n');
    }
  }
  return quote(fence(shown)).split('\n');
}

const quote = (lines: readonly string[]): string =>
  lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');

/** Sure signs that a text has nothing to be changed; most notes are so. */
const plain = (quoted: string): boolean => !/[<&]|!\[|\]:|\]\(|\]\[|^[> \d.)*+-]*(?:#|=|-+\s*$)/mu.test(quoted);

function editsOf(quoted: string): readonly Edit[] {
  if (plain(quoted)) return [];
  const tokens = parseMarkdown(quoted);
  const found = tokens.flatMap((token, index) => editsFor(token, tokens.slice(index + 1, index + 12), quoted));
  found.sort((a, b) => a.from - b.from || a.to - b.to);
  return found.filter(({ from }, index) => index === 0 || from >= (found[index - 1]?.to ?? 0));
}

function editsFor(
  { type, start: { offset: from }, end: { offset: to } }: MarkdownToken,
  next: readonly MarkdownToken[],
  quoted: string,
): readonly Edit[] {
  const slice = quoted.slice(from, to);
  switch (type) {
    case 'htmlFlow':
    case 'htmlText':
      // A backslash would not do: an address that stands before it takes it in.
      return [...slice.matchAll(/</gu)].map(({ index }) => replaceAt(from + index, '&lt;'));
    case 'data':
      // What one reader takes for text, another takes for a tag: an unquoted value with a slash, for one.
      return [...slice.matchAll(/<(?=[a-z/!?])/giu)].map(({ index }) => replaceAt(from + index, '&lt;'));
    case 'autolink':
      return /^<(?:https?:\/\/|mailto:|[^:]*@)/iu.test(slice) ? [] : [replaceAt(from, '&lt;')];
    case 'image':
      return [escapeAt(from)];
    case 'definition':
    case 'gfmFootnoteDefinition':
      return [escapeAt(from + Math.max(0, slice.indexOf('[')))];
    case 'resourceDestinationString':
      return isHarmless(slice) ? [] : [escapeAt(opening(quoted, from))];
    case 'characterReference':
      return isKnownReference(slice) ? [] : [replaceAt(from, '&amp;')];
    case 'atxHeading': {
      const sequence = next.find((token) => token.type === 'atxHeadingSequence');
      const rank = sequence === undefined ? topHeading : sequence.end.offset - sequence.start.offset;
      if (sequence === undefined || rank >= topHeading) return [];
      const by = '#'.repeat(Math.min(6, rank + topHeading - 1));
      return [{ from: sequence.start.offset, to: sequence.end.offset, by }];
    }
    case 'setextHeading':
      return settleSetext(quoted, from, to);
    default:
      return [];
  }
}

/** A heading of one line becomes a low one; of several lines, an ordinary paragraph. */
function settleSetext(quoted: string, from: number, to: number): readonly Edit[] {
  const lines = quoted.slice(from, to).split('\n');
  const underline = lines.at(-1) ?? '';
  const sequence = underline.trimEnd().match(/(?:=+|-+)$/u)?.[0] ?? '';
  const start = to - underline.length + underline.trimEnd().length - sequence.length;
  if (lines.length > 2) return [escapeAt(start)];
  return [
    { from, to: from, by: `${'#'.repeat(topHeading)} ` },
    { from: start, to: start + sequence.length, by: '' },
  ];
}

const escapeAt = (at: number): Edit => ({ from: at, to: at, by: '\\' });

const replaceAt = (at: number, by: string): Edit => ({ from: at, to: at + 1, by });

/** The `](` before a destination: with it gone, there is no link. */
const opening = (quoted: string, destination: number): number => Math.max(0, quoted.lastIndexOf('](', destination));

/** An address, or a path; never anything that a scheme or an escape could turn into more. */
const isHarmless = (destination: string): boolean =>
  /^(?:https?:\/\/|mailto:)/iu.test(destination) ||
  /^[^:&\\]*(?:[/?#]|$)/u.test(destination.split(/(?<=[/?#])/u)[0] ?? '');

const knownNames = new Set(
  'amp lt gt quot apos nbsp copy reg deg times mdash ndash hellip larr rarr uarr darr le ge ne eacute auml ouml uuml szlig'.split(
    ' ',
  ),
);

/** References can spell characters that nobody sees. */
function isKnownReference(reference: string): boolean {
  const [, hex, decimal, name] = /^&(?:#x([\da-f]+)|#(\d+)|(\w+));$/iu.exec(reference) ?? [];
  if (name !== undefined) return knownNames.has(name);
  const value = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  if (!(value >= 0x20 && value <= 0x10_ff_ff)) return false;
  const character = String.fromCodePoint(value);
  return visibleText(character) === character;
}

function apply(quoted: string, edits: readonly Edit[]): string {
  let at = 0;
  let edited = '';
  for (const { from, to, by } of edits) {
    edited += quoted.slice(at, from) + by;
    at = to;
  }
  return edited + quoted.slice(at);
}

/** Notes on a page of their own are told as far as this. */
const longestBeginning = 900;

/** How notes begin: whole paragraphs where there are some, and no block of code without its end. */
export function shortNotes(markdown: string): { readonly shown: string; readonly isCut: boolean } {
  const notes = markdown.trim();
  if (notes.length <= longestBeginning) return { shown: notes, isCut: false };
  const begun = notes.slice(0, longestBeginning);
  const paragraphs = begun.slice(0, Math.max(0, begun.lastIndexOf('\n\n')));
  const fences = [...paragraphs.matchAll(/^ {0,3}(?:```|~~~)/gmu)];
  const open = fences.length % 2 === 1 ? fences.at(-1)?.index : undefined;
  const whole = paragraphs.slice(0, open).trim();
  if (whole !== '') return { shown: whole, isCut: true };
  // Halves of a character that two make up are no text.
  const words = begun.slice(0, Math.max(begun.lastIndexOf(' '), longestBeginning / 2)).replace(/[\uD800-\uDBFF]$/u, '');
  return { shown: `${words.replaceAll(/^ {0,3}(?:```|~~~).*$/gmu, '').trim()} …`, isCut: true };
}
