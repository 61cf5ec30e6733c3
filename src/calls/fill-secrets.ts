import { escapePattern } from '../base/escape-pattern.js';
import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { err, ok, type Result } from '../base/result.js';
import type { CallProblem } from './call-problem.js';

/** Gives a secret by its name. */
export type ReadSecret = (name: string) => Result<string, CallProblem>;

/**
 * Puts the secrets into a value, and into its keys. With a mark, only where it stands: `${{ secrets.NAME mark }}`. Nobody
 * who does not know the mark can then have a secret filled in by writing its name.
 */
export function fillSecrets(value: JsonValue, read: ReadSecret, mark = ''): Result<JsonValue, CallProblem> {
  let problem: CallProblem | undefined;
  const inText = (text: string): string => {
    const filled = fillText(text, read, mark);
    if (filled.ok) return filled.value;
    problem ??= filled.error;
    return text;
  };
  const visit = (inner: JsonValue): JsonValue => {
    if (typeof inner === 'string') return inText(inner);
    if (Array.isArray(inner)) return (inner as readonly JsonValue[]).map(visit);
    if (!isJsonObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, child]) => [inText(key), visit(child)]));
  };
  const filled = visit(value);
  return problem === undefined ? ok(filled) : err(problem);
}

export function fillText(text: string, read: ReadSecret, mark = ''): Result<string, CallProblem> {
  let problem: CallProblem | undefined;
  const filled = text.replaceAll(holesWith(mark), (hole, name: string) => {
    const secret = read(name);
    if (secret.ok) return secret.value;
    problem ??= secret.error;
    return hole;
  });
  return problem === undefined ? ok(filled) : err(problem);
}

export const namesSecret = (text: string): boolean => text.search(holesWith('')) >= 0;

const holesWith = (mark: string): RegExp =>
  new RegExp(
    String.raw`\$\{\{\s*secrets\.([A-Za-z_][A-Za-z0-9_]*)${mark === '' ? '' : ` ${escapePattern(mark)}`}\s*\}\}`,
    'gu',
  );
