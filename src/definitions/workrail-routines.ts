import { isJsonObject } from '../base/json-value.js';
import type { CompiledStep } from './compiled-workflow.js';
import { isWorkrailJson } from './is-workrail-json.js';
import { readBook } from './workrail-book.js';
import type { CompileSteps } from './workrail-loops.js';
import { has, type Part, partAt, partsAt, textAt, textsAt, warnOfKeys } from './workrail-part.js';
import { promptCount } from './workrail-prompt-fields.js';
import { mark, mayGrow, type Surroundings, worded, wordedArguments } from './workrail-surroundings.js';

export interface Routine {
  readonly id: string;
  readonly part: Part;
}

const templates = 'wr.templates.routine.';

/** Where a routine may be kept that a template or a delegation names. */
function idsOf(name: string): readonly string[] {
  const last = name.startsWith(templates) ? name.slice(templates.length) : name.slice(name.lastIndexOf('.') + 1);
  const bare = last.replace(/^routine[-_]/u, '');
  const spellings = [...new Set([bare, bare.replaceAll('-', '_'), bare.replaceAll('_', '-')])];
  return [...new Set([name, ...spellings.flatMap((one) => [`routine-${one}`, `wr.routine-${one}`, `wr.routine.${one}`, `wr.routines.${one}`, `wr.${one}`, one])])];
}

/** A routine of this format; what is wrong in it is told where it is called. */
export function routineFor(name: string, part: Part, path: Part['path'], { draft }: Surroundings): Routine | undefined {
  for (const id of idsOf(name)) {
    const value = draft.routines(id)?.source() ?? null;
    if (!isJsonObject(value) || !isWorkrailJson(value)) continue;
    const called = typeof value['id'] === 'string' ? value['id'] : id;
    const say: Part['say'] = ({ severity, rule, message, expected, actual, closest }) => {
      // What is merely doubtful in a routine is told of its own file.
      if (severity !== 'warning') part.say({ path, rule, message: `in routine \`${called}\`: ${message}`, expected, actual, closest });
    };
    return { id: called, part: { value, path: [], say } };
  }
  return undefined;
}

/** The steps of a routine in the place of the step that calls it, each under the id of the caller. */
export function expandTemplate(part: Part, id: string, around: Surroundings, compileSteps: CompileSteps): readonly CompiledStep[] {
  const call = partAt(part, 'templateCall');
  if (!call) return [];
  warnOfKeys(call, ['templateId', 'args']);
  const path = [...call.path, 'templateId'];
  const name = textAt(call, 'templateId') ?? '';
  const title = has(part, 'title') ? worded(textAt(part, 'title') ?? '', part, 'title', around) : undefined;
  const routine = routineFor(name, call, path, around);
  if (!routine) {
    call.say({ path, rule: 'unknown_routine', message: `there is no routine for the template \`${name}\``, expected: `a file of the id ${idsOf(name).slice(1, 3).join(' or ')}`, actual: name });
    return [];
  }
  if (around.within.includes(`routine ${routine.id}`)) {
    call.say({ path, rule: 'cycle', message: `\`${routine.id}\` would be inside of itself: ${[...around.within.filter((one) => one.startsWith('routine ')), routine.id].join(' → ').replaceAll('routine ', '')}`, actual: name });
    return [];
  }
  const book = readBook(routine.part, around.draft);
  const features = [...around.book.features, ...book.features.filter((feature) => !around.book.features.includes(feature))];
  const inside: Surroundings = {
    ...around,
    book: { ...book, features },
    prefix: `${id}.`,
    args: wordedArguments(call, around),
    within: [...around.within, `routine ${routine.id}`],
  };
  const steps = compileSteps(stepsToRun(routine.part), inside);
  for (const step of steps) mark(around, step.id, '', `routine ${routine.id}`);
  const told = [...(title === undefined ? [] : [`Part of “${title}”.`]), ...textsAt(routine.part, 'metaGuidance').map((line) => worded(line, routine.part, 'metaGuidance', inside))];
  const first = [
    ...textsAt(routine.part, 'preconditions').map((line) => `Make sure of this first: ${worded(line, routine.part, 'preconditions', inside)}`),
    ...textsAt(routine.part, 'clarificationPrompts').map((line) => `Settle this first: ${worded(line, routine.part, 'clarificationPrompts', inside)}`),
  ];
  return mayGrow(told.join('').length * promptCount(steps), part, around) ? withGuidance(steps, told, first) : [];
}

/** Steps that a loop of the file names as its body run only there. */
export function stepsToRun(file: Part): readonly Part[] {
  const steps = partsAt(file, 'steps');
  // A loop that names itself stays, to be told so.
  const bodies = new Set(steps.flatMap(({ value: { id, body } }) => (Array.isArray(body) ? (body as readonly unknown[]) : [body]).filter((one) => one !== id)));
  return steps.filter(({ value: { id } }) => typeof id !== 'string' || !bodies.has(id));
}

/** Lines for every step, and lines for the first alone. */
function withGuidance(steps: readonly CompiledStep[], lines: readonly string[], first: readonly string[]): readonly CompiledStep[] {
  return steps.map((step, index): CompiledStep => {
    const more = index === 0 ? first : [];
    return step.kind === 'prompt' ? { ...step, guidance: [...step.guidance, ...lines, ...more] } : { ...step, steps: withGuidance(step.steps, lines, more) };
  });
}
