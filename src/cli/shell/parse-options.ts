import { parseArgs } from 'node:util';
import { closestName } from '../../base/closest-name.js';
import { err, ok, type Result } from '../../base/result.js';
import { commandWord } from '../../base/sentence.js';
import { own } from '../../base/own.js';
import type { Option, OptionTable } from '../print/option-table.js';

export interface ParsedOptions {
  readonly words: readonly string[];
  readonly has: (name: string) => boolean;
  readonly text: (name: string) => string | undefined;
  readonly list: (name: string) => readonly string[];
}

/** Reads a command's arguments by its table; what is wrong is said in words that name what may have been meant. */
export function parseOptions(
  args: readonly string[],
  table: OptionTable,
  mostWords: number,
  session?: 'first',
): Result<ParsedOptions, string> {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(table).map(([name, { kind, short }]) => [
        name,
        { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
      ]),
    ),
  });
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const option = own(table, token.name);
    if (option === undefined) return err(unknownOption(token.rawName, token.name, table));
    const wrong = wrongValue(token.rawName, option, token.value, token.inlineValue === true);
    if (wrong !== undefined) return err(wrong);
    if (option.kind === 'text' && given.has(token.name)) return err(`${token.rawName} is given twice`);
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? '']);
  }
  // One way for all commands: what a word may name, --session may.
  if (session === 'first') words.unshift(...(given.get('session') ?? []));
  const extra = words[mostWords];
  if (extra !== undefined) return err(unexpectedWord(extra, table));
  return ok({
    words,
    has: (name) => given.has(name),
    text: (name) => given.get(name)?.[0],
    list: (name) => given.get(name) ?? [],
  });
}

/** `task=…` without its option is what the page of a workflow, or another tool, made somebody type. */
function unexpectedWord(word: string, table: OptionTable): string {
  const option = /^[^\s=]+=/u.test(word) ? ['input', 'context'].find((name) => Object.hasOwn(table, name)) : undefined;
  const said = `unexpected argument ${JSON.stringify(word)}`;
  return option === undefined ? said : `${said}; did you mean --${option} ${commandWord(word)}?`;
}

function wrongValue(
  shown: string,
  { kind, value }: Option,
  given: string | undefined,
  inline: boolean,
): string | undefined {
  if (kind === 'switch') return given === undefined ? undefined : `${shown} takes no value`;
  // `--workspace --json`: the next option is no value; one that looks like it is written with `=`. Notes begin with bullets.
  const missing = given === undefined || given === '' || (!inline && /^--?[A-Za-z][\w-]*(?:=|$)/u.test(given));
  return missing ? `${shown} needs a value: ${shown} <${value ?? 'value'}>` : undefined;
}

function unknownOption(shown: string, name: string, table: OptionTable): string {
  const names = Object.keys(table);
  const closest = closestName(name, names);
  if (closest !== undefined) return `unknown option ${shown}; did you mean --${closest}?`;
  return `unknown option ${shown}; ${names.length === 0 ? 'this command takes none' : `the options are ${names.map((known) => `--${known}`).join(', ')}`}`;
}
