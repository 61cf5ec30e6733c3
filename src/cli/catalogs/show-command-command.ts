import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { plural } from '../../base/plural.js';
import type { CommandAnswer } from '../../contract/tools/catalog-answers.js';
import { repeatableWords } from '../../contract/repeatable-words.js';
import { yamlText } from '../../render/yaml-text.js';
import type { Page } from '../print/page.js';
import { schemaFields, schemaKind } from '../print/schema-words.js';
import { ask } from '../shell/ask.js';
import { exitCodes } from '../shell/exit-codes.js';
import { withRequests } from '../shell/with-requests.js';

const mostFields = 40;
const mostAnswerFields = 12;

export const runCommandsShow = withRequests('commands show', async (asked) => {
  const { parsed, misused, tell, page } = asked;
  const commandId = parsed.words.join(' ');
  if (commandId === '') return misused('which command? `workrail commands search` finds them');
  const found = await ask(asked, 'search_commands', { commandId });
  if (!found.ok) return found.error;
  if (!('command' in found.value)) throw new Error('one command was answered with a search');
  const { value } = found;
  if (parsed.has('step') && !asked.json) {
    printStep(page, value, '');
    return exitCodes.done;
  }
  return tell(value, printCommand);
});

function printCommand(page: Page, told: CommandAnswer): void {
  const { command, method, path, safety, repeatable, summary, description, baseUrl, provider } = told;
  page.say(command, page.style.bold);
  for (const text of new Set([summary, description])) if (text.trim() !== '') page.say(text.trim());
  page.gap();
  page.item('Request    ', `${method} ${path}`);
  page.item('Address    ', baseUrl ?? 'none: set it with --base-url of catalogs configure');
  page.item('Safety     ', `${safety}, ${repeatableWords(repeatable)}`);
  printParameters(page, told);
  printBody(page, told);
  printAnswers(page, told);
  if (isJsonObject(provider ?? null)) {
    const { items, fields } = provider as JsonObject;
    const values =
      Array.isArray(fields) && fields.length > 0 ? (fields as readonly string[]).slice(0, 4).join(', ') : 'the items';
    page.gap();
    page.say(`Can offer choices for an input: ${values} of ${text(items)}.`);
  }
  page.gap();
  page.say('A step to copy:', page.style.bold);
  printStep(page, told, '  ');
  page.gap();
  page.command('Only the step: ', ['commands', 'show', command, '--step']);
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const textOfObject = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};

function printParameters(page: Page, { parameters, definitions }: CommandAnswer): void {
  const all = Object.entries(parameters).flatMap(([place, list]) => list.map((one) => ({ place, one })));
  if (all.length === 0) return;
  page.gap();
  page.say('Parameters', page.style.bold);
  const width = Math.min(28, Math.max(...all.map(({ one }) => text(one['name']).length)));
  for (const { place, one } of all) {
    const { name, required, description, schema, deprecated } = one;
    const facts = [
      place,
      schemaKind(textOfObject(schema), { definitions }),
      ...(required === true ? ['required'] : []),
      ...(deprecated === true ? ['deprecated'] : []),
    ].join(', ');
    page.item(`  ${text(name).padEnd(width)}  `, facts);
    if (text(description).trim() !== '') page.item('      ', firstLine(text(description)), page.style.dim);
  }
}

const firstLine = (said: string): string => said.trim().split('\n')[0] ?? '';

function printBody(page: Page, { body, definitions }: CommandAnswer): void {
  if (body === undefined) return;
  const contents = contentsOf(body);
  page.gap();
  page.say(
    `Body (${[...contents.map(({ type }) => type), ...(body['required'] === true ? ['required'] : [])].join(', ')})`,
    page.style.bold,
  );
  const [first] = contents;
  if (first === undefined) return;
  const fields = schemaFields(first.schema, '  ', { deepest: 3, mostLines: mostFields, definitions });
  if (fields.length === 0) page.say(`  ${schemaKind(first.schema, { definitions })}`);
  for (const line of fields) page.say(line);
}

interface Content {
  readonly type: string;
  readonly schema: JsonObject;
}

const contentsOf = ({ content }: JsonObject): readonly Content[] =>
  (Array.isArray(content) ? (content as readonly JsonValue[]) : []).map((one) => {
    const { type, schema } = textOfObject(one);
    return { type: text(type), schema: textOfObject(schema) };
  });

/** Of an answer its fields by name: a schema in full is for --json. */
function printAnswers(page: Page, { answers, definitions, leftOut = [] }: CommandAnswer): void {
  page.gap();
  page.say('Answers', page.style.bold);
  for (const answer of answers) {
    const [first] = contentsOf(answer);
    page.item(`  ${text(answer['status']).padEnd(7)}  `, firstLine(text(answer['description'])) || 'no description');
    if (first === undefined) continue;
    const isList = first.schema['type'] === 'array';
    const fields = schemaFields(isList ? textOfObject(first.schema['items']) : first.schema, '', {
      deepest: 1,
      definitions,
    });
    const names = fields.map((line) => /^- (\S+?)(?: \(required\))?:/u.exec(line)?.[1] ?? '');
    const shown = names.slice(0, mostAnswerFields).join(', ');
    const more = names.length > mostAnswerFields ? ` and ${names.length - mostAnswerFields} more` : '';
    page.item(
      '           ',
      `${first.type}: ${isList ? 'a list, each ' : ''}${shown === '' ? schemaKind(first.schema, { definitions }) : `${shown}${more}`}`,
      page.style.dim,
    );
  }
  if (leftOut.length > 0) page.say(`  ${plural(leftOut.length, 'schema')} too large to show`);
}

function printStep(page: Page, { example: { inputs, step } }: CommandAnswer, indent: string): void {
  const workflow = { ...(Object.keys(inputs).length > 0 && { inputs }), steps: [step] };
  for (const line of yamlText(workflow).split('\n')) page.shell(indent, line);
}
