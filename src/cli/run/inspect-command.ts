import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { recommendedWords } from '../../base/mode-words.js';
import { plural } from '../../base/plural.js';
import { usageWords } from '../../base/usage.js';
import type { InspectAnswer } from '../../contract/answer.js';
import type { WorkflowUsage } from '../../contract/workflow-answers.js';
import { previewText } from '../../contract/preview-text.js';
import { askForAll } from '../shell/ask.js';
import type { Requests } from '../../requests/requests.js';
import { withRequests } from '../shell/with-requests.js';
import { openPage, type Page } from '../print/page.js';
import { printCall } from '../print/print-telling.js';
import { printViolation } from '../print/print-violation.js';
import { schemaWords } from '../print/schema-words.js';

export const runInspect = withRequests('inspect', async (command) => {
  const { parsed, misused, environment, tell } = command;
  const [workflowId] = parsed.words;
  if (workflowId === undefined) return misused('which workflow? `workrail list` shows them');
  if (parsed.has('preview') && parsed.has('source')) return misused('pass --preview or --source, not both');
  const mode = parsed.has('preview') ? 'preview' : parsed.has('source') ? 'source' : 'metadata';
  const pages = await askForAll(command, 'inspect_workflow', { workflowId, mode });
  if (!pages.ok) return pages.error;
  const whole = wholeOf(pages.value);
  const used = mode === 'metadata' ? await usedBy(command.requests, text(whole.workflow['id'])) : undefined;
  return tell({ ...whole, ...(used !== undefined && { used }) }, (page, answer) => {
    // As it stands, so that it can be the beginning of another file.
    if (answer.source !== undefined)
      openPage({ ...environment, stdoutIsTerminal: false }).say(answer.source.replace(/\n$/u, ''));
    else printInspected(page, answer, mode);
  });
});

/** Undefined where none of its runs told, or where sessions are still being read. */
async function usedBy({ people }: Requests, id: string): Promise<WorkflowUsage | undefined> {
  const told = await people.browseWorkflows({ query: id });
  return told.ok ? told.value.used?.find(({ workflowId }) => workflowId === id) : undefined;
}

/** What the workflow is stands on the first page; the pages after it go on with the steps, the source or the findings. */
function wholeOf(pages: readonly InspectAnswer[]): InspectAnswer {
  const { workflow, steps: first, source: text, nextCall } = pages[0]!;
  return {
    workflow,
    nextCall,
    violations: pages.flatMap(({ violations }) => violations),
    warnings: pages.flatMap(({ warnings }) => warnings),
    ...(first !== undefined && { steps: pages.flatMap(({ steps = [] }) => steps) }),
    ...(text !== undefined && { source: pages.map(({ source = '' }) => source).join('') }),
  };
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const texts = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter((item) => typeof item === 'string') : [];

function printInspected(
  page: Page,
  { workflow, steps, violations, warnings, nextCall, used }: InspectAnswer & { readonly used?: WorkflowUsage },
  mode: string,
): void {
  const { style } = page;
  const file = text(workflow['file']);
  page.say(
    `${text(workflow['id'])}${workflow['title'] === undefined ? '' : `: ${text(workflow['title'])}`}`,
    style.bold,
  );
  if (text(workflow['description']) !== '') page.say(text(workflow['description']));
  page.gap();
  for (const field of ['kind', 'version', 'hash', 'source', 'file', 'suggestedId'] as const)
    if (workflow[field] !== undefined) page.item(`${field}: `, text(workflow[field]));
  if (used !== undefined) page.item('used: ', `${usageWords(used.usage)} (${plural(used.runs, 'run')})`);
  if (texts(workflow['tags']).length > 0) page.item('tags: ', texts(workflow['tags']).join(', '));
  if (isJsonObject(workflow['recommends'])) {
    const named = Object.entries(workflow['recommends']).map(([field, value]) => `${field} ${text(value)}`);
    page.item('recommended autonomy: ', named.join(', '));
    for (const line of recommendedWords(workflow['recommends'])) page.item('  ', line, style.dim);
  }
  if (texts(workflow['contextKeys']).length > 0) page.item('context keys: ', texts(workflow['contextKeys']).join(', '));
  printInputs(page, workflow['inputs']);
  for (const [field, lead] of [
    ['guidance', 'Guidance for every step'],
    ['preconditions', 'Preconditions'],
    ['clarify', 'Clarify first'],
  ] as const) {
    if (texts(workflow[field]).length === 0) continue;
    page.say(lead, style.bold);
    for (const line of texts(workflow[field])) page.item('- ', line);
  }
  if (violations.length > 0) page.say(`Cannot be started: ${plural(violations.length, 'violation')}`, style.bad);
  for (const violation of [...violations, ...warnings]) printViolation(page, file, violation);
  for (const step of steps ?? []) printPreview(page, step);
  page.gap();
  if (mode === 'metadata' && violations.length === 0)
    page.command('Every step: ', ['inspect', text(workflow['id']), '--preview']);
  printCall(page, 'Next: ', nextCall);
}

function printInputs(page: Page, inputs: JsonValue | undefined): void {
  if (!isJsonObject(inputs)) return;
  page.say('Inputs', page.style.bold);
  for (const [name, spec] of Object.entries(inputs)) {
    if (!isJsonObject(spec)) continue;
    const standard = spec['default'] === undefined ? '' : `, ${JSON.stringify(spec['default'])} unless given`;
    const said = text(spec['description']);
    page.item(
      `  --input ${name}=${spec['required'] === true ? ' (required)' : ''}: `,
      `${text(spec['wanted'])}${standard}${said === '' ? '' : ` (${said})`}`,
    );
  }
}

function printPreview(page: Page, step: JsonObject): void {
  const [named = '', ...rest] = previewText(step, (schema) => schemaWords(schema, '    ')).split('\n');
  page.gap();
  page.say(named.replace(/^- /u, ''), page.style.bold);
  for (const line of rest) page.say(line);
}
