import { byteLength } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { Preferences } from '../base/preferences.js';
import { own } from '../base/own.js';
import type { ExpectedKey, Expects, PendingStep } from '../contract/answer.js';
import { type Reader, said, type Telling, type Told } from './telling.js';

const schemaShown = 2048;
const exampleShown = 240;
const decisionsTold = 2;

/** The step to do now: the author's words first, then what to hand back. */
export function tellPending(pending: PendingStep, number: number, preferences: Preferences, reader: Reader): Telling {
  const { role, guidance, prompt, title, path, stepId, functions = [], references = [], delegates = [] } = pending;
  const items = (lines: readonly string[]): readonly Told[] =>
    lines.map((text) => ({ kind: 'item', lead: '- ', text }));
  const section = (text: string, lines: readonly Told[]): readonly Told[] =>
    lines.length === 0 ? [] : [{ kind: 'heading', text }, ...lines];
  return [
    [{ kind: 'heading', marks: '## ', text: `Step ${number}: ${title}${path === stepId ? '' : ` (${path})`}` }],
    role === undefined ? [] : [said(role)],
    items(guidance),
    [said(prompt.trimEnd())],
    section('Functions', items(functions.map(({ name, params, text }) => `${name}(${params.join(', ')}): ${text}`))),
    ...tellDelegates(delegates, reader),
    section('References', items(references.map(referenceText))),
    section('Hand back', tellExpected(pending.expects, preferences, reader)),
  ];
}

function tellDelegates(delegates: NonNullable<PendingStep['delegates']>, reader: Reader): Telling {
  if (delegates.length === 0) return [];
  const how =
    reader === 'agent'
      ? ': give each, with all that it is told here, to a sub-agent of its own where you can, else do them one after the other'
      : '';
  return [
    [said(`These pieces do not depend on each other${how}.`)],
    ...delegates.map(({ title, goal, text }): readonly Told[] => [
      { kind: 'heading', marks: '### ', text: title },
      said(`Goal: ${goal}\n\n${text}`.trimEnd()),
    ]),
  ];
}

function referenceText({
  title,
  path,
  purpose,
  authoritative,
}: NonNullable<PendingStep['references']>[number]): string {
  return `${title}: ${path}${authoritative ? ' (authoritative)' : ''}${purpose === undefined ? '' : `, ${purpose}`}`;
}

function tellExpected(expects: Expects, preferences: Preferences, reader: Reader): readonly Told[] {
  const { notes, artifacts, assessments = [], context, needs, confirmation } = expects;
  const never = preferences.autonomy === 'full_auto_never_stop';
  const rules = notes.rules.length === 0 ? '' : `; they must ${notes.rules.join(', and ')}`;
  return [
    {
      kind: 'wanted',
      pointer: '/output/notesMarkdown',
      how: notes.required ? ' (required)' : '',
      text: `what happened and what is next, ten lines or fewer${rules}`,
    },
    ...artifacts.flatMap((artifact) => {
      const assessment =
        artifact.kind === 'wr.assessment'
          ? assessments.find(({ id }) => id === artifact.example['assessmentId'])
          : undefined;
      return assessment === undefined ? tellArtifact(artifact, reader) : tellAssessment(assessment, artifact);
    }),
    ...context.map(tellKey),
    ...needs.map((need) => tellNeed(need, never, reader)),
    ...(confirmation.required ? [tellConfirmation(preferences, never, reader)] : []),
  ];
}

type ExpectedArtifact = Expects['artifacts'][number];
const howMuch = ({ required }: ExpectedArtifact): string => (required ? ' (required)' : ' (where there is one)');

function tellArtifact(artifact: ExpectedArtifact, reader: Reader): readonly Told[] {
  const { kind, schema, example } = artifact;
  const isShown = byteLength(JSON.stringify(schema)) <= schemaShown;
  const elsewhere =
    reader === 'agent'
      ? 'its schema is in inspect_workflow with mode "preview"'
      : 'its schema: the same command with --json, under pending.expects.artifacts';
  return [
    {
      kind: 'wanted',
      pointer: '/output/artifacts',
      how: '',
      text: `${kind}${howMuch(artifact)}, for example `,
      json: undecided(schema, example),
    },
    isShown
      ? { kind: 'item', lead: '  ', text: 'schema: ', json: schema }
      : { kind: 'item', lead: '  ', text: elsewhere },
  ];
}

/** The example of an artifact, with its verdicts left open: an example that stops a loop or passes a gate would be taken at its word. */
function undecided(schema: JsonObject, example: JsonObject): JsonObject {
  const properties = isJsonObject(schema['properties'] ?? null) ? (schema['properties'] as JsonObject) : {};
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const property = own(properties, name);
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
    const value = own(judged, id);
    return [
      id,
      value !== undefined && isJsonObject(value) ? { ...value, level: levels.join(' | ') } : levels.join(' | '),
    ];
  });
  return { ...example, dimensions: Object.fromEntries(open) };
}

/** Its dimensions in words, which say all that its schema does. */
function tellAssessment(
  { id, purpose, dimensions, followUps }: NonNullable<Expects['assessments']>[number],
  artifact: ExpectedArtifact,
): readonly Told[] {
  const lines = [
    ...dimensions.map(
      (dimension) =>
        `${dimension.id}${dimension.required === false ? ' (may be left out)' : ''}: ${dimension.purpose} (${dimension.levels.join(', ')})`,
    ),
    ...followUps.map(({ level, guidance }) => `where any is ${level}: ${guidance}`),
  ];
  return [
    {
      kind: 'wanted',
      pointer: '/output/artifacts',
      how: '',
      text: `${artifact.kind} “${id}”${howMuch(artifact)}: ${/[.?!]$/u.test(purpose) ? purpose : `${purpose}.`} For example `,
      json: unjudged(dimensions, artifact.example),
    },
    ...lines.map((text): Told => ({ kind: 'item', lead: '  - ', text })),
  ];
}

function tellKey({ key, wanted, description, neededBy, required, example }: ExpectedKey): Told {
  const about = description === undefined ? '' : ` (${description})`;
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
  return {
    kind: 'wanted',
    pointer: `/context/${key}`,
    how: required ? ' (required)' : ' (where known)',
    text: `${what}${about}${why}`,
  };
}

function tellNeed({ key, ask, satisfied, reason }: Expects['needs'][number], never: boolean, reader: Reader): Told {
  if (satisfied)
    return {
      kind: 'item',
      lead: '- ',
      text: `${reader === 'agent' ? 'context.' : ''}${key} is known already (${ask})`,
    };
  const secret =
    reason === 'needs_user_secret_or_token' ? ' (say that it is there; never paste the secret itself)' : '';
  const [user, asked] = reader === 'agent' ? ['the user', 'the user cannot be asked'] : ['you', 'it cannot be given'];
  return {
    kind: 'wanted',
    pointer: `/context/${key}`,
    how: never ? '' : ' (required)',
    text: `${ask}${secret} ${never ? `If ${asked}, go on and disclose it (${reason}).` : `Only ${user} can give it (${reason}).`}`,
  };
}

function tellConfirmation({ gateHandling }: Preferences, never: boolean, reader: Reader): Told {
  const asked = !never && gateHandling !== 'risk_signal';
  const agreed =
    reader === 'agent' ? `true, ${asked ? 'once' : 'where'} the user has agreed` : 'once you agree to this step';
  return {
    kind: 'wanted',
    pointer: '/confirmed',
    how: asked ? ' (required)' : '',
    text: asked ? agreed : `${agreed}; without it the step goes on and says so`,
  };
}
