import { byteLength } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import type { ExpectedKey, Expects, PendingStep } from '../contract/answer.js';

const schemaShown = 2048;
const decisionsTold = 2;

/** The step to do now, as an agent reads it: the author's words first, then what to hand back. */
export function stepText(pending: PendingStep, number: number, preferences: Preferences): string {
  const { role, guidance, prompt, title, path, stepId, functions, references, delegates } = pending;
  const where = path === stepId ? '' : ` (${path})`;
  const parts = [`## Step ${number}: ${title}${where}`];
  if (role !== undefined) parts.push(role);
  if (guidance.length > 0) parts.push(guidance.map((line) => `- ${line}`).join('\n'));
  parts.push(prompt.trimEnd());
  if (functions !== undefined)
    parts.push(
      ['Functions', ...functions.map(({ name, params, text }) => `- ${name}(${params.join(', ')}): ${text}`)].join(
        '\n',
      ),
    );
  if (delegates !== undefined) parts.push(...delegateTexts(delegates));
  if (references !== undefined) parts.push(['References', ...references.map(referenceLine)].join('\n'));
  parts.push(['Hand back', ...handBack(pending.expects, preferences)].join('\n'));
  return parts.join('\n\n');
}

function delegateTexts(delegates: NonNullable<PendingStep['delegates']>): readonly string[] {
  const lead =
    'These pieces do not depend on each other: give each, with all that it is told here, to a sub-agent of its own where you can, else do them one after the other.';
  return [lead, ...delegates.map(({ title, goal, text }) => `### ${title}\nGoal: ${goal}\n\n${text}`.trimEnd())];
}

function referenceLine({
  title,
  path,
  purpose,
  authoritative,
}: NonNullable<PendingStep['references']>[number]): string {
  return `- ${title}: ${path}${authoritative ? ' (authoritative)' : ''}${purpose === undefined ? '' : `, ${purpose}`}`;
}

function handBack(expects: Expects, preferences: Preferences): readonly string[] {
  const never = preferences.autonomy === 'full_auto_never_stop';
  return [
    notesLine(expects),
    ...expects.artifacts.flatMap((artifact) => {
      const assessment =
        artifact.kind === 'wr.assessment'
          ? expects.assessments?.find(({ id }) => id === artifact.example['assessmentId'])
          : undefined;
      return assessment === undefined ? [artifactLine(artifact)] : assessmentLines(assessment, artifact);
    }),
    ...expects.context.map(contextLine),
    ...expects.needs.map(({ key, ask, satisfied, reason }) =>
      satisfied
        ? `- context.${key} is known already (${ask})`
        : `- context.${key}${never ? '' : ' (required)'}: ${ask}${reason === 'needs_user_secret_or_token' ? ' (say that it is there; never paste the secret itself)' : ''} ${never ? `If the user cannot be asked, go on and disclose it (${reason}).` : `Only the user can give it (${reason}).`}`,
    ),
    ...(expects.confirmation.required ? [confirmationLine(preferences, never)] : []),
  ];
}

function notesLine({ notes }: Expects): string {
  const rules = notes.rules.length === 0 ? '' : `; they must ${notes.rules.join(', and ')}`;
  return `- output.notesMarkdown${notes.required ? ' (required)' : ''}: what happened and what is next, ten lines or fewer${rules}`;
}

function artifactLine({ kind, required, schema, example }: Expects['artifacts'][number]): string {
  const text = JSON.stringify(schema);
  const shown =
    byteLength(text) <= schemaShown
      ? `\n  schema: ${text}`
      : '\n  its schema is in inspect_workflow with mode "preview"';
  return `- output.artifacts: ${kind}${required ? ' (required)' : ' (where there is one)'}, for example ${JSON.stringify(undecided(schema, example))}${shown}`;
}

/** The example of an artifact, with its verdicts left open: an example that stops a loop or passes a gate would be taken at its word. */
function undecided(schema: JsonObject, example: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties'] ?? null) ? (schema['properties'] as JsonObject) : {};
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const choices =
        property !== undefined && isJsonObject(property) && Array.isArray(property['enum'])
          ? (property['enum'] as readonly JsonValue[]).filter((choice) => typeof choice === 'string')
          : [];
      return [name, choices.length > 1 && typeof value === 'string' ? choices.join(' | ') : value];
    }),
  );
}

/** The example of an assessment names the levels and picks none. */
function unjudged(
  dimensions: NonNullable<Expects['assessments']>[number]['dimensions'],
  { dimensions: judged, ...example }: JsonObject,
): JsonObject {
  if (judged === undefined || !isJsonObject(judged)) return example;
  const open = dimensions.map(({ id, levels }): [string, JsonValue] => {
    const value = judged[id];
    return [
      id,
      value !== undefined && isJsonObject(value) ? { ...value, level: levels.join(' | ') } : levels.join(' | '),
    ];
  });
  return { ...example, dimensions: Object.fromEntries(open) };
}

/** Its dimensions in words, which say all that its schema does. */
function assessmentLines(
  { id, purpose, dimensions, followUps }: NonNullable<Expects['assessments']>[number],
  { kind, required, example }: Expects['artifacts'][number],
): readonly string[] {
  return [
    `- output.artifacts: ${kind} “${id}”${required ? ' (required)' : ' (where there is one)'}: ${/[.?!]$/u.test(purpose) ? purpose : `${purpose}.`} For example ${JSON.stringify(unjudged(dimensions, example))}`,
    ...dimensions.map(
      (dimension) =>
        `  - ${dimension.id}${dimension.required === false ? ' (may be left out)' : ''}: ${dimension.purpose} (${dimension.levels.join(', ')})`,
    ),
    ...followUps.map(({ level, guidance }) => `  - where any is ${level}: ${guidance}`),
  ];
}

const exampleShown = 240;

function contextLine({ key, wanted, description, neededBy, required, example }: ExpectedKey): string {
  const said = description === undefined ? '' : ` (${description})`;
  // That a later prompt quotes it decides nothing.
  const decided = neededBy.filter((phrase) => !phrase.startsWith('the prompt of'));
  const more = decided.length - decisionsTold;
  const why =
    decided.length === 0
      ? ''
      : `; decides ${decided.slice(0, decisionsTold).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  // What a list or object looks like is hard to say in words.
  const text = typeof example === 'object' ? JSON.stringify(example) : '';
  const shown = text.length > 5 && text.length <= exampleShown;
  // What the example shows as well is not said.
  const kind = shown
    ? wanted
        .replace(/^any value$/u, Array.isArray(example) ? 'a list' : 'an object')
        .replace(/, each element (?:an object|any value|a list|text)$/u, '')
    : wanted;
  const what = shown ? `${kind}${kind.includes(',') ? ',' : ''} such as ${text}` : wanted;
  return `- context.${key}${required ? ' (required)' : ' (where known)'}: ${what}${said}${why}`;
}

function confirmationLine({ gateHandling }: Preferences, never: boolean): string {
  if (never || gateHandling === 'risk_signal')
    return '- confirmed: true, where the user has agreed; without it the step goes on and says so';
  return '- confirmed (required): true, once the user has agreed';
}
