import { isJsonObject } from '../../base/json-value.js';
import type { CompiledStep, CompiledWorkflow, PromptStep } from '../compiled/compiled-workflow.js';
import { promptsIn } from '../compiled/visit-steps.js';
import { isWorkrailJson } from '../source/is-workrail-json.js';
import { nearestToOlderRoutine, olderRoutineIds } from '../source/older-routines.js';
import { asTemplate } from '../expression/template.js';
import { readDefinitions } from './workrail-definitions.js';
import type { CompileSteps } from './workrail-loops.js';
import { expandOwnRoutine } from './workrail-own-routines.js';
import { type Part, partAt, partsAt, textAt, textsAt, titleAt, warnOfKeys } from './workrail-part.js';
import { mapFirstPrompts } from './workrail-prompt-fields.js';
import { mark, mayGrow, type Surroundings, worded, wordedArguments } from './workrail-surroundings.js';
import { inWords } from './workrail-texts.js';
import { finding, warning } from '../source/finding.js';

/** A routine that a template or a delegation names: of this format, or of ours, which has inputs. */
export type Routine = { readonly id: string } & ({ readonly part: Part } | { readonly workflow: CompiledWorkflow });

/** Ids in `wr.` are kept for what is bundled; in the older format they are those of the files it came with. */
const isBundled = ({ id }: Routine): boolean => id.startsWith('wr.');

/** Why there is no routine of a name, and the bundled workflow that may serve in its place where somebody decides so. */
export interface NoRoutine {
  readonly problem: string;
  readonly near?: CompiledWorkflow;
}

/** The first routine of such an id that can be used, or why there is none. What is bundled takes the place of no other name than its own. */
export function routineFor(name: string, part: Part, path: Part['path'], { draft }: Surroundings): Routine | NoRoutine {
  let problem = `no routine named \`${name}\``;
  let near: CompiledWorkflow | undefined;
  const closest = nearestToOlderRoutine(name);
  for (const id of [...olderRoutineIds(name), ...(closest === undefined ? [] : [closest])]) {
    const found = draft.routines(id);
    const value = found?.source() ?? null;
    if (!found || !isJsonObject(value)) continue;
    if (isWorkrailJson(value))
      return {
        id: typeof value['id'] === 'string' ? value['id'] : id,
        part: { value, path: [], say: sayAtCall(id, part, path) },
      };
    const compilation = found.compile?.();
    if (compilation?.ok === true) {
      const routine = { id: compilation.workflow.id, workflow: compilation.workflow };
      if (id === name || !isBundled(routine)) return routine;
      near ??= compilation.workflow;
      continue;
    }
    const [first] =
      compilation?.ok === false ? compilation.violations.filter(({ severity }) => severity === 'error') : [];
    problem = `the routine \`${id}\` cannot be used before it is mended: ${first?.message ?? 'it calls what calls it'}`;
  }
  if (near === undefined) return { problem };
  return { problem: `${problem}; the nearest that is bundled is \`${near.id}\` (${near.title})`, near };
}

/** What is merely doubtful in a routine is told of its own file; what it lacks here is told where it is called. */
function sayAtCall(id: string, part: Part, path: Part['path']): Part['say'] {
  return ({ severity, rule, message, expected, actual, closest }) => {
    const tell = severity === 'warning' ? warning : finding;
    if (severity !== 'warning' || rule === 'argument')
      part.say(tell(path, rule, `in routine \`${id}\`: ${message}`, { expected, actual, closest }));
  };
}

/** The steps of a routine in the place of the step that calls it, each under the id of the caller. */
export function expandTemplate(
  part: Part,
  name: CallerName,
  around: Surroundings,
  compileSteps: CompileSteps,
): readonly CompiledStep[] {
  const call = partAt(part, 'templateCall', { text: 'templateId', needed: true });
  if (!call) return [];
  warnOfKeys(call, ['templateId', 'args']);
  const path = [...call.path, 'templateId'];
  const template = textAt(call, 'templateId') ?? '';
  const routine = routineFor(template, call, path, around);
  if ('problem' in routine) {
    call.say(
      warning(path, 'unknown_routine', `${routine.problem}; the step says what is meant`, {
        expected: `a file of the id ${olderRoutineIds(template).slice(1, 3).join(' or ')}`,
        actual: template,
        closest: routine.near?.id,
      }),
    );
    return [standIn(template, routine.near, name, call, around)];
  }
  if ('workflow' in routine) {
    const group = expandOwnRoutine(routine.workflow, name, call, around);
    return [group ?? standIn(template, undefined, name, call, around)];
  }
  if (around.within.includes(`routine ${routine.id}`)) {
    const message = `\`${routine.id}\` would be inside of itself: ${[...around.within.filter((one) => one.startsWith('routine ')), routine.id].join(' → ').replaceAll('routine ', '')}`;
    call.say(finding(path, 'cycle', message, { actual: template }));
    return [];
  }
  const book = readDefinitions(routine.part, around.draft);
  const features = [
    ...around.book.features,
    ...book.features.filter((feature) => !around.book.features.includes(feature)),
  ];
  const inside: Surroundings = {
    ...around,
    book: { ...book, features },
    prefix: `${name.id}.`,
    args: wordedArguments(call, around),
    within: [...around.within, `routine ${routine.id}`],
  };
  const steps = compileSteps(stepsToRun(routine.part), inside);
  for (const step of steps) mark(around, step.id, '', `routine ${routine.id}`);
  const told = [
    ...(titleAt(part, 'title', 'name') !== undefined ? [partOf(name.title)] : []),
    ...textsAt(routine.part, 'metaGuidance').map((line) => worded(line, routine.part, 'metaGuidance', inside)),
  ];
  const first = [
    ...textsAt(routine.part, 'preconditions').map(
      (line) => `Make sure of this first: ${worded(line, routine.part, 'preconditions', inside)}`,
    ),
    ...textsAt(routine.part, 'clarificationPrompts').map(
      (line) => `Settle this first: ${worded(line, routine.part, 'clarificationPrompts', inside)}`,
    ),
  ];
  return mayGrow([...told, ...first].join('').length * promptsIn(steps).length, part, around)
    ? mapFirstPrompts(steps, around.condition, (step, mayBeFirst) => ({
        ...step,
        guidance: [...step.guidance, ...told, ...(mayBeFirst ? first : [])],
      }))
    : [];
}

export type CallerName = Pick<PromptStep, 'id' | 'title' | 'if'>;

/** What stands around a step, for whoever sees the step alone. */
export const partOf = (title: string): string => `Part of “${title}”.`;

/** Where a routine is missing, the step that calls it says what was meant by it. */
function standIn(
  template: string,
  near: CompiledWorkflow | undefined,
  name: CallerName,
  call: Part,
  around: Surroundings,
): PromptStep {
  const given = Object.entries(wordedArguments(call, around)).map(([key, value]) => `- ${asTemplate(key)}: ${value}`);
  const about = asTemplate(
    `Do what the routine \`${template}\` (${inWords(template)}) is for. Its text is not at hand: if list_workflows knows one of this name, read it with inspect_workflow and follow it; otherwise go by its name and by what is given, and say so in the notes.${nearTold(near)}`,
  );
  const prompt = [about, ...(given.length === 0 ? [] : [['Given:', ...given].join('\n')])].join('\n\n');
  return {
    kind: 'prompt',
    ...name,
    prompt,
    guidance: [],
    sets: {},
    needs: [],
    confirm: false,
    notes: 'required',
    outputs: [],
    rules: [],
  };
}

/** A bundled workflow of much the same purpose is named, and never put in the place of what the author meant. */
export const nearTold = (near: CompiledWorkflow | undefined): string =>
  near === undefined
    ? ''
    : ` Of the bundled workflows \`${near.id}\` (${near.title}) is the nearest; it may help, and is not what was meant.`;

/** Steps that a loop of the file names as its body run only there. */
export function stepsToRun(file: Part): readonly Part[] {
  const steps = partsAt(file, 'steps', { needed: true });
  // A loop that names itself stays, to be told so.
  const bodies = new Set(
    steps.flatMap(({ value: { id, body } }) =>
      (Array.isArray(body) ? (body as readonly unknown[]) : [body]).filter((one) => one !== id),
    ),
  );
  return steps.filter(({ value: { id } }) => typeof id !== 'string' || !bodies.has(id));
}
