import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { callsOf, textsIn } from './check-calls.js';
import { limits } from '../../base/limits.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { templateExpressions } from '../expression/template.js';
import { blockFields } from '../source/workflow-format.js';

/** An expression of the source, with what it may name. */
export interface ExpressionUse {
  readonly path: SourcePath;
  readonly source: string;
  /** The text to point at: in a prompt, the hole rather than the first place where the same words stand. */
  readonly text: string;
  /** What it is for: in a text, between `${{` and `}}`, anything that can be printed will do. */
  readonly as: 'text' | 'condition' | 'list' | 'count';
  /** Loops whose names it may use, outermost first. */
  readonly loops: readonly StepOutline[];
}

export interface PlacedText {
  readonly path: SourcePath;
  readonly text: string;
}

/** Every text of a step that may hold holes. */
export function textsOf(step: StepOutline): readonly PlacedText[] {
  const { source, path } = step;
  const prompt = source['prompt'] ?? null;
  const fields: readonly (readonly [string | number, ...(string | number)[]])[] = [
    ['title'],
    ['role'],
    ['prompt'],
    ...(isJsonObject(prompt) ? blockFields.map((field) => ['prompt', field] as const) : []),
  ];
  const delegates = listOf(source['delegate']).flatMap((one, at) =>
    isJsonObject(one) ? ['title', 'goal'].flatMap((field) => text(one[field], [...path, 'delegate', at, field])) : [],
  );
  return [
    ...fields.flatMap((field) => {
      const value = field.length === 1 ? source[field[0]] : isJsonObject(prompt) ? prompt[field[1]!] : undefined;
      return [
        ...text(value, [...path, ...field]),
        ...listOf(value).flatMap((item, at) => text(item, [...path, ...field, at])),
      ];
    }),
    ...listOf(source['guidance']).flatMap((line, at) => text(line, [...path, 'guidance', at])),
    ...delegates,
    ...callsOf(step).flatMap((call) =>
      textsIn(call.given, [...call.path, 'with']).filter((one) => one.text.length <= limits.prompt),
    ),
  ];
}

/** What a step asks, and what its texts print. */
export function usesOf(step: StepOutline, texts: readonly PlacedText[]): readonly ExpressionUse[] {
  const { source, path, loops } = step;
  const inside = step.loop ? [...loops, step] : loops;
  // A loop without steps is told as such; what its names were meant for then is no mistake of its own.
  const own = source['steps'] === undefined ? inside : loops;
  const uses: ExpressionUse[] = texts.flatMap((one) => usesInText(one.path, one.text, own));
  const say = (
    value: JsonValue | undefined,
    at: SourcePath,
    as: ExpressionUse['as'],
    around: readonly StepOutline[],
  ): void => {
    if (typeof value === 'string') uses.push({ path: at, source: value, text: value, as, loops: around });
  };
  say(source['if'], [...path, 'if'], 'condition', own);
  say(source['foreach'], [...path, 'foreach'], 'list', loops);
  say(source['repeat'], [...path, 'repeat'], 'count', loops);
  // The test of a loop is asked in its iterations; its list and its count before the first.
  say(source['while'], [...path, 'while'], 'condition', inside);
  say(source['until'], [...path, 'until'], 'condition', inside);
  if (isJsonObject(source['confirm'])) say(source['confirm']['if'], [...path, 'confirm', 'if'], 'condition', own);
  listOf(source['delegate']).forEach((one, at) => {
    if (isJsonObject(one)) say(one['if'], [...path, 'delegate', at, 'if'], 'condition', own);
  });
  return uses;
}

function usesInText(path: SourcePath, text: string, loops: readonly StepOutline[]): readonly ExpressionUse[] {
  return templateExpressions(text).map(({ source, offset }) => ({
    path,
    source,
    text: text.slice(offset, text.indexOf(source, offset) + source.length),
    as: 'text',
    loops,
  }));
}

/** A routine's own guidance goes to its steps, and may read its inputs as they do. */
export function usesInGuidance(source: JsonObject): readonly ExpressionUse[] {
  return source['kind'] === 'routine'
    ? listOf(source['guidance']).flatMap((line, at) =>
        typeof line === 'string' ? usesInText(['guidance', at], line, []) : [],
      )
    : [];
}

/** The names that loops give to what is in them. */
export function variablesIn(loops: readonly StepOutline[]): ReadonlySet<string> {
  const names = loops.flatMap((loop) => loopVariable(loop) ?? []);
  return new Set(loops.length > 0 ? [...names, 'iteration'] : names);
}

export function loopVariable(loop: StepOutline): string | undefined {
  if (loop.loop !== 'foreach') return undefined;
  return typeof loop.source['as'] === 'string' ? loop.source['as'] : 'item';
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

/** One that is too long is told by the schema, and is not worth looking into. */
function text(value: JsonValue | undefined, path: SourcePath): readonly PlacedText[] {
  return typeof value === 'string' && value.length <= limits.prompt ? [{ path, text: value }] : [];
}
