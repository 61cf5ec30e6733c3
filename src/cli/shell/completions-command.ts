import { isJsonObject } from '../../base/json-value.js';
import { askForAll, look } from './ask.js';
import type { RunCommand } from './command.js';
import { type Candidate, type Completion, completeLine } from './complete-line.js';
import { completionScript, shells, wordsOfLine } from './completion-scripts.js';
import { exitCodes } from './exit-codes.js';
import { parseOptions } from './parse-options.js';
import { printable } from '../print/printable.js';
import { printUsageError } from './print-usage-error.js';
import { places } from './shared-options.js';
import { type RequestsContext, withRequests } from './with-requests.js';

/** As many names as somebody looks through. */
const mostNames = 200;

export const runCompletions: RunCommand = async (parsed, environment, table) => {
  const [wanted, ...rest] = parsed.words;
  const { out } = environment;
  if (wanted === wordsOfLine) {
    const completion = completeLine(rest, table);
    if ('candidates' in completion)
      for (const { word, says } of completion.candidates) {
        if (word.startsWith(rest.at(-1) ?? '')) out(`${word}\t${says}`);
      }
    else if (completion.names === 'files' || completion.names === 'folders') out(`:${completion.names}`);
    else await printNames(completion, rest, environment, table);
    return exitCodes.done;
  }
  const shell = shells.find((name) => name === wanted);
  if (shell === undefined || rest.length > 0)
    return printUsageError(`which shell? ${shells.join(', ')}`, 'completions', false, environment);
  out(completionScript(shell, environment.program()));
  return exitCodes.done;
};

/** Names of inputs, and behind one what its provider offers. */
async function inputCandidates(
  command: RequestsContext,
  { of: workflowId, typed: { name, value, prefix }, given }: Extract<Completion, { readonly names: 'inputs' }>,
): Promise<readonly Candidate[]> {
  if (value === undefined) {
    const inputs = (await look(command, 'inspect_workflow', { workflowId }))?.workflow['inputs'];
    return Object.entries(isJsonObject(inputs) ? inputs : {}).flatMap(([word, spec]) => {
      const says = isJsonObject(spec) && typeof spec['description'] === 'string' ? spec['description'] : '';
      return word.startsWith(name) ? [{ word: `${word}=`, says }] : [];
    });
  }
  const inputs = Object.fromEntries(
    given.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const found = await look(command, 'list_provider_values', { workflowId, input: name, inputs });
  return (found?.values ?? []).flatMap(({ value: one, label }) => {
    const word = typeof one === 'string' ? one : JSON.stringify(one);
    return word.startsWith(value) ? [{ word: `${prefix}${word}`, says: label === word ? '' : label }] : [];
  });
}

/** Of the folders that the line names; a line that is not whole yet may name none. */
async function printNames(
  wanted: Extract<Completion, { readonly names: unknown }>,
  words: readonly string[],
  environment: Parameters<RunCommand>[1],
  table: Parameters<RunCommand>[2],
): Promise<void> {
  const typed = words.at(-1) ?? '';
  const named = words.slice(0, -1).flatMap((word, index) => {
    const name = /^--(workspace|data-dir)(=|$)/u.exec(word);
    return name === null ? [] : name[2] === '=' ? [word] : [word, words[index + 1] ?? ''];
  });
  const where = parseOptions(named, places, 0);
  if (!where.ok) return;
  const print = (name: string, says: string): void => {
    if (name.startsWith(typed)) environment.out(`${printable(name)}\t${printable(says)}`);
  };
  const ask = withRequests('completions', async (command) => {
    if (wanted.names === 'workflows') {
      const pages = await askForAll(command, 'list_workflows', {});
      for (const { id, title } of pages.ok ? pages.value.flatMap(({ workflows }) => workflows) : []) print(id, title);
    } else if (wanted.names === 'catalogs') {
      const pages = await askForAll(command, 'list_catalogs', {});
      for (const { catalogId, title } of pages.ok ? pages.value.flatMap(({ catalogs }) => catalogs) : [])
        print(catalogId, title);
    } else if (wanted.names === 'inputs') {
      for (const { word, says } of await inputCandidates(command, wanted))
        environment.out(`${printable(word)}\t${printable(says)}`);
    } else if (wanted.names === 'commands') {
      const asked = { catalogId: wanted.of, begins: typed, most: mostNames };
      const found = await command.requests.people.commandNames(asked);
      for (const { name, summary } of found.ok ? found.value : []) print(name, summary);
    } else {
      const found = await command.requests.people.listSessions({ query: '', limit: mostNames, cursor: undefined });
      for (const { sessionId, about } of found.ok ? found.value.sessions : []) print(sessionId, about);
    }
    return exitCodes.done;
  });
  await ask(where.value, { ...environment, err: () => undefined }, table);
}
