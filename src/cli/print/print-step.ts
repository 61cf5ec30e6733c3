import type { JsonObject } from '../../base/json-value.js';
import type { Preferences } from '../../base/preferences.js';
import type { ExpectedKey, Expects, PendingStep } from '../../contract/answer.js';
import type { Page } from './page.js';

const shortSchema = 600;

/** The step to do now, for a person: the author's words, and what to hand back as options of the command. */
export function printStep(page: Page, pending: PendingStep, number: number, preferences: Preferences): void {
  const { role, guidance, prompt, title, path, stepId, functions, references, delegates } = pending;
  const { style } = page;
  page.say(`Step ${number}: ${title}${path === stepId ? '' : ` (${path})`}`, style.bold);
  page.gap();
  if (role !== undefined) {
    page.say(role);
    page.gap();
  }
  for (const line of guidance) page.item('- ', line);
  if (guidance.length > 0) page.gap();
  page.say(prompt.trimEnd());
  page.gap();
  if (functions !== undefined)
    printListed(
      page,
      'Functions',
      functions.map(({ name, params, text }) => `${name}(${params.join(', ')}): ${text}`),
    );
  for (const { title: piece, goal, text } of delegates ?? []) {
    page.say(`Apart from the others: ${piece}`, style.bold);
    page.say(`Goal: ${goal}`);
    page.say(text.trimEnd());
    page.gap();
  }
  if (references !== undefined)
    printListed(
      page,
      'References',
      references.map(
        ({ title: name, path: file, purpose, authoritative }) =>
          `${name}: ${file}${authoritative ? ' (authoritative)' : ''}${purpose === undefined ? '' : `, ${purpose}`}`,
      ),
    );
  printExpected(page, pending.expects, preferences);
}

export function printListed(page: Page, lead: string, lines: readonly string[]): void {
  page.say(lead, page.style.bold);
  for (const line of lines) page.item('- ', line);
  page.gap();
}

function printExpected(page: Page, expects: Expects, preferences: Preferences): void {
  const { notes, artifacts, assessments = [], context, needs, confirmation } = expects;
  page.say('Hand back', page.style.bold);
  const rules = notes.rules.length === 0 ? '' : `; they must ${notes.rules.join(', and ')}`;
  page.item(lead('--notes', notes.required), `what happened and what is next${rules}`);
  for (const artifact of artifacts) printArtifact(page, artifact);
  for (const { id, purpose, dimensions, followUps } of assessments) {
    page.item('  ', `assessment ${id}: ${purpose}`);
    for (const dimension of dimensions)
      page.item('    - ', `${dimension.id}: ${dimension.purpose} (${dimension.levels.join(', ')})`);
    for (const { level, guidance } of followUps) page.item('    - ', `where any is ${level}: ${guidance}`);
  }
  for (const key of context) page.item(lead(`--context ${key.key}=`, key.required), keyText(key));
  for (const { key, ask, satisfied, reason } of needs) {
    const secret =
      reason === 'needs_user_secret_or_token' ? ' (say that it is there; never paste the secret itself)' : '';
    page.item(lead(`--context ${key}=`, !satisfied), satisfied ? `is known already (${ask})` : `${ask}${secret}`);
  }
  if (confirmation.required)
    page.item(
      lead('--confirmed', preferences.gateHandling === 'block' && preferences.autonomy !== 'full_auto_never_stop'),
      'once you agree to this step',
    );
}

/** JSON that a line can break in, and that can still be copied. */
const spaced = (value: JsonObject): string => JSON.stringify(value, undefined, 1).replaceAll(/\n */gu, ' ');

const lead = (option: string, required: boolean): string => `  ${option}${required ? ' (required)' : ''}: `;

function printArtifact(page: Page, { kind, required, schema, example }: Expects['artifacts'][number]): void {
  page.item(lead('--artifact @file', required), `${kind}${required ? '' : ', where there is one'}; for example`);
  page.item('      ', spaced(example));
  const text = spaced(schema);
  page.item(
    '      ',
    text.length <= shortSchema
      ? `schema: ${text}`
      : 'its schema: the same command with --json, under pending.expects.artifacts',
  );
}

function keyText({ wanted, description, neededBy, example }: ExpectedKey): string {
  const decided = neededBy.filter((phrase) => !phrase.startsWith('the prompt of'));
  const shape = typeof example === 'object' ? `${wanted}, such as ${JSON.stringify(example)}` : wanted;
  return `${shape}${description === undefined ? '' : ` (${description})`}${decided.length === 0 ? '' : `; decides ${decided.join(', ')}`}`;
}
