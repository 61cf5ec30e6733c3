import type { JsonValue } from '../../base/json-value.js';
import type { OperationAnswer, OperationAnswers } from '../compiled/operation-answers.js';
import { isStatusClass } from '../expand/compile-run.js';

/** The schemas that the body of a right answer may have; undefined where it may be anything. */
export function answerSchemas(
  { answers }: OperationAnswers,
  expect: JsonValue | undefined,
  mayFail: boolean,
): readonly JsonValue[] | undefined {
  const allowed = mayFail ? undefined : statusesIn(expect);
  const right = allowed === undefined ? answers : [...new Set(allowed.flatMap((one) => answersFor(one, answers)))];
  const bodies = right.map(({ schemas }) => schemas);
  const all = bodies.flatMap((schemas) => schemas ?? []);
  return bodies.includes(undefined) || all.length === 0 ? undefined : all;
}

/** Undefined where an expression tells which answers are right: it sees any. */
function statusesIn(expect: JsonValue | undefined): readonly string[] | undefined {
  if (expect === undefined) return ['2xx'];
  if (typeof expect === 'string' && !isStatusClass(expect)) return undefined;
  return [expect].flat().map(String);
}

/** By its own status, else by its class, else by what stands for all others. */
function answersFor(status: string, answers: readonly OperationAnswer[]): readonly OperationAnswer[] {
  const of = (name: string): readonly OperationAnswer[] =>
    answers.filter((answer) => answer.status.toLowerCase() === name);
  const whole = `${status[0]!}xx`;
  const own = status === whole ? answers.filter((answer) => answer.status.startsWith(status[0]!)) : of(status);
  if (own.length > 0) return own;
  const ofClass = of(whole);
  const found = ofClass.length > 0 ? ofClass : of('default');
  return found.length > 0 ? found : [{ status, schemas: undefined }];
}
