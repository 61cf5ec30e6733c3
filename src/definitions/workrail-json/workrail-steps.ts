import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import type { CompiledStep, PromptStep } from '../compiled/compiled-workflow.js';
import { promptsIn } from '../compiled/visit-steps.js';
import { blocksPrompt } from './workrail-blocks.js';
import { bothHold } from './workrail-conditions.js';
import { delegatesOf } from './workrail-delegates.js';
import { withOwnFunctions } from './workrail-functions.js';
import { compileLoop, insideLoop } from './workrail-loops.js';
import { at, has, type Part, partAt, textAt, textsAt, titleAt, warnOfKeys } from './workrail-part.js';
import { mapFirstPrompts, promptFields, withFields } from './workrail-prompt-fields.js';
import { type CallerName, expandTemplate, partOf } from './workrail-routines.js';
import { conditionAt, mayGrow, type Surroundings, worded } from './workrail-surroundings.js';
import { inWords } from './workrail-texts.js';
import { isUnknownText, toldByName } from './workrail-unknown-texts.js';
import { finding, warning } from '../source/finding.js';

const stepKeys = [
  'id',
  'title',
  'description',
  'type',
  'prompt',
  'promptBlocks',
  'templateCall',
  'agentRole',
  'guidance',
  'requireConfirmation',
  'runCondition',
  'outputContract',
  'notesOptional',
  'validationCriteria',
  'promptFragments',
  'assessmentRefs',
  'assessmentConsequences',
  'functionReferences',
  'functionDefinitions',
  'parallelDelegations',
  'verification',
  'audit',
  'synthesis',
  'expectedOutput',
  'askForFiles',
  'functionCalls',
  'modelTier',
  'loop',
  'body',
  // They ask nothing of anybody: the criteria themselves say what is checked, and no metrics are taken.
  'hasValidation',
  'metricsProfile',
];
const afterwards = ['verification', 'audit', 'synthesis'] as const;

export function compileSteps(parts: readonly Part[], around: Surroundings): readonly CompiledStep[] {
  return parts.flatMap((part) => compileStep(part, around));
}

function compileStep(part: Part, around: Surroundings): readonly CompiledStep[] {
  const { draft } = around;
  draft.left.steps -= 1;
  if (draft.left.steps === -1)
    part.say(
      finding(part.path, 'limit', `the workflow has more than ${limits.steps} steps once its routines are put in`),
    );
  if (draft.left.steps < 0) return [];
  warnOfKeys(
    part,
    knownKeys(part),
    {},
    unknownTexts(part).map(([key]) => key),
  );
  const id = uniqueId(part, around);
  const condition = bothHold(around.condition, conditionAt(part, 'runCondition', around));
  const title = worded(titleAt(part, 'title', 'name') ?? inWords(id), part, 'title', around);
  const name = { id, title, ...(condition !== undefined && { if: condition }) };
  return [...compileBody(part, name, around), ...afterwards.flatMap((key) => compileAfter(part, key, name, around))];
}

const knownKeys = (part: Part): readonly string[] => [
  ...stepKeys,
  ...(isLoop(part) ? ['steps'] : []),
  ...(has(part, 'title') ? [] : ['name']),
];

/** Keys of nobody that hold what somebody meant the agent to read. */
function unknownTexts(part: Part): readonly (readonly [key: string, value: JsonValue])[] {
  const known = knownKeys(part);
  return Object.entries(part.value).flatMap(([key, value]) =>
    known.includes(key) || !isUnknownText(key, value) ? [] : [[key, value] as const],
  );
}

/** An empty call is none. */
const calls = (part: Part): boolean =>
  has(part, 'templateCall') && !['', '{}', 'false', '0'].includes(plain(part.value['templateCall']!).trim());

const isLoop = (part: Part): boolean => textAt(part, 'type') === 'loop' || has(part, 'loop');

function compileBody(part: Part, name: CallerName, around: Surroundings): readonly CompiledStep[] {
  const loops = isLoop(part);
  if (!loops && !calls(part)) return [promptStep(part, name, around)];
  const told = loops ? insideLoop(part, around) : around;
  const texts = introduction(part, name.id, told);
  const fields = promptFields(part, name.id, texts, told);
  // A loop's own condition holds for all that is inside of it; that of a call is asked of each step.
  const inside: Surroundings = { ...around, condition: loops ? undefined : name.if };
  const steps = loops
    ? [compileLoop(part, name, withOwnFunctions(part, inside), compileSteps)]
    : expandTemplate(part, name, inside, compileSteps);
  // A loop is met by what is inside of it, and nowhere else.
  const title = loops ? titleAt(part, 'title', 'name') : undefined;
  const shared =
    title === undefined
      ? fields
      : { ...fields, guidance: [partOf(worded(title, part, 'title', told)), ...fields.guidance] };
  const everywhere = [
    ...texts,
    ...shared.guidance,
    fields.role ?? '',
    ...(fields.functions ?? []).map(({ text }) => text),
  ].join('').length;
  if (!mayGrow(everywhere * promptsIn(steps).length, part, around)) return [];
  // What a loop or a call says for itself comes before the first of its steps, whichever of them that is.
  return mapFirstPrompts(withFields(steps, shared), inside.condition, (step, mayBeFirst) =>
    mayBeFirst ? { ...step, prompt: [...texts, step.prompt].join('\n\n') } : step,
  );
}

function introduction(part: Part, id: string, around: Surroundings): readonly string[] {
  const prompt = textAt(part, 'prompt') ?? '';
  const blocks = partAt(part, 'promptBlocks', { text: 'goal', list: 'procedure' });
  if (prompt.trim() !== '' && blocks) {
    const message = 'a step has a `prompt` or `promptBlocks`; here the blocks follow the prompt';
    part.say(warning([...part.path, 'promptBlocks'], 'body', message, { of: 'key' }));
  }
  return [
    ...(prompt.trim() === '' ? [] : [worded(prompt, part, 'prompt', around)]),
    ...(blocks ? [blocksPrompt(blocks, id, around)] : []),
    ...unknownTexts(part).map(([key, value]) => worded(toldByName(key, value), part, key, around)),
  ].filter((text) => text !== '');
}

function promptStep(part: Part, name: CallerName, around: Surroundings): PromptStep {
  const texts = introduction(part, name.id, around);
  const delegates = delegatesOf(part, name.id, around, compileSteps);
  const isEmpty = texts.length === 0 && delegates.length === 0;
  if (isEmpty) tellOfNoBody(part);
  const prompt =
    texts.length > 0
      ? texts.join('\n\n')
      : isEmpty
        ? name.title
        : 'Have these pieces of work done, all at once where you have sub-agents and one after the other where you have none, and bring their results together.';
  const bytes = byteLength(prompt);
  // Files of this format were never held to the size of one prompt: what fits into a file is handed out.
  if (bytes > limits.promptWarning) {
    const message = `the prompt has ${bytes} bytes; an agent follows one under ${limits.promptWarning} better`;
    part.say(warning(part.path, 'long_prompt', message));
  }
  return {
    kind: 'prompt',
    ...name,
    prompt,
    ...promptFields(part, name.id, [...texts, ...textsAt(part, 'guidance')], around),
    ...(delegates.length > 0 && { delegates }),
  };
}

/** A title alone can still say what is to be done; with neither there is nothing to hand to an agent. */
function tellOfNoBody(part: Part): void {
  const expected = 'prompt, promptBlocks, templateCall or parallelDelegations';
  const message = 'a step needs `prompt`, `promptBlocks`, `templateCall` or `parallelDelegations`, but this one has';
  if (titleAt(part, 'title', 'name') === undefined)
    part.say({ path: part.path, rule: 'body', message: `${message} none of them`, expected });
  else part.say(warning(part.path, 'body', `${message} only a title, which is used instead`, { expected }));
}

/** What is to happen after a step, as a step of its own: a text, a list of texts, or whatever a step may have. */
function compileAfter(
  part: Part,
  key: (typeof afterwards)[number],
  name: CallerName,
  around: Surroundings,
): readonly CompiledStep[] {
  const value = at(part, key);
  if (value === undefined || value === false || (typeof value === 'string' && value.trim() === '')) return [];
  const title = `${inWords(key).replace(/^./u, (letter) => letter.toUpperCase())}: ${name.title}`;
  const source = isJsonObject(value) ? value : {};
  const path = [...part.path, key];
  const { draft } = around;
  const id = `${name.id}__${key}`;
  draft.ids.add(id);
  const known = Object.fromEntries(Object.entries(source).filter(([field]) => stepKeys.includes(field)));
  const rest = Object.entries(source).filter(([field]) => !stepKeys.includes(field));
  const said = isJsonObject(value)
    ? rest.map(([field, item]) => toldByName(field, item))
    : value === true
      ? []
      : [plain(value)];
  const prompt = [...(typeof known['prompt'] === 'string' ? [known['prompt']] : []), ...said].join('\n\n');
  const hasBody = prompt !== '' || known['promptBlocks'] !== undefined || known['parallelDelegations'] !== undefined;
  const step: Part = {
    value: { ...known, ...(prompt !== '' && { prompt }), ...(!hasBody && { prompt: afterText[key] }) },
    path,
    say: part.say,
  };
  const own = bothHold(name.if, conditionAt(step, 'runCondition', around));
  const ownTitle = titleAt(step, 'title', 'name');
  const called = ownTitle === undefined ? title : worded(ownTitle, step, 'title', around);
  return [promptStep(step, { id, title: called, ...(own !== undefined && { if: own }) }, around)];
}

const afterText = {
  verification:
    'Verify what the step before this one handed back, with your own eyes and not from memory, and mend what does not hold.',
  audit:
    'Look over what the step before this one handed back as somebody who did not do it: what is missing, what is claimed without a ground, what could go wrong?',
  synthesis:
    'Bring together what the step before this one found: what agrees, what contradicts, and what follows from it.',
} as const;

function plain(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).map((item) => `- ${plain(item)}`).join('\n')
    : JSON.stringify(value);
}

/** The author's id, which is kept wherever it can name one step and its place in a path. */
function uniqueId(part: Part, { draft, prefix, args }: Surroundings): string {
  const written = textAt(part, 'id');
  const path = [...part.path, 'id'];
  const given = stepId(written ?? `step-${draft.ids.size + 1}`, args);
  if (written === undefined || given !== written)
    part.say(
      warning(path, 'format', `a step needs an id of letters, digits and \`-\`; this one is called \`${given}\``),
    );
  let id = `${prefix}${given}`;
  for (let again = 2; draft.ids.has(id); again += 1) id = `${prefix}${given}-${again}`;
  if (id !== `${prefix}${given}`) {
    const message = `another step is called \`${given}\` already; this one is called \`${id}\``;
    part.say(warning(path, 'duplicate_id', message, { actual: given }));
  }
  draft.ids.add(id);
  return id;
}

/** An id is fixed when the workflow is compiled: an argument is put in, and of another hole its name is kept. */
function stepId(written: string, args: Surroundings['args']): string {
  const filled = written
    .trim()
    .replaceAll(/\{+\s*([\w.-]*)\s*\}+/gu, (_, name: string) =>
      args !== undefined && Object.hasOwn(args, name) ? args[name]! : name,
    );
  return filled.replaceAll(/\$\{\{\s*(?:context\.)?([\w.]*)[^}]*\}\}/gu, '$1').replaceAll(/[/@\s]+/gu, '-');
}
