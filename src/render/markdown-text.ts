import { visibleText, visibleTitle } from './visible-text.js';

/** How the ends of lines in a text are written, and whether it begins a line of the page. */
export interface Place {
  readonly newline: string;
  readonly begins: boolean;
}

/** Text as text, wherever it stands. */
export function markdownText(text: string, { newline, begins }: Place = { newline: ' ', begins: false }): string {
  return visibleText(text)
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').trim())
    .filter((line) => line !== '')
    .map((line, index) =>
      begins || (index > 0 && newline !== ' ') ? harmlessStart(escapeLine(line)) : escapeLine(line),
    )
    .join(newline);
}

const address = /(https?:\/\/[\w.~:/?#@!$&'()*+,;=%-]*[\w/=~-])/giu;

/** An address stands between marks of its own; left to itself it would take in what follows it, escapes and all. */
const escapeLine = (line: string): string =>
  line
    .split(address)
    .map((piece, index) => (index % 2 === 1 ? `<${piece}>` : escapeWords(piece)))
    .join('');

/** A bracket alone is no link: there is one only where something follows its end. */
const escapeWords = (words: string): string =>
  words
    .replaceAll(
      /[\\`*~|]|<(?=[a-z/!?])|\](?=[([:])|\[(?=\^)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|#(?=#*$)/giu,
      String.raw`\$&`,
    )
    .replaceAll(/(?<=https?|ftp|mailto|xmpp):|(?<=www)\.|(?<=[\w.+-])@(?=\w)/giu, String.raw`\$&`);

/** What would begin a list, a task, a heading, a quote or a line under a heading. */
const harmlessStart = (line: string): string =>
  line.replace(/^[-+=>#[]/u, String.raw`\$&`).replace(/^(\d+)(?=[.)])/u, '$1\\');

/** Text exactly as it is, on one line. */
export function codeSpan(text: string): string {
  const shown = visibleTitle(text);
  if (shown === '') return '';
  const ticks = '`'.repeat(longestRun(shown, '`') + 1);
  const room = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${room}${shown}${room}${ticks}`;
}

/** Text exactly as it is, in a block that nothing in it can close. */
export function fence(text: string, language = ''): readonly string[] {
  const marks = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
  return [`${marks}${language}`, ...visibleText(text).split('\n'), marks];
}

function longestRun(text: string, character: string): number {
  let [longest, run] = [0, 0];
  for (const one of text) {
    run = one === character ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
