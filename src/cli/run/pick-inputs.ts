import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { ResolvedInput } from '../../contract/author-answers.js';
import type { ChoiceTold } from '../../contract/tools/catalog-answers.js';
import { openPage, type Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { look } from '../shell/ask.js';
import { type Lines, linesOf } from '../shell/lines-of.js';
import type { RequestsContext } from '../shell/with-requests.js';

const mostShown = 10;

/**
 * Asks a person at a terminal for the inputs that are missing, where a provider offers any of them: they choose from what
 * there is. An empty answer leaves the rest to be refused as usual.
 */
export async function pickInputs(command: RequestsContext, workflowId: string, given: JsonObject): Promise<JsonObject> {
  const { environment, json } = command;
  if (json || !environment.stdinIsTerminal || !environment.stdoutIsTerminal) return given;
  const all = await inputsOf(command, workflowId);
  const isOffered = ([name, spec]: readonly [string, JsonValue]): boolean =>
    isJsonObject(spec) && spec['provider'] !== undefined && own(given, name) === undefined;
  if (!Object.entries(all).some(isOffered)) return given;
  const lines = linesOf(environment);
  try {
    return await askInputs(command, workflowId, given, lines, all);
  } finally {
    lines.close();
  }
}

/** Asks for whatever is missing, with choices or without. */
export async function askInputs(
  command: RequestsContext,
  workflowId: string,
  given: JsonObject,
  lines: Lines,
  known?: JsonObject,
): Promise<JsonObject> {
  const all = known ?? (await inputsOf(command, workflowId));
  const page = openPage(command.environment, { to: 'err', given: command.parsed });
  const ask = (words: string): Promise<string> => lines.ask(words);
  let inputs = given;
  for (let left = Object.keys(all).length; left > 0; left -= 1) {
    const resolved = await look(command, 'resolve_inputs', { workflowId, inputs });
    const open = resolved?.inputs.find(({ outcome }) => outcome === 'prompt');
    if (open === undefined) break;
    const asking = { command, workflowId, inputs, page, ask };
    const spec = own(all, open.name);
    const value =
      open.choices === undefined ? await typed(asking, open, spec) : await chosen(asking, open, open.choices);
    if (value === undefined) break;
    inputs = { ...inputs, [open.name]: value };
  }
  return inputs;
}

async function inputsOf(command: RequestsContext, workflowId: string): Promise<JsonObject> {
  const specs = (await look(command, 'inspect_workflow', { workflowId }))?.workflow['inputs'];
  return isJsonObject(specs) ? specs : {};
}

interface Asking {
  readonly command: RequestsContext;
  readonly workflowId: string;
  readonly inputs: JsonObject;
  readonly page: Page;
  readonly ask: (words: string) => Promise<string>;
}

/** What has no choices, or none just now, is typed. */
async function typed(
  { page, ask }: Asking,
  { name, reason }: ResolvedInput,
  spec: JsonValue | undefined,
): Promise<JsonValue | undefined> {
  if (reason !== undefined) page.say(printable(reason));
  const words = await ask(`${printable(name)}: `);
  if (words === '') return undefined;
  const isText = !isJsonObject(spec) || spec['type'] === undefined || spec['type'] === 'string';
  return isText ? words : parsed(words);
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Chosen by number or by name; other words search. */
async function chosen(
  asking: Asking,
  { name, reason, choicesTotal }: ResolvedInput,
  offered: readonly ChoiceTold[],
): Promise<JsonValue | undefined> {
  const { command, workflowId, inputs, page, ask } = asking;
  if (reason !== undefined) page.say(printable(reason));
  let shown = offered;
  let total = choicesTotal;
  for (;;) {
    print(page, shown, total);
    const words = await ask(`${printable(name)} (a number, words to search for, or =value): `);
    if (words === '') return undefined;
    if (words.startsWith('=')) return words.slice(1);
    const byNumber = /^\d{1,3}$/u.test(words) ? shown[Number(words) - 1] : undefined;
    const found = byNumber ?? shown.find(({ value, label }) => value === words || label === words);
    if (found !== undefined) return found.value;
    const searched = await look(command, 'list_provider_values', { workflowId, input: name, inputs, query: words });
    const exact = searched?.values.find(({ value, label }) => value === words || label === words);
    if (exact !== undefined) return exact.value;
    if (searched === undefined || searched.values.length === 0)
      page.say(`Nothing has “${printable(words)}”. To use it as it is: =${printable(words)}`);
    else [shown, total] = [searched.values.slice(0, mostShown), searched.total];
  }
}

function print(page: Page, choices: readonly ChoiceTold[], total: number | undefined): void {
  choices.forEach(({ value, label }, at) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    page.item(`  ${String(at + 1).padStart(2)}  `, label === text ? text : `${text}  ${label}`);
  });
  if (total === undefined || total > choices.length)
    page.say(`  ${choices.length} of ${total ?? 'many'}; type words to search`);
}
