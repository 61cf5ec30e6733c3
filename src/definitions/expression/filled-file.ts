import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { keptFile, textFile } from '../compiled/file-reference.js';
import { asText } from './expression-values.js';
import { evaluate, type Scope } from './expression.js';

/**
 * The file that a hole stands for where a file is meant: what an earlier step downloaded, be it kept as a file or in the
 * log. Undefined for a hole that has a path, or nothing.
 */
export function filledFile(
  source: string,
  scope: Scope,
): { readonly file: string; readonly type?: string } | undefined {
  const step = /^(.*)(?:\.(?:body|file)|\["(?:body|file)"\])$/su.exec(source.trim())?.[1];
  const left = step === undefined ? undefined : evaluate(step, scope);
  if (left?.ok !== true || !isJsonObject(left.value) || own(left.value, 'ok') === undefined) return undefined;
  const file = own(left.value, 'file');
  if (isJsonObject(file ?? null)) {
    const { sha256, type } = file as { readonly sha256: string; readonly type: string };
    return { file: keptFile(sha256), type };
  }
  const body = own(left.value, 'body');
  if (body === undefined) return undefined;
  const type = typeOf(own(left.value, 'headers'));
  return { file: textFile(asText(body)), ...(type !== undefined && { type }) };
}

function typeOf(headers: JsonValue | undefined): string | undefined {
  const type = isJsonObject(headers ?? null) ? own(headers as JsonObject, 'content-type') : undefined;
  return typeof type === 'string' ? type : undefined;
}
