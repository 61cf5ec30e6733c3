import wrapAnsi from 'wrap-ansi';
import { printable } from './printable.js';
import { commandWord, type Sentence, sentenceForPeople, sentenceText, type Term } from '../../base/sentence.js';
import { optionAt } from './option-at.js';
import type { Style } from './style.js';
import type { CliEnvironment } from './cli-environment.js';

type Paint = (text: string) => string;

/** Where a command prints sentences: wrapped to a terminal, as they are anywhere else. Nothing of a session reaches the terminal raw. */
export interface Page {
  readonly style: Style;
  say(text: string, paint?: Paint): void;
  /** A lead in the left column, and a text that hangs beside it. */
  item(lead: string, text: string, paint?: Paint): void;
  gap(): void;
  /** A command of ours to copy, from the words after the program's name: it runs as it stands, and is never broken inside a word. */
  command(lead: string, words: readonly string[]): void;
  /** A line for the shell that is no command of ours. */
  shell(lead: string, line: string): void;
  /** A command of ours inside a text. */
  readonly inline: (words: readonly string[]) => string;
  /** A sentence of an answer, with commands and options in it. */
  words(sentence: Sentence): string;
}

const narrowest = 40;
/** A text hangs beside its lead up to there; a longer lead would leave it no room. */
const longestHang = 32;
const shortHang = 6;
const asIs: Paint = (text) => text;

/** `given` are the options of this call: those that say where things are, every command of ours that is shown needs as well. */
export function openPage(
  environment: CliEnvironment,
  { to = 'out', given }: { readonly to?: 'out' | 'err'; readonly given?: Given | undefined } = {},
): Page {
  const whole = (words: readonly string[]): readonly string[] =>
    [...environment.program(), ...words, ...givenAgain(given)].map(commandWord);
  const inline = (words: readonly string[]): string => whole(words).join(' ');
  const term = (part: Term): string =>
    'command' in part ? inline(part.command) : 'field' in part ? optionAt(part.field) : part.people;
  const { style, stdoutIsTerminal, stderrIsTerminal, columns } = environment;
  const terminal = to === 'out' ? stdoutIsTerminal : stderrIsTerminal;
  const writeLine = to === 'out' ? environment.out : environment.err;
  const width = Math.max(narrowest, columns);
  const fit = (text: string, room: number): readonly string[] =>
    terminal ? wrapAnsi(text, Math.max(narrowest / 2, room)).split('\n') : [text];

  /** As `fit`, with so much of the first line taken already. */
  const fitAfter = (taken: number, text: string, room: number): readonly string[] => {
    const [first = '', ...rest] = fit('_'.repeat(taken) + text, room);
    return [first.slice(taken), ...rest];
  };
  let begun = false;
  let gap = false;
  /** Gaps are written before what follows them, so that none is doubled and none stands at an end. */
  const write = (line: string): void => {
    if (gap && begun) writeLine('');
    gap = false;
    begun = true;
    writeLine(line);
  };

  /** What follows a break stands below the first word after the indent and the bullet. */
  const lines = (text: string): readonly string[] =>
    printable(text, 'lines')
      .split('\n')
      .flatMap((line) => {
        const lead = /^\s*(?:[-*|] |\d{1,3}\. )?/u.exec(line)?.[0] ?? '';
        return fit(line.slice(lead.length), width - lead.length).map(
          (piece, index) => (index === 0 ? lead : ' '.repeat(lead.length)) + piece,
        );
      });

  return {
    style,
    say: (text, paint = asIs) => {
      for (const line of lines(text)) write(line === '' ? '' : paint(line));
    },
    item: (lead, text, paint = asIs) => {
      const shown = printable(lead);
      const hang = shown.length <= longestHang ? shown.length : shortHang;
      const indent = ' '.repeat(hang);
      const pieces = printable(text, 'lines')
        .split('\n')
        .flatMap((line, index) =>
          index === 0 ? fitAfter(shown.length - hang, line, width - hang) : fit(line, width - hang),
        );
      pieces.forEach((piece, index) => write(`${index === 0 ? paint(shown) : indent}${piece}`.trimEnd()));
    },
    gap: () => {
      gap = true;
    },
    command: (lead, words) => {
      for (const line of commandLines(
        whole(words).map((word) => printable(word)),
        terminal ? width - lead.length : Number.POSITIVE_INFINITY,
      ).map((piece, index) => (index === 0 ? lead : ' '.repeat(lead.length)) + piece))
        write(line);
    },
    shell: (lead, line) => write(printable(`${lead}${line}`)),
    inline,
    words: (sentence) => sentenceText(sentenceForPeople(sentence), term),
  };
}

/** An option and its value stay together; a line that goes on ends as the shell wants it. */
function commandLines(words: readonly string[], room: number): readonly string[] {
  const pieces: string[] = [];
  for (const word of words) {
    const last = pieces.at(-1);
    if (last?.startsWith('--') === true && !last.includes(' ') && !word.startsWith('--'))
      pieces[pieces.length - 1] = `${last} ${word}`;
    else pieces.push(word);
  }
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + piece.length + 3 <= room) lines[lines.length - 1] = `${last} ${piece}`;
    else lines.push(lines.length === 0 ? piece : `  ${piece}`);
  }
  return lines.map((line, index) => (index === lines.length - 1 ? line : `${line} \\`));
}

interface Given {
  readonly text: (name: string) => string | undefined;
}

/** The options that say where things are, as they were given. */
export function givenAgain(given: Given | undefined): readonly string[] {
  return ['workspace', 'data-dir'].flatMap((name) => {
    const value = given?.text(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
}
