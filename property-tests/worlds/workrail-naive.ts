import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';

/** The WorkRail JSON format read in the plainest way there is: what its conditions mean, and which step comes when. */
export type FindFile = (id: string) => JsonObject | undefined;

/** What a run knows. `names` are those of the loops around. */
export interface Known {
  readonly context: JsonObject;
  readonly names: JsonObject;
}

export const objectsIn = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value)
    ? (value as readonly JsonValue[]).filter(isJsonObject)
    : isJsonObject(value ?? null)
      ? [value as JsonObject]
      : [];
export const textIn = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** All that a condition says must hold. */
export function naiveHolds(condition: JsonValue | undefined, known: Known): boolean {
  if (condition === undefined || condition === null || condition === true) return true;
  if (condition === false || !isJsonObject(condition)) return false;
  const { var: variable, and, or, not, ...operators } = condition;
  const results: boolean[] = [];
  if (and !== undefined) results.push((and as readonly JsonValue[]).every((part) => naiveHolds(part, known)));
  if (or !== undefined) results.push((or as readonly JsonValue[]).some((part) => naiveHolds(part, known)));
  if (not !== undefined) results.push(!naiveHolds(not, known));
  if (typeof variable === 'string') {
    const value = naiveValue(variable, known);
    for (const [operator, operand] of Object.entries(operators)) results.push(naiveOperator(operator, value, operand));
    if (results.length === 0) results.push(Boolean(value));
  }
  return results.every(Boolean);
}

/** A key of the context or a name of a loop; what is no key as a whole is a path. */
function naiveValue(variable: string, { context, names }: Known): JsonValue {
  const from = Object.hasOwn(names, variable.split('.')[0]!) ? names : context;
  if (Object.hasOwn(from, variable)) return from[variable]!;
  return variable
    .split('.')
    .reduce<JsonValue>((of, part) => (isJsonObject(of) && Object.hasOwn(of, part) ? of[part]! : null), from);
}

function naiveOperator(operator: string, value: JsonValue, operand: JsonValue): boolean {
  const numbers = typeof value === 'number' && typeof operand === 'number';
  const [text, part] = [lower(value), lower(operand)];
  switch (operator) {
    case 'equals':
      return naiveEqual(value, operand);
    case 'not_equals':
      return !naiveEqual(value, operand);
    case 'gt':
      return numbers && value > operand;
    case 'gte':
      return numbers && value >= operand;
    case 'lt':
      return numbers && value < operand;
    case 'lte':
      return numbers && value <= operand;
    case 'contains':
      return value !== null && text.includes(part);
    case 'startsWith':
      return value !== null && text.startsWith(part);
    case 'endsWith':
      return value !== null && text.endsWith(part);
    case 'in':
      return Array.isArray(operand) && (operand as readonly JsonValue[]).some((one) => naiveEqual(value, one));
    default:
      return true;
  }
}

/** As JavaScript prints it, lists with commas between. */
function lower(value: JsonValue): string {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((item) => (item === null ? '' : lower(item))).join(',');
  return typeof value === 'string' ? value.toLowerCase() : JSON.stringify(value).toLowerCase();
}

function naiveEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a === 'boolean' && typeof b === 'boolean') return a === b;
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    const [truth, other] = typeof a === 'boolean' ? [a, b] : [b as boolean, a];
    const word = typeof other === 'string' || typeof other === 'number' ? String(other).trim().toLowerCase() : '';
    return (truth ? ['true', 'yes', '1'] : ['false', 'no', '0']).includes(word);
  }
  if (typeof a === 'string' && typeof b === 'string') return a.trim().toLowerCase() === b.trim().toLowerCase();
  if (typeof a === 'number' && typeof b === 'string') return b.trim() !== '' && Number(b) === a;
  if (typeof a === 'string' && typeof b === 'number') return a.trim() !== '' && Number(a) === b;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A step that waits for the agent, with what its texts and conditions can see. */
export interface NaiveStop {
  readonly id: string;
  readonly path: string;
  readonly source: JsonObject;
  readonly names: JsonObject;
}

type Decision = 'continue' | 'stop' | undefined;
type Run = Generator<NaiveStop, Decision, Decision>;

interface Around {
  readonly file: JsonObject;
  readonly prefix: string;
  readonly conditions: readonly JsonValue[];
  readonly path: string;
  readonly names: JsonObject;
}

export const afterwards = ['verification', 'audit', 'synthesis'] as const;

/** The template `wr.templates.routine.x` is the file `routine-x`. */
export const routineOf = (call: JsonValue | undefined, find: FindFile): JsonObject | undefined =>
  find(
    `routine-${textIn(isJsonObject(call ?? null) ? (call as JsonObject)['templateId'] : undefined).replace('wr.templates.routine.', '')}`,
  );

/** Every step of a run in turn. Whoever runs it says what was decided on a loop, and keeps `state` up to date. */
export function* naiveRun(file: JsonObject, find: FindFile, state: { context: JsonObject }): Run {
  const holds = (conditions: readonly (JsonValue | undefined)[], names: JsonObject): boolean =>
    conditions.every((condition) => naiveHolds(condition, { context: state.context, names }));

  function* steps(all: readonly JsonObject[], around: Around): Run {
    let decision: Decision;
    for (const step of all) decision = (yield* one(step, around)) ?? decision;
    return decision;
  }

  function* one(step: JsonObject, around: Around): Run {
    let decision: Decision;
    const id = `${around.prefix}${textIn(step['id'])}`;
    const conditions = [...around.conditions, ...(step['runCondition'] === undefined ? [] : [step['runCondition']])];
    const call = step['templateCall'];
    if (isJsonObject(call ?? null)) {
      const routine = routineOf(call, find);
      if (routine)
        decision = yield* steps(topLevel(routine), { ...around, file: routine, prefix: `${id}.`, conditions });
      else if (holds(conditions, around.names))
        decision = yield { id, path: around.path + id, source: step, names: around.names };
    } else if (holds(conditions, around.names)) {
      if (step['type'] === 'loop') yield* loop(step, id, around);
      else decision = yield { id, path: around.path + id, source: step, names: around.names };
    }
    for (const key of afterwards) {
      const after = step[key];
      if (after === undefined || after === false) continue;
      const own = isJsonObject(after) ? after['runCondition'] : undefined;
      if (holds([...conditions, own], around.names))
        decision =
          (yield {
            id: `${id}__${key}`,
            path: `${around.path}${id}__${key}`,
            source: isJsonObject(after) ? after : {},
            names: around.names,
          }) ?? decision;
    }
    return decision;
  }

  function* loop(step: JsonObject, id: string, around: Around): Run {
    const frame = step['loop'] as JsonObject;
    const { type } = frame;
    const body = bodyOf(step, around.file);
    const list = type === 'forEach' ? listOf(frame['items'], around.names) : [];
    const times = type === 'for' ? timesOf(frame['count'], around.names) : 0;
    const source = (frame['conditionSource'] ?? {}) as JsonObject;
    const controlled =
      (type === 'while' || type === 'until') && (source['kind'] === 'artifact_contract' || asks(body, around.file));
    const condition = frame['condition'] ?? source['condition'];
    // An artifact decides alone.
    const [again, enough] = controlled
      ? [undefined, undefined]
      : [type === 'while' ? condition : undefined, type === 'until' ? [condition] : undefined];
    const most = type === 'forEach' ? list.length : type === 'for' ? times : 1000;
    let decision: Decision;
    for (let round = 1; round <= Math.min(Number(frame['maxIterations'] ?? 1000), most); round += 1) {
      const names = { ...around.names, ...loopNames(frame, round, list, around.names) };
      if (!holds([again], names)) break;
      decision = yield* steps(body, { ...around, conditions: [], path: `${around.path}${id}@${round}/`, names });
      if ((controlled && decision === 'stop') || (enough && holds(enough, names))) break;
    }
    return undefined;
  }

  /** Whether a step right in a body decides on its loop. */
  function asks(body: readonly JsonObject[], inFile: JsonObject): boolean {
    return body.some((step) => {
      if (objectsIn(step['outputContract']).some(({ contractRef }) => contractRef === 'wr.contracts.loop_control'))
        return true;
      const routine = routineOf(step['templateCall'], find);
      return routine !== undefined && routine !== inFile && asks(topLevel(routine), routine);
    });
  }

  const timesOf = (count: JsonValue | undefined, names: JsonObject): number =>
    Number(typeof count === 'string' ? (names[count] ?? state.context[count] ?? 0) : count);
  const listOf = (items: JsonValue | undefined, names: JsonObject): readonly JsonValue[] => {
    const value = typeof items === 'string' ? (names[items] ?? state.context[items]) : items;
    return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  };

  return yield* steps(topLevel(file), { file, prefix: '', conditions: [], path: '', names: {} });
}

function loopNames(frame: JsonObject, round: number, list: readonly JsonValue[], outer: JsonObject): JsonObject {
  const called = (key: string, otherwise: string): string => textIn(frame[key]) || otherwise;
  const isForEach = frame['type'] === 'forEach';
  return {
    [called('iterationVar', 'currentIteration')]: round,
    ...(isForEach && { [called('itemVar', 'currentItem')]: list[round - 1] ?? null }),
    ...((isForEach || frame['indexVar'] !== undefined || !Object.hasOwn(outer, 'currentIndex')) && {
      [called('indexVar', 'currentIndex')]: round - 1,
    }),
  };
}

export function bodyOf(step: JsonObject, file: JsonObject): readonly JsonObject[] {
  const { body } = step;
  return typeof body === 'string' ? objectsIn(file['steps']).filter(({ id }) => id === body) : objectsIn(body);
}

/** A step that is some loop's body runs only there. */
export function topLevel(file: JsonObject): readonly JsonObject[] {
  const steps = objectsIn(file['steps']);
  return steps.filter(({ id }) => !steps.some(({ body }) => typeof body === 'string' && body === id));
}
