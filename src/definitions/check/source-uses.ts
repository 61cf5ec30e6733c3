import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { type PartRole, partsOf, rolesOfRounds } from '../compiled/schema-parts.js';
import type { SourcePath } from '../source/source-path.js';
import type { StepOutline } from '../source/source-outline.js';
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
    asked: parts.filter(({ role }) => Object.hasOwn(gives, role)),
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
};

/** What a step asks, and what its texts print. */
export function usesOf(step: StepOutline, { told, asked }: SourceParts): readonly ExpressionUse[] {
  const { source, loops } = step;
  const inside = step.loop ? [...loops, step] : loops;
  // A loop without steps is told as such; what its names were meant for then is no mistake of its own.
  const own = source['steps'] === undefined ? inside : loops;
  return [
    ...told.flatMap(({ role, path, text }) => usesInText(path, text, rolesOfRounds.has(role) ? inside : own)),
    ...asked.map(({ role, path, text }): ExpressionUse => {
      // What is asked of a round is asked in it; a list and a count before the first.
      const around = rolesOfRounds.has(role) ? inside : role === 'list' || role === 'count' ? loops : own;
      return { path, source: text, text, as: gives[role] ?? 'text', loops: around };
    }),
  ];
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
