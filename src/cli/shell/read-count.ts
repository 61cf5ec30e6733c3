import { err, ok, type Result } from '../../base/result.js';

/** A whole number of at least one, as an option's value. */
export function readCount(text: string | undefined, usual: number, option: string): Result<number, string> {
  if (text === undefined) return ok(usual);
  return /^[1-9]\d{0,8}$/u.test(text)
    ? ok(Number(text))
    : err(`${option} takes a number from 1 on, not ${JSON.stringify(text)}`);
}
