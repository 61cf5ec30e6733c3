import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';
import { afterwards, bodyOf, type FindFile, objectsIn, routineOf, textIn, topLevel } from './workrail-naive.js';

/** A text that an author wrote into a file of the WorkRail JSON format, and where an agent must meet it. */
export interface Authored {
  /** The steps in whose answers it must stand, by their ids; absent: the first answer of a run. */
  readonly steps?: readonly string[] | 'every';
  /** It is told where all of these hold, and only there. */
  readonly when: readonly JsonValue[];
  readonly field: string;
  readonly text: string;
}

const contractKinds: { readonly [ref: string]: string } = Object.fromEntries(
  [
    'loop_control',
    'assessment',
    'coordinator_signal',
    'review_verdict',
    'discovery_handoff',
    'shaping_handoff',
    'coding_handoff',
    'gate_verdict',
    'differentiation_handoff',
  ].map((name) => [`wr.contracts.${name}`, `wr.${name}`]),
);

/** Read from the file itself, and from nothing that a reader of it has made. */
export function authoredTexts(file: JsonObject, find: FindFile): readonly Authored[] {
  const found: Authored[] = [];
  const say = (field: string, value: JsonValue | undefined, besides: Partial<Authored> = {}): void => {
    for (const text of textsIn(value)) found.push({ when: [], field, text, ...besides });
  };
  for (const field of ['name', 'description', 'metaGuidance', 'tips', 'preconditions', 'clarificationPrompts'])
    say(field, file[field]);
  for (const reference of objectsIn(file['references']))
    for (const field of ['title', 'source', 'purpose'])
      say(`references.${field}`, reference[field], { steps: 'every' });
  const owners = new Map<string, Set<JsonObject>>();
  for (const step of topLevel(file)) found.push(...ofStep(step, { file, prefix: '', find, called: [], owners }));
  // Of two steps with one id, one is called otherwise in a run, and what is whose cannot be told from outside.
  return found.filter(({ steps = [] }) => steps === 'every' || !steps.some((id) => (owners.get(id)?.size ?? 0) > 1));
}

interface Around {
  readonly file: JsonObject;
  readonly prefix: string;
  readonly find: FindFile;
  readonly called: readonly JsonValue[];
  /** Which steps of the file an id stands for. */
  readonly owners: Map<string, Set<JsonObject>>;
}

/** The ids of the steps that an agent meets in place of one that is written. */
function stops(step: JsonObject, around: Around): readonly string[] {
  const id = around.prefix + textIn(step['id']);
  const routine = routineOf(step['templateCall'], around.find);
  if (routine)
    return topLevel(routine).flatMap((inner) => stops(inner, { ...around, file: routine, prefix: `${id}.` }));
  return step['type'] === 'loop' ? bodyOf(step, around.file).flatMap((inner) => stops(inner, around)) : [id];
}

function ofStep(step: JsonObject, around: Around): readonly Authored[] {
  const { file, prefix, find, called, owners } = around;
  const found: Authored[] = [];
  const id = prefix + textIn(step['id']);
  owners.set(id, (owners.get(id) ?? new Set()).add(step));
  const here = stops(step, around);
  const say = (field: string, value: JsonValue | undefined, besides: Partial<Authored> = {}): void => {
    for (const text of textsIn(value)) found.push({ steps: here, when: [], field, text, ...besides });
  };
  const routine = routineOf(step['templateCall'], find);
  const isOuter = step['type'] === 'loop' || routine !== undefined;
  // What is said once of several steps is met at the first or the last of them, whichever of those run.
  for (const field of ['title', 'guidance', 'agentRole'])
    if (!(isOuter && field === 'agentRole')) say(field, step[field]);
  say('prompt', step['prompt']);
  sayBlocks(step['promptBlocks'], say);
  sayUnknown(step, say);
  if (!isOuter) sayParts(step, { file, id, find, called }, say);
  for (const inner of step['type'] === 'loop' ? bodyOf(step, file) : []) found.push(...ofStep(inner, around));
  if (routine && !called.includes(routine)) {
    for (const field of ['metaGuidance', 'preconditions', 'clarificationPrompts'])
      say(`routine ${field}`, routine[field]);
    for (const inner of topLevel(routine))
      found.push(...ofStep(inner, { file: routine, prefix: `${id}.`, find, called: [...called, routine], owners }));
  }
  for (const key of afterwards) {
    const after = step[key];
    if (after === undefined || after === false || after === true) continue;
    const value = isJsonObject(after) ? [after['title'] ?? null, after['prompt'] ?? null] : after;
    say(key, value, { steps: [`${id}__${key}`] });
  }
  return found;
}

/** What the format has for a step; what stands under another key is read by the agent all the same. */
const fieldsOfSteps = new Set(
  'id title name description type prompt promptBlocks templateCall agentRole guidance requireConfirmation runCondition outputContract notesOptional validationCriteria promptFragments '
    .concat(
      'assessmentRefs assessmentConsequences functionReferences functionDefinitions parallelDelegations verification audit synthesis expectedOutput askForFiles functionCalls modelTier loop body steps hasValidation metricsProfile',
    )
    .split(' '),
);

function sayUnknown(step: JsonObject, say: Say): void {
  for (const [key, value] of Object.entries(step)) if (!fieldsOfSteps.has(key)) say(key, wordsOf(value));
}

const wordsOf = (value: JsonValue): readonly JsonValue[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value as JsonObject).flatMap(wordsOf)
      : [];

type Say = (field: string, value: JsonValue | undefined, besides?: Partial<Authored>) => void;

function sayBlocks(blocks: JsonValue | undefined, say: Say): void {
  if (!isJsonObject(blocks ?? null)) return;
  for (const [section, value] of Object.entries(blocks as JsonObject)) {
    const pieces =
      isJsonObject(value) && section === 'outputRequired'
        ? Object.entries(value).flatMap(([key, item]) => [key, item])
        : [value];
    for (const piece of pieces) for (const text of blockTexts(piece)) say(`promptBlocks.${section}`, text);
  }
}

/** Texts, lists of them, and pieces of kind text; what a ref stands for is not the author's. */
function blockTexts(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(blockTexts);
  if (isJsonObject(value)) return 'refId' in value ? [] : textsIn(value['text']);
  return textsIn(value);
}

interface Placed {
  readonly file: JsonObject;
  readonly id: string;
  readonly find: FindFile;
  readonly called: readonly JsonValue[];
}

function sayParts(step: JsonObject, placed: Placed, say: Say): void {
  const { file } = placed;
  for (const { text, when } of objectsIn(step['promptFragments'])) say('promptFragments', text, { when: given(when) });
  const functions = [...objectsIn(file['functionDefinitions']), ...objectsIn(step['functionDefinitions'])];
  const referred = textsIn(step['functionReferences']).map((name) => name.replace(/\(.*$/su, ''));
  for (const { name, definition } of functions)
    if (referred.includes(textIn(name))) say('functionReferences', present(name, definition));
  sayCriteria(step['validationCriteria'], say);
  const { requireConfirmation: confirmation } = step;
  const asked = isJsonObject(confirmation ?? null) ? (confirmation as JsonObject) : undefined;
  if (confirmation === true || asked)
    say('requireConfirmation', 'confirmed', {
      when: given(asked?.['kind'] === undefined && asked?.['condition'] === undefined ? asked : asked['condition']),
    });
  for (const { contractRef } of objectsIn(step['outputContract']))
    say('outputContract', contractKinds[textIn(contractRef)]);
  say('expectedOutput', step['expectedOutput']);
  sayAssessments(step, file, say);
  for (const delegation of objectsIn(step['parallelDelegations'])) sayDelegation(delegation, placed, say);
}

function sayAssessments(step: JsonObject, file: JsonObject, say: Say): void {
  const refs = textsIn(step['assessmentRefs']);
  for (const { id, purpose, dimensions } of objectsIn(file['assessments']).filter((one) =>
    refs.includes(textIn(one['id'])),
  )) {
    say('assessments', present(id, purpose));
    for (const dimension of objectsIn(dimensions))
      say('assessments.dimensions', present(dimension['id'], dimension['purpose'], dimension['levels']));
  }
  for (const { when, effect } of objectsIn(step['assessmentConsequences']))
    say('assessmentConsequences', present((when as JsonObject)['anyEqualsLevel'], (effect as JsonObject)['guidance']));
}

function sayDelegation(delegation: JsonObject, { id, find, called }: Placed, say: Say): void {
  const when = given(delegation['runCondition']);
  const args = delegation['args'];
  say(
    'parallelDelegations',
    present(
      delegation['goal'],
      delegation['allowedTools'],
      isJsonObject(args ?? null) ? Object.values(args as JsonObject) : undefined,
    ),
    { when },
  );
  const routine = find(textIn(delegation['workflowId']));
  if (!routine || called.includes(routine)) return;
  // What steers a run is no business of somebody who has no part in it.
  const told = topLevel(routine).flatMap((one) =>
    ofStep(one, { file: routine, prefix: '', find: () => undefined, called: [...called, routine], owners: new Map() }),
  );
  for (const inner of told)
    if (!['requireConfirmation', 'outputContract', 'title'].includes(inner.field))
      say(`parallelDelegations, ${inner.field}`, inner.text, { steps: [id], when });
}

const present = (...values: readonly (JsonValue | undefined)[]): readonly JsonValue[] =>
  values.filter((value) => value !== undefined);

const given = (condition: JsonValue | undefined): readonly JsonValue[] => (condition === undefined ? [] : [condition]);

function sayCriteria(criteria: JsonValue | undefined, say: Say): void {
  if (Array.isArray(criteria)) for (const one of criteria as readonly JsonValue[]) sayCriteria(one, say);
  else if (typeof criteria === 'string') say('validationCriteria', criteria);
  else if (isJsonObject(criteria ?? null)) {
    const { value, message, min, max, and, or, not } = criteria as JsonObject;
    say('validationCriteria', present(value, message, min, max));
    for (const inner of [and, or, not]) sayCriteria(inner, say);
  }
}

/** Texts of a field: one, a list of them, or whatever else can be told as text. */
function textsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(textsIn);
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** What stands between the holes of a text, as it is found in an answer: without regard to how its lines are broken. */
function literalPieces(text: string): readonly string[] {
  return text
    .replaceAll(
      /\{\{\s*[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*(?:\s[+*-]\s\w+)*\s*\}\}|(?<![{$])\{[A-Za-z_][\w-]*\}(?!\})/gu,
      '\u0000',
    )
    .split('\u0000')
    .flatMap((piece) => piece.split('\n'))
    .map(withoutBreaks)
    .filter((piece) => piece !== '');
}

export const withoutBreaks = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** Where a text is missing in an answer, as JSON or as it is: undefined where it is all there. */
export function missingPiece(text: string, answer: string): string | undefined {
  return literalPieces(text).find(
    (piece) => !answer.includes(piece) && !answer.includes(JSON.stringify(piece).slice(1, -1)),
  );
}

/** Whether each of the steps tells it; what several are told once, whichever of them comes first tells. */
export function toldToEach({ steps = [], field }: Authored): boolean {
  return steps === 'every' || steps.length <= 1 || ['title', 'guidance', 'routine metaGuidance'].includes(field);
}
