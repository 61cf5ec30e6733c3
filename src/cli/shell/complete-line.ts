import { own } from '../../base/own.js';
import type { Command } from './command.js';
import { findCommand } from './find-command.js';
import type { Option, OptionTable } from '../print/option-table.js';
import { preferenceOptions } from '../print/preference-options.js';

export interface Candidate {
  readonly word: string;
  readonly says: string;
}

/** What may stand where the last word stands; names of sessions and workflows are for the caller to look up. */
export type Completion =
  | { readonly candidates: readonly Candidate[] }
  | { readonly names: 'sessions' | 'workflows' | 'catalogs' | 'files' | 'folders' }
  | { readonly names: 'commands'; readonly of: string }
  | { readonly names: 'inputs'; readonly of: string; readonly typed: TypedInput; readonly given: readonly string[] };

/** An input on the line: its name, and what is typed of its value, if that has begun. */
export interface TypedInput {
  readonly name: string;
  readonly value: string | undefined;
  /** What a candidate begins with on this line. */
  readonly prefix: string;
}

/** `words` are those after the program's name; the last one is being typed, and may be empty. */
export function completeLine(words: readonly string[], table: readonly Command[]): Completion {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.length === 0) return of(firstWords(table));
  const found = findCommand(before, table);
  const seconds = before.length === 1 ? secondWords(before[0] ?? '', table) : [];
  if (!found.ok) return of(seconds);
  const { command, rest } = found.value;
  const [, glued = '', sign] = /^(--[\w-]+)(=)/u.exec(typed) ?? [];
  if (sign !== undefined) return withName(glued, optionNamed(command.options, glued));
  // Bash takes `--mode=auto` apart at its sign.
  const joined = rest.at(-1) === '=' ? rest.at(-2) : typed === '=' ? rest.at(-1) : undefined;
  const awaited = optionNamed(command.options, joined ?? rest.at(-1));
  const input = inputOf(command, rest, typed);
  if (input !== undefined) return input;
  if (awaited !== undefined && awaited.option.kind !== 'switch') return valuesOf(awaited.name, awaited.option);
  if (typed.startsWith('-')) return of(optionWords(command.options, rest));
  if (seconds.length > 0 && !typed.startsWith('-')) return of(seconds);
  return wordsOf(
    command,
    rest.find((word) => !word.startsWith('-')),
    table,
  );
}

/** What stands behind the last `--input`, which bash takes apart at its sign. */
function typedInput(before: readonly string[], typed: string): TypedInput | undefined {
  const tail = before.slice(before.lastIndexOf('--input') + 1);
  if (!before.includes('--input') || tail.length > 2) return undefined;
  const [name = '', sign] = tail;
  if (sign === '=') return { name, value: typed, prefix: '' };
  if (tail.length === 1) return typed === '=' ? { name, value: '', prefix: '=' } : undefined;
  if (tail.length > 0) return undefined;
  const [, whole = typed, value] = /^([^=]*)=(.*)$/su.exec(typed) ?? [];
  return { name: whole, value, prefix: value === undefined ? '' : `${whole}=` };
}

/** What an input of the workflow that is named on the line may be. */
function inputOf({ name }: Command, rest: readonly string[], typed: string): Completion | undefined {
  const input = name === 'start' || name === 'run' ? typedInput(rest, typed) : undefined;
  const [workflow] = rest;
  if (input === undefined || workflow === undefined || workflow.startsWith('-')) return undefined;
  return { names: 'inputs', of: workflow, typed: input, given: givenInputs(rest) };
}

/** The inputs that are on the line already, each as it would be given. */
function givenInputs(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (word !== '--input') return [];
    const [name = '', sign, value = ''] = words.slice(at + 1, at + 4);
    if (name.includes('=')) return [name];
    return sign === '=' && at + 3 < words.length ? [`${name}=${value}`] : [];
  });
}

const of = (candidates: readonly Candidate[]): Completion => ({ candidates });

function firstWords(table: readonly Command[]): readonly Candidate[] {
  const seen = new Map<string, string>();
  for (const { name, summary } of table) {
    const [first = '', second] = name.split(' ');
    if (second === undefined || !seen.has(first)) seen.set(first, summary);
  }
  return [...seen].map(([word, says]) => ({ word, says }));
}

const secondWords = (first: string, table: readonly Command[]): readonly Candidate[] =>
  table.flatMap(({ name, summary }) =>
    name.startsWith(`${first} `) ? [{ word: name.slice(first.length + 1), says: summary }] : [],
  );

function optionNamed(
  options: OptionTable,
  word: string | undefined,
): { readonly name: string; readonly option: Option } | undefined {
  if (word === undefined || !word.startsWith('-')) return undefined;
  const long = word.startsWith('--') ? word.slice(2) : undefined;
  const name =
    long ?? Object.entries(options).find(([, { short }]) => short !== undefined && word === `-${short}`)?.[0];
  const option = name === undefined ? undefined : own(options, name);
  return name === undefined || option === undefined ? undefined : { name, option };
}

/** The values of an option as one word with its name; names of things on disk are only looked up as words of their own. */
function withName(glued: string, awaited: ReturnType<typeof optionNamed>): Completion {
  const values = awaited === undefined ? of([]) : valuesOf(awaited.name, awaited.option);
  return of('names' in values ? [] : values.candidates.map(({ word, says }) => ({ word: `${glued}=${word}`, says })));
}

const optionWords = (options: OptionTable, given: readonly string[]): readonly Candidate[] =>
  Object.entries(options).flatMap(([name, { kind, says }]) =>
    kind !== 'list' && given.includes(`--${name}`) ? [] : [{ word: `--${name}`, says }],
  );

/** By what stands for the value in the help. */
function valuesOf(name: string, { value = '' }: Option): Completion {
  const preference = preferenceOptions.find((one) => one.name === name);
  if (preference !== undefined) return of(preference.values.map((word) => ({ word, says: preference.says })));
  if (name === 'session' || value === 'session') return { names: 'sessions' };
  if (value === 'catalog') return { names: 'catalogs' };
  if (value === 'folder') return { names: 'folders' };
  if (value.includes('file')) return { names: 'files' };
  return of(/^[\w-]+(?:\|[\w-]+)+$/u.test(value) ? value.split('|').map((word) => ({ word, says: name })) : []);
}

function wordsOf({ words }: Command, first: string | undefined, table: readonly Command[]): Completion {
  if (words === undefined) return of([]);
  if (words.session !== undefined || words.usage === '[session]') return { names: 'sessions' };
  if (words.name === 'workflow') return { names: 'workflows' };
  if (words.name === 'api' && first !== undefined) return { names: 'commands', of: first };
  if (words.name === 'catalog' || words.name === 'api') return { names: 'catalogs' };
  if (words.name === 'file') return { names: 'files' };
  if (words.name === 'command') return of(firstWords(table));
  return of((words.name ?? []).map((word) => ({ word, says: '' })));
}
