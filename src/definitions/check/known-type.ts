import type { JsonValue } from '../../base/json-value.js';

/** As much as is known of a value before anything runs. */
export interface KnownType {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'any';
  /** Where only these are possible. */
  readonly values?: readonly JsonValue[];
  readonly items?: KnownType;
  /** All that it can have, where that is known. */
  readonly members?: { readonly [name: string]: KnownType };
  readonly answer?: AnswerType;
}

/** A part of an answer, as its catalog has it. Worked out where it is asked for, since schemas go round in circles. */
export interface AnswerType {
  /** What it may be besides null; undefined where that is anything. */
  readonly kinds: ReadonlySet<string> | undefined;
  readonly fields: readonly string[];
  /** Whether there may be other fields: the schema says so, does not say, or says that there are none. */
  readonly others: 'open' | 'unsaid' | 'closed';
  readonly field: (name: string) => KnownType;
  readonly element: () => KnownType;
}

export interface TypeProblem {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly closest?: string;
  /** It may be right all the same. */
  readonly mild?: true;
}

export const typeWords = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
  any: 'any value',
} as const;

export function typeInWords({ type, values }: KnownType): string {
  return values ? values.map((value) => JSON.stringify(value)).join(', ') : typeWords[type];
}
