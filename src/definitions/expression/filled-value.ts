import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { evaluate, type Scope } from './expression.js';
import { asText } from './expression-values.js';
import { templateParts } from './template.js';

export interface FilledValue {
  readonly value: JsonValue;
  /** Holes that have no value; they stay as they are written. */
  readonly problems: readonly { readonly expression: string; readonly message: string }[];
}

/** What stands in the place of a hole that is none of ours to fill. */
export type Kept = (expression: string) => string | undefined;

/** A value with the holes of its texts filled. A text that is one hole and nothing else becomes what the hole has: a number stays one. */
export function filledValue(value: JsonValue, scope: Scope, kept: Kept = () => undefined): FilledValue {
  const problems: { expression: string; message: string }[] = [];
  const hole = (source: string): JsonValue => {
    const instead = kept(source.trim());
    if (instead !== undefined) return instead;
    const result = evaluate(source, scope);
    if (result.ok) return result.value;
    problems.push({ expression: source.trim(), message: result.message });
    return `\${{ ${source} }}`;
  };
  const inText = (text: string): JsonValue => {
    const parts = templateParts(text.trim());
    const [only] = parts;
    if (parts.length === 1 && only !== undefined && 'source' in only) return hole(only.source);
    return templateParts(text)
      .map((part) => ('text' in part ? part.text : asText(hole(part.source))))
      .join('');
  };
  const visit = (inner: JsonValue): JsonValue => {
    if (typeof inner === 'string') return inText(inner);
    if (Array.isArray(inner)) return (inner as readonly JsonValue[]).map(visit);
    return isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).map(([key, child]) => [key, visit(child)]))
      : inner;
  };
  return { value: visit(value), problems };
}
