import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { CompiledStep, LoopStep } from '../compiled/compiled-workflow.js';
import { everyStep } from '../compiled/visit-steps.js';
import { packContract } from '../contracts/contract-packs.js';
import { expressionTree, isReservedWord } from '../expression/expression-tree.js';
import { literal } from './workrail-conditions.js';
import { at, has, numberAt, type Part, partAt, textAt, warnOfKeys } from './workrail-part.js';
import { lastPrompt } from './workrail-prompt-fields.js';
import { tellExpression } from '../expression/tell-expression.js';
import { conditionAt, type Surroundings, worded, wordsAt } from './workrail-surroundings.js';
import { type LoopNames, readOf } from './workrail-texts.js';
import { finding, warning } from '../source/finding.js';

export type CompileSteps = (parts: readonly Part[], around: Surroundings) => readonly CompiledStep[];
type Kind = 'while' | 'until' | 'for' | 'forEach';

const loopKeys = [
  'type',
  'maxIterations',
  'conditionSource',
  'condition',
  'items',
  'itemVar',
  'indexVar',
  'iterationVar',
  'count',
];
const control = 'wr.loop_control';

/** A loop with all that is in its body. */
export function compileLoop(
  part: Part,
  name: Pick<CompiledStep, 'id' | 'title' | 'if'>,
  around: Surroundings,
  compileSteps: CompileSteps,
): LoopStep {
  const loop = loopAt(part);
  warnOfKeys(loop, loopKeys);
  const kind = kindOf(loop);
  const variables = variablesOf(loop, kind, around.names);
  const inside: Surroundings = {
    ...withNames(around, variables.names),
    within: [...around.within, `loop ${name.id}`],
  };
  const steps = compileSteps(bodyOf(part, around), inside);
  if (steps.length === 0)
    part.say({
      path: has(part, bodyKey(part)) ? [...part.path, bodyKey(part)] : part.path,
      rule: 'body',
      message: 'a loop repeats the steps of its `body`, and this one has none',
      expected: 'a list of steps',
    });
  const { counter, index } = variables;
  const repeated = repetition(loop, kind, { steps, inside, around, as: variables.as });
  const asked = repeated.type === 'control' && !asksForControl(steps) ? askingForControl(steps) : steps;
  return {
    kind: 'loop',
    ...name,
    loop: repeated,
    counter,
    ...(index !== undefined && { index }),
    max: maximum(loop, kind),
    steps: sayingWhen(asked, loop, kind, inside),
  };
}

const loopAt = (part: Part): Part =>
  partAt(part, 'loop', { text: 'type', needed: true }) ?? { ...part, value: {}, path: [...part.path, 'loop'] };

/** In the brief of a sub-agent nothing counts the rounds: the names of a loop stay as they are written. */
function withNames(around: Surroundings, own: LoopNames): Surroundings {
  const { names, hidden = [], brief } = around;
  if (!brief) return { ...around, names: { ...names, ...own } };
  return {
    ...around,
    names: Object.fromEntries(Object.entries(names).filter(([name]) => !Object.hasOwn(own, name))),
    hidden: [...hidden, ...Object.keys(own)],
  };
}

/** What the texts of a loop may use: they are told inside of it, with the names of its own round. */
export function insideLoop(part: Part, around: Surroundings): Surroundings {
  const loop = loopAt({ ...part, say: () => undefined });
  return withNames(around, variablesOf(loop, kindOf(loop), around.names).names);
}

function kindOf(loop: Part): Kind {
  const kinds: readonly Kind[] = ['while', 'until', 'for', 'forEach'];
  const written = textAt(loop, 'type');
  const kind = kinds.find((one) => one.toLowerCase() === written?.replaceAll(/[\s_-]/gu, '').toLowerCase());
  if (kind !== undefined) return kind;
  const counted = has(loop, 'items') ? 'forEach' : has(loop, 'count') ? 'for' : undefined;
  const meant =
    counted ??
    (written === undefined && (has(loop, 'condition') || has(loop, 'conditionSource')) ? 'while' : undefined);
  if (meant !== undefined) {
    const said = written === undefined ? 'the loop does not say its `type`' : `\`${written}\` is not a loop type`;
    loop.say({
      path: written === undefined ? loop.path : [...loop.path, 'type'],
      severity: 'warning',
      rule: written === undefined ? 'missing' : 'choice',
      message: `${said}; by its other keys it is a \`${meant}\``,
      expected: kinds.join(', '),
    });
    return meant;
  }
  loop.say(
    finding([...loop.path, 'type'], 'choice', `a loop is one of ${kinds.join(', ')}, got ${written ?? 'nothing'}`, {
      expected: kinds.join(', '),
      actual: written,
      closest: closestName(written ?? '', kinds),
    }),
  );
  return 'while';
}

interface Variables {
  readonly names: LoopNames;
  readonly as: string;
  readonly counter: string;
  readonly index: string | undefined;
}

/** The names that texts and conditions of the body may use, and how expressions spell them. */
function variablesOf(loop: Part, kind: Kind, outer: LoopNames): Variables {
  const spelt = (name: string): string => {
    const word = name.replaceAll(/\W/gu, '_').replace(/^(?=\d)/u, '_');
    return ['inputs', 'context', 'outputs'].includes(word) || isReservedWord(word) ? `${word}_` : word;
  };
  const counter = textAt(loop, 'iterationVar') ?? 'currentIteration';
  // Inside of a loop over a list, the index by its usual name stays that of the list.
  const index =
    textAt(loop, 'indexVar') ??
    (kind === 'forEach' || !Object.hasOwn(outer, 'currentIndex') ? 'currentIndex' : undefined);
  if (kind !== 'forEach' && has(loop, 'itemVar')) {
    const message = `\`itemVar\` is ignored: only a \`forEach\` has items, and this loop is a \`${kind}\``;
    loop.say(warning([...loop.path, 'itemVar'], 'ignored_key', message, { of: 'key', actual: 'itemVar' }));
  }
  const item = kind === 'forEach' ? (textAt(loop, 'itemVar') ?? 'currentItem') : undefined;
  const names = [counter, index, item].filter((name) => name !== undefined);
  return {
    names: Object.fromEntries(names.map((name) => [name, spelt(name)])),
    as: spelt(item ?? 'currentItem'),
    counter: spelt(counter),
    index: index === undefined ? undefined : spelt(index),
  };
}

/** A loop repeats its `body`; that it has `steps` means the same. */
const bodyKey = (part: Part): 'body' | 'steps' => (!has(part, 'body') && has(part, 'steps') ? 'steps' : 'body');

/** Steps written here, or the ids of steps at the top level, which then run here and only here. */
function bodyOf(part: Part, { book, within }: Surroundings): readonly Part[] {
  const key = bodyKey(part);
  const body = at(part, key);
  const path = [...part.path, key];
  const items: readonly (readonly [JsonValue, Part['path']])[] = Array.isArray(body)
    ? (body as readonly JsonValue[]).map((item, index) => [item, [...path, index]] as const)
    : body === undefined
      ? []
      : [[body, path]];
  return items.flatMap(([item, where]) => {
    if (isJsonObject(item)) return [{ value: item, path: where, say: part.say }];
    const named = typeof item === 'string' ? book.steps.get(item) : undefined;
    if (named && !within.includes(`loop ${item as string}`) && named.value !== part.value) return [named];
    const what =
      typeof item !== 'string'
        ? 'a step or the id of one'
        : named
          ? `a step other than \`${item}\`, which is this loop or contains it`
          : `the id of a step; no step is named \`${item}\``;
    part.say(
      finding(where, 'unknown_step', `the body of a loop is ${what}`, {
        ...(typeof item === 'string' && { actual: item, closest: closestName(item, book.steps.keys()) }),
      }),
    );
    return [];
  });
}

interface Parts {
  readonly steps: readonly CompiledStep[];
  readonly inside: Surroundings;
  readonly around: Surroundings;
  readonly as: string;
}

function repetition(loop: Part, kind: Kind, { steps, inside, around, as }: Parts): LoopStep['loop'] {
  if (kind === 'forEach') return { type: 'foreach', list: listOf(loop, around), as };
  if (kind === 'for') return { type: 'repeat', times: timesOf(loop, around) };
  const source = sourceOf(loop);
  if (source) warnOfKeys(source, sourceKeys);
  const condition = has(loop, 'condition')
    ? conditionAt(loop, 'condition', inside)
    : source && conditionAt(source, 'condition', inside);
  if (isControlled(loop, source, steps, condition)) return { type: 'control' };
  const given = has(loop, 'condition') || (source !== undefined && has(source, 'condition'));
  if (condition === undefined && !given)
    loop.say(warning(loop.path, 'loop_exit', 'nothing ends this loop but its maximum'));
  // A condition that says nothing always holds; one that is not there cannot end anything.
  return kind === 'until'
    ? { type: 'until', test: condition ?? (given ? 'true' : 'false') }
    : { type: 'while', test: condition ?? 'true' };
}

/** Whether the agent says when the loop ends: by an artifact, or because nothing else can judge its words. */
function isControlled(
  loop: Part,
  source: Part | undefined,
  steps: readonly CompiledStep[],
  condition: string | undefined,
): boolean {
  const asked = asksForControl(steps);
  const named = source !== undefined && (textAt(source, 'kind') === 'artifact_contract' || has(source, 'contractRef'));
  if (!asked && !named) return condition === undefined && whenAt(loop) !== '';
  if (condition !== undefined) {
    const message = `the artifact ${control} decides whether this loop repeats; its condition is ignored`;
    loop.say(warning(loop.path, 'loop_exit', message, { actual: tellExpression(condition) }));
  }
  if (!asked) {
    const message = `no step of the body asks for the artifact ${control} that is to end this loop; its last step now may hand one back`;
    loop.say(warning(loop.path, 'loop_exit', message));
  }
  return true;
}

/** What a `while` or an `until` says in words, which only the agent can judge. */
function whenAt(loop: Part): string {
  const source = sourceOf({ ...loop, say: () => undefined });
  return has(loop, 'condition') ? wordsAt(loop, 'condition') : source === undefined ? '' : wordsAt(source, 'condition');
}

function sayingWhen(
  steps: readonly CompiledStep[],
  loop: Part,
  kind: Kind,
  inside: Surroundings,
): readonly CompiledStep[] {
  const words = kind === 'while' || kind === 'until' ? whenAt(loop) : '';
  if (words === '') return steps;
  const line =
    kind === 'while'
      ? `Another round follows only while this is so: ${words}`
      : `The rounds end as soon as this is so: ${words}`;
  return lastPrompt(steps, (step) => ({
    ...step,
    guidance: [...step.guidance, worded(line, loop, 'condition', inside)],
  }));
}

const sourceKeys = ['kind', 'contractRef', 'loopId', 'condition'];

/** Where a loop's end comes from; a source may be its condition as well as hold it. */
function sourceOf(loop: Part): Part | undefined {
  const source = partAt(loop, 'conditionSource', { text: 'kind' });
  if (!source || has(source, 'condition') || !['var', 'and', 'or', 'not'].some((key) => has(source, key)))
    return source;
  const [own, condition] = [true, false].map((isOwn) =>
    Object.fromEntries(Object.entries(source.value).filter(([key]) => sourceKeys.includes(key) === isOwn)),
  );
  return { ...source, value: { ...own, condition: condition! } };
}

function asksForControl(steps: readonly CompiledStep[]): boolean {
  // What is said in a loop inside of this one is meant for that one.
  const own = [...everyStep(steps)].filter(({ around }) => around.every(({ kind }) => kind === 'group'));
  return own.some(({ step }) => step.kind === 'prompt' && step.outputs.some(({ kind }) => kind === control));
}

/** Whoever does the last step is told how the loop is ended, and may leave it to the next round. */
function askingForControl(steps: readonly CompiledStep[]): readonly CompiledStep[] {
  const contract = packContract('wr.contracts.loop_control', false);
  const last = steps.findLastIndex(({ kind }) => kind !== 'loop') + 1;
  return contract === undefined
    ? steps
    : [
        ...lastPrompt(steps.slice(0, last), (step) => ({ ...step, outputs: [...step.outputs, contract] })),
        ...steps.slice(last),
      ];
}

/** `items` is the name of a list in the context, or a list. */
function listOf(loop: Part, around: Surroundings): string {
  const items = at(loop, 'items');
  if (Array.isArray(items)) {
    const list = literal(items as readonly JsonValue[]);
    const parsed = expressionTree(list);
    if (parsed.ok) return list;
    const message = `this list is too long to stand in a file (${parsed.error}): let a step set it as a context key`;
    loop.say(finding([...loop.path, 'items'], 'limit', message));
    return '[]';
  }
  return keyOf(loop, 'items', around) ?? '[]';
}

function timesOf(loop: Part, around: Surroundings): number | string {
  const count = at(loop, 'count');
  const number = typeof count === 'string' && /^\s*\d+\s*$/u.test(count) ? Number(count) : count;
  if (typeof number === 'number') return Math.max(0, Math.trunc(number));
  const most = numberAt(loop, 'maxIterations');
  if (number === undefined && most !== undefined) {
    const message = '`count` says how often the loop goes round; without it, as often as its `maxIterations`';
    loop.say(warning([...loop.path, 'count'], 'missing', message));
    return Math.max(0, Math.trunc(most));
  }
  return keyOf(loop, 'count', around) ?? 0;
}

function keyOf(loop: Part, key: 'items' | 'count', { names }: Surroundings): string | undefined {
  const written = textAt(loop, key)?.trim();
  const name = written?.replace(/^\{\{/u, '').replace(/\}\}$/u, '').trim();
  if (name !== undefined && name !== '' && !/[{}]/u.test(name)) {
    const read = readOf(name, names);
    // What an element of a list lacks nobody can be asked for: the list is fixed when its loop is entered.
    const fixed = name.includes('.') && Object.hasOwn(names, name.slice(0, name.indexOf('.')));
    return fixed ? `has(${read}) ? ${read} : ${key === 'items' ? '[]' : '0'}` : read;
  }
  const expected =
    key === 'items' ? 'the name of a list in the context' : 'a number, or the name of one in the context';
  const message = `\`${key}\` says what the loop goes over: ${expected}`;
  loop.say(
    finding([...loop.path, key], written === undefined ? 'missing' : 'format', message, { expected, actual: written }),
  );
  return undefined;
}

function maximum(loop: Part, kind: Kind): number {
  const written = numberAt(loop, 'maxIterations');
  const bounded = kind === 'for' || kind === 'forEach';
  const say = (message: string): void => loop.say(warning([...loop.path, 'maxIterations'], 'limit', message));
  if (written === undefined) {
    if (!bounded) say(`without \`maxIterations\` the loop may go round ${limits.loopIterations} times`);
    return limits.loopIterations;
  }
  if (written > limits.loopIterations) say(`at most ${limits.loopIterations} iterations are taken`);
  return Math.min(limits.loopIterations, Math.max(1, Math.trunc(written)));
}

/**
 * Lists and counts that may be asked for before any step could have set them. Nobody can be asked for them then, so that
 * without them the loop is passed over, and the run can be started all the same.
 */
export function withOptionalLists(steps: readonly CompiledStep[]): readonly CompiledStep[] {
  return untilPrompt(steps).steps;
}

function untilPrompt(steps: readonly CompiledStep[]): {
  readonly steps: readonly CompiledStep[];
  readonly prompted: boolean;
} {
  let prompted = false;
  const changed = steps.map((step): CompiledStep => {
    if (prompted) return step;
    if (!('steps' in step)) {
      prompted = step.if === undefined;
      return step;
    }
    const inner = untilPrompt(step.steps);
    const entered = step.kind === 'group' || step.loop.type === 'until' || step.loop.type === 'control';
    prompted = step.if === undefined && entered && inner.prompted;
    return step.kind === 'group'
      ? { ...step, steps: inner.steps }
      : { ...step, loop: optionalList(step.loop), steps: inner.steps };
  });
  return { steps: changed, prompted };
}

/** The same loop, which goes round no time where its list or its count is not there. */
export function optionalList(loop: LoopStep['loop']): LoopStep['loop'] {
  const perhaps = (source: string, otherwise: string): string =>
    /^context(?:\.\w+|\["(?:[^"\\]|\\.)*"\])+$/u.test(source) ? `has(${source}) ? ${source} : ${otherwise}` : source;
  if (loop.type === 'foreach') return { ...loop, list: perhaps(loop.list, '[]') };
  return loop.type === 'repeat' && typeof loop.times === 'string' ? { ...loop, times: perhaps(loop.times, '0') } : loop;
}
