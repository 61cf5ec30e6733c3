import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { type PartRole, partsOf, rolesOfRounds } from '../compiled/schema-parts.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
import { isStatusClass } from '../expand/compile-run.js';
import { namesOfAnswer } from '../expression/answer-names.js';
import { templateExpressions } from '../expression/template.js';
import { stepSource } from '../source/workflow-format.js';

/** An expression of the source, with what it may name. */
export interface ExpressionUse {
  readonly path: SourcePath;
  readonly source: string;
  /** The text to point at: in a prompt, the hole rather than the first place where the same words stand. */
  readonly text: string;
  /** What it is for: in a text, between `${{` and `}}`, anything that can be printed will do. */
  readonly as: 'text' | 'condition' | 'list' | 'count' | 'value';
  /** Loops whose names it may use, outermost first. */
  readonly loops: readonly StepOutline[];
  /** Names that it has of an answer, and the place with `run` that is answered. */
  readonly answer?: readonly string[];
  readonly asking?: JsonObject;
  /** Its value is sent with a request. */
  readonly sent?: true;
}

export interface PlacedText {
  readonly path: SourcePath;
  readonly text: string;
}

/** What stands in a step itself: the texts that may hold holes, what is shown as it stands, what is asked. */
export interface SourceParts {
  readonly told: readonly (PlacedText & { readonly role: PartRole })[];
  readonly shown: readonly PlacedText[];
  readonly asked: readonly (PlacedText & { readonly role: PartRole })[];
}

export function partsOfSource({ source, path }: StepOutline): SourceParts {
  const parts = partsOf(stepSource, source).map((part) => ({ ...part, path: [...path, ...part.path] }));
  // One that is too long is told by the schema, and is not worth looking into.
  const short = parts.filter(({ text }) => text.length <= limits.prompt);
  return {
    told: short.filter(({ role }) => role === 'told' || role === 'line'),
    shown: short.filter(({ role }) => role === 'shown'),
    asked: parts.filter(
      ({ role, text }) => Object.hasOwn(gives, role) && !(role === 'answered' && isStatusClass(text)),
    ),
  };
}

/** What each expression is to give. */
const gives: { readonly [role in PartRole]?: ExpressionUse['as'] } = {
  condition: 'condition',
  agreement: 'condition',
  while: 'condition',
  until: 'condition',
  list: 'list',
  count: 'count',
  collected: 'value',
  answered: 'condition',
  paged: 'list',
  kept: 'value',
  put: 'value',
};

/** What a step asks, and what its texts print. */
export function usesOf(step: StepOutline, { told, asked }: SourceParts): readonly ExpressionUse[] {
  const { source, loops } = step;
  const inside = step.loop ? [...loops, step] : loops;
  // A loop without steps is told as such; what its names were meant for then is no mistake of its own.
  const own = source['steps'] === undefined ? inside : loops;
  const isRun = source['run'] !== undefined;
  return [
    ...told.flatMap(({ role, path, text }) => {
      const uses = usesInText(path, text, rolesOfRounds.has(role) ? inside : own);
      const isSent = isRun && ['with', 'body'].includes(String(path[step.path.length]));
      return isSent ? uses.map((use) => ({ ...use, sent: true as const })) : uses;
    }),
    ...asked.map(({ role: written, path, text }): ExpressionUse => {
      const role = isRun && written === 'until' ? 'answered' : written;
      const answer = namesOfAnswer(role, source['paginate'] !== undefined);
      const as = path.at(-1) === 'next' ? 'value' : (gives[role] ?? 'text');
      // What is asked of a round is asked in it; a list and a count before the first.
      const around = rolesOfRounds.has(role) ? inside : role === 'list' || role === 'count' ? loops : own;
      return { path, source: text, text, as, loops: around, ...(answer.length > 0 && { answer, asking: source }) };
    }),
    ...usesInPlaces(step).map((use) => ({
      ...use,
      as: 'value' as const,
      loops: own,
      answer: namesOfAnswer('put', false),
      asking: source,
    })),
  ];
}

/** The places in the shared state that a step writes to may name members by holes. */
function usesInPlaces({ source: { puts = null }, path }: StepOutline): readonly ExpressionUse[] {
  const places = isJsonObject(puts) ? Object.keys(puts) : [];
  return places.flatMap((place) => usesInText([...path, 'puts', place], place, []));
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

/** What a run gives back is read when it is complete. */
export function usesInReturns({ returns = null }: JsonObject): readonly ExpressionUse[] {
  return textsWithin(returns, ['returns']).flatMap(({ path, text }) => usesInText(path, text, []));
}

/** Providers read other inputs. */
export function usesInProviders(inputs: JsonObject): readonly ExpressionUse[] {
  return Object.entries(inputs).flatMap(([name, input]) => {
    const provider = isJsonObject(input) ? (input['provider'] ?? null) : null;
    const given = isJsonObject(provider) ? (provider['with'] ?? null) : null;
    return textsWithin(given, ['inputs', name, 'provider', 'with']).flatMap(({ path, text }) =>
      usesInText(path, text, []).map((use) => ({ ...use, sent: true as const })),
    );
  });
}

/** Every text of a value. */
export function textsWithin(value: JsonValue, path: SourcePath): readonly PlacedText[] {
  if (typeof value === 'string') return value.length <= limits.prompt ? [{ path, text: value }] : [];
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((item, at) => textsWithin(item, [...path, at]));
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, item]) => textsWithin(item, [...path, key])) : [];
}

/** All names that an expression may use besides those that are known everywhere. */
export function variablesOf({ loops, answer = [] }: Pick<ExpressionUse, 'loops' | 'answer'>): ReadonlySet<string> {
  return new Set([...variablesIn(loops), ...answer]);
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
