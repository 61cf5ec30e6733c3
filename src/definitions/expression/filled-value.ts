import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { type FileReference, isFile } from '../compiled/file-reference.js';
import { evaluate, type Scope } from './expression.js';
import { asText } from './expression-values.js';
import { filledFile } from './filled-file.js';
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
    const only = onlyHole(text);
    if (only !== undefined) return hole(only);
    return templateParts(text)
      .map((part) => ('text' in part ? part.text : asText(hole(part.source))))
      .join('');
  };
  /** Where a file is meant, a step that has one stands for it. */
  const inFile = (file: JsonObject & FileReference): JsonValue => {
    const only = onlyHole(file.file);
    const isFilled = only !== undefined && kept(only.trim()) === undefined;
    const found = isFilled ? filledFile(only, scope) : undefined;
    const said = Object.entries(file).flatMap(([key, child]) => (key === 'file' ? [] : [[key, visit(child)] as const]));
    const from = found === undefined ? { file: inText(file.file) } : { name: 'download', ...found };
    return { ...from, ...Object.fromEntries(said) };
  };
  const visit = (inner: JsonValue): JsonValue => {
    if (typeof inner === 'string') return inText(inner);
    if (Array.isArray(inner)) return (inner as readonly JsonValue[]).map(visit);
    if (isFile(inner)) return inFile(inner);
    return isJsonObject(inner)
      ? Object.fromEntries(Object.entries(inner).map(([key, child]) => [key, visit(child)]))
      : inner;
  };
  return { value: visit(value), problems };
}

/** What stands in the hole of a text that is nothing else. */
function onlyHole(text: string): string | undefined {
  const [only, ...more] = templateParts(text.trim());
  return only !== undefined && more.length === 0 && 'source' in only ? only.source : undefined;
}
