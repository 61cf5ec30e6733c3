import { firstWords } from '../../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { Preferences } from '../../base/preferences.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { own } from '../../base/own.js';
import type { NextCall } from '../../base/rejection.js';
import { stepNumber } from '../../base/step-number.js';
import type { ExpectedKey, Expects, PendingStep } from '../../contract/answer.js';
import { type Reader, said, type Telling, type Told } from '../telling.js';

const exampleShown = 240;
const optionalShown = 240;
const decisionsTold = 2;

/** Where a step stands among the others, and what of it has been told already. */
export interface Standing {
  readonly number: number;
  readonly about: number | undefined;
  /** The same step in the first round: only what differs from it is told, and where the rest is to be seen. */
  readonly earlier?: { readonly pending: PendingStep; readonly whole: NextCall } | undefined;
}

/** The step to do now: the author's words first, then what to hand back. */
export function tellPending(
  pending: PendingStep,
  standing: Standing,
  preferences: Preferences,
  reader: Reader,
): Telling {
  const { title, path, stepId } = pending;
  const { number, about, earlier } = standing;
  const heading: Told = {
    kind: 'heading',
    marks: '## ',
    text: `${stepNumber(number, about)}: ${title}${path === stepId ? '' : ` (${path})`}`,
  };
  const wanted = tellExpected(pending.expects, preferences, reader);
  if (earlier === undefined)
    return [
      [heading],
      ...tellAuthored(pending, reader),
      section(
        wantedBack[reader],
        wanted.flatMap(({ lines }) => lines),
      ),
    ];
  const fresh = unlike(tellAuthored(pending, reader, paragraphs), authoredBefore[reader](earlier.pending));
  return [
    [heading],
    ...fresh,
    section(wantedBack[reader], unlikeWanted(wanted, tellExpected(earlier.pending.expects, preferences, reader))),
    [
      wholeStep(
        `${fresh.length === 0 ? 'All' : 'All else'} as at ${earlier.pending.path}; the whole step: `,
        earlier,
        reader,
      ),
    ],
  ];
}

/** An agent has the token of it in the same answer. */
const wholeStep = (lead: string, { whole }: NonNullable<Standing['earlier']>, reader: Reader): Told =>
  reader === 'agent' ? said(`${lead}${whole.tool} with the stateToken alone.`) : { kind: 'call', lead, call: whole };

const wantedBack: { readonly [reader in Reader]: string } = { agent: 'Hand back', person: 'Expected output' };

const section = (text: string, lines: readonly Told[]): readonly Told[] =>
  lines.length === 0 ? [] : [{ kind: 'heading', text }, ...lines];

function tellAuthored(
  pending: PendingStep,
  reader: Reader,
  pieces = (text: string): readonly string[] => [text],
): Telling {
  const { role, guidance, prompt, functions = [], references = [], delegates = [] } = pending;
  const items = (lines: readonly string[]): readonly Told[] =>
    lines.map((text) => ({ kind: 'item', lead: '- ', text }));
  return [
    role === undefined ? [] : [said(role)],
    items(guidance),
    ...pieces(prompt.trimEnd()).map((text) => [said(text)]),
    section('Functions', items(functions.map(({ name, params, text }) => `${name}(${params.join(', ')}): ${text}`))),
    ...tellDelegates(delegates, reader),
    section('References', items(references.map(referenceText))),
  ];
}

/** A text with a fence in it is one piece: half a fence would swallow what follows. So are words that end in a colon, and what they lead to. */
const paragraphs = (text: string): readonly string[] =>
  /^\s*(?:```|~~~)/mu.test(text) ? [text] : text.split(/(?<!:)\n{2,}/u);

/** What was told of one round is asked for in the next. */
const authoredFor = (reader: Reader): ((earlier: PendingStep) => ReadonlySet<string>) =>
  oncePerObject((earlier) => new Set(tellAuthored(earlier, reader, paragraphs).map((block) => JSON.stringify(block))));
const authoredBefore = { agent: authoredFor('agent'), person: authoredFor('person') } satisfies Record<Reader, unknown>;

/** Whole blocks: a list without the entries that were there before would be taken for the whole list. */
const unlike = (now: Telling, before: ReadonlySet<string>): Telling =>
  now.filter((block) => block.length > 0 && !before.has(JSON.stringify(block)));

function unlikeWanted(now: readonly Wanted[], before: readonly Wanted[]): readonly Told[] {
  const known = new Set(before.map(({ lines }) => JSON.stringify(lines)));
  const fresh = now.filter(({ lines }) => !known.has(JSON.stringify(lines)));
  const names = now.filter((one) => !fresh.includes(one)).map(({ name }) => name);
  return [
    ...fresh.flatMap(({ lines }) => lines),
    ...(names.length === 0 ? [] : [{ kind: 'item', lead: '- ', text: `as before: ${names.join(', ')}` } as const]),
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

/** One thing to hand back: how it is called, and what is told of it. */
interface Wanted {
  readonly name: string;
  readonly lines: readonly Told[];
}

function tellExpected(expects: Expects, preferences: Preferences, reader: Reader): readonly Wanted[] {
  const { notes, artifacts, assessments = [], context, needs, confirmation } = expects;
  const never = preferences.autonomy === 'full_auto_never_stop';
  const rules = notes.rules.length === 0 ? '' : `; they must ${notes.rules.join(', and ')}`;
  return [
    {
      name: `output.notesMarkdown${notes.rules.length === 0 ? '' : ` (must ${notes.rules.join(', and ')})`}`,
      lines: [
        {
          kind: 'wanted',
          pointer: '/output/notesMarkdown',
          how: notes.required ? ' (required)' : '',
          text: `what happened and what is next, ten lines or fewer${rules}`,
        },
      ],
    },
    ...artifacts.map((artifact): Wanted => {
      const assessment =
        artifact.kind === 'wr.assessment'
          ? assessments.find(({ id }) => id === artifact.example['assessmentId'])
          : undefined;
      return assessment === undefined
        ? { name: `output.artifacts (${artifact.kind})`, lines: tellArtifact(artifact) }
        : { name: `${artifact.kind} “${assessment.id}”`, lines: tellAssessment(assessment, artifact) };
    }),
    ...context.map((key): Wanted => {
      const need = needs.find((one) => one.key === key.key);
      return need === undefined
        ? { name: `context.${key.key}${key.required ? '' : ' (where known)'}`, lines: [tellKey(key)] }
        : { name: `context.${key.key}`, lines: [tellNeed(need, never, reader, key)] };
    }),
    ...needs
      .filter(({ key }) => !context.some((one) => one.key === key))
      .map((need): Wanted => ({ name: `context.${need.key}`, lines: [tellNeed(need, never, reader)] })),
    ...(confirmation.required
      ? [{ name: 'confirmed', lines: [tellConfirmation(confirmation, preferences, never, reader)] }]
      : []),
  ];
}

type ExpectedArtifact = Expects['artifacts'][number];
const howMuch = ({ required }: ExpectedArtifact): string => (required ? ' (required)' : ' (where there is one)');

/** By its example, which says as much as most need: the whole schema follows where one is refused. */
function tellArtifact(artifact: ExpectedArtifact): readonly Told[] {
  const { kind, schema, example } = artifact;
  const further = optionalFields(schema, example).join(', ');
  return [
    {
      kind: 'wanted',
      pointer: '/output/artifacts',
      how: '',
      text: `${kind}${howMuch(artifact)}, for example `,
      json: undecided(schema, example) as JsonObject,
    },
    ...(further === ''
      ? []
      : [{ kind: 'item', lead: '  ', text: `it may also hold ${firstWords(further, optionalShown)}` } as const]),
  ];
}

const choicesOf = (schema: JsonObject): readonly string[] =>
  Array.isArray(schema['enum'])
    ? (schema['enum'] as readonly JsonValue[]).filter((one) => typeof one === 'string')
    : [];

const part = (schema: JsonObject | undefined, name: 'properties' | 'items'): JsonObject | undefined => {
  const value = schema?.[name];
  return value !== undefined && isJsonObject(value) ? value : undefined;
};
const propertyOf = (schema: JsonObject | undefined, name: string): JsonObject | undefined => {
  const property = own(part(schema, 'properties') ?? {}, name);
  return property !== undefined && isJsonObject(property) ? property : undefined;
};

/** The example of an artifact, with its verdicts left open: an example that stops a loop or passes a gate would be taken at its word. */
function undecided(schema: JsonObject | undefined, example: JsonValue): JsonValue {
  if (Array.isArray(example)) return example.map((one: JsonValue) => undecided(part(schema, 'items'), one));
  if (isJsonObject(example)) {
    const fields = Object.entries(example).map(([name, value]): readonly [string, JsonValue, JsonValue] => [
      name,
      value,
      undecided(propertyOf(schema, name), value),
    ]);
    const isOpen = fields.some(([, value, left]) => typeof value === 'string' && left !== value);
    // The reason for one verdict is none for another; one that is chosen among some is open already.
    const isWords = (name: string, value: JsonValue, left: JsonValue): boolean =>
      name === 'reason' && typeof value === 'string' && left === value;
    return Object.fromEntries(
      fields.map(([name, value, left]) => [name, isOpen && isWords(name, value, left) ? '…' : left]),
    );
  }
  const choices = schema === undefined ? [] : choicesOf(schema);
  return choices.length > 1 && typeof example === 'string' ? choices.join(' | ') : example;
}

/** What the example does not show. */
function optionalFields(schema: JsonObject, example: JsonValue, at = ''): readonly string[] {
  if (Array.isArray(example)) {
    const items = part(schema, 'items');
    const first = (example as readonly JsonValue[])[0];
    return items === undefined || first === undefined ? [] : optionalFields(items, first, `${at}[]`);
  }
  const properties = part(schema, 'properties');
  if (properties === undefined || !isJsonObject(example)) return [];
  return Object.keys(properties).flatMap((name): readonly string[] => {
    const property = propertyOf(schema, name);
    const inner = at === '' ? name : `${at}.${name}`;
    const value = own(example, name);
    if (value !== undefined) return property === undefined ? [] : optionalFields(property, value, inner);
    const choices = property === undefined ? [] : choicesOf(property);
    return [choices.length === 0 ? inner : `${inner} (${choices.join(' | ')})`];
  });
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
    ...(followUps.length > 0 ? ['what came of that goes into `followedUp`, beside `dimensions`'] : []),
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

const tellKey = (key: ExpectedKey): Told => ({
  kind: 'wanted',
  pointer: `/context/${key.key}`,
  how: key.required ? ' (required)' : ' (where known)',
  text: wantedText(key),
});

function wantedText({ wanted, description, neededBy, example }: ExpectedKey): string {
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
  return `${what}${about}${why}`;
}

/** What a right value is stands beside the question that it answers. */
function tellNeed(
  { key, ask, satisfied, reason }: Expects['needs'][number],
  never: boolean,
  reader: Reader,
  answer?: ExpectedKey,
): Told {
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
    text: `${ask}${secret} ${never ? `If ${asked}, go on and disclose it (${reason}).` : `Only ${user} can give it (${reason}).`}${answer === undefined ? '' : ` The answer is ${wantedText(answer)}.`}`,
  };
}

function tellConfirmation(
  { where }: Expects['confirmation'],
  { gateHandling }: Preferences,
  never: boolean,
  reader: Reader,
): Told {
  const asked = !never && gateHandling !== 'risk_signal';
  const agreed =
    reader === 'agent' ? `true, ${asked ? 'once' : 'where'} the user has agreed` : 'once you agree to this step';
  return {
    kind: 'wanted',
    pointer: '/confirmed',
    how: asked ? ` (required${where === undefined ? '' : ` where ${where}`})` : '',
    text: asked ? agreed : `${agreed}; without it the step goes on and says so`,
  };
}
