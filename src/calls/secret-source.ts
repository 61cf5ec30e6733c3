import type { Result } from '../base/result.js';
import type { CallProblem } from './call-problem.js';

/** A secret is of one catalog and one origin: a catalog whose address was changed has none. */
export interface SecretName {
  readonly catalog: string;
  readonly origin: string;
  readonly name: string;
}

export interface SecretSource {
  readonly read: (asked: SecretName) => Result<string, CallProblem>;
  /** The values of all that a catalog has for an origin, as far as they are there. */
  readonly all: (of: Pick<SecretName, 'catalog' | 'origin'>) => readonly string[];
}

/** As an expression can name it. */
export const secretNamePattern = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/u;
