import type { JsonValue } from '../../base/json-value.js';

/** As much as is known of a value before anything runs. */
export interface KnownType {
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'any';
  /** Where only these are possible. */
  readonly values?: readonly JsonValue[];
  readonly items?: KnownType;
  /** All that it can have, where that is known. */
  readonly members?: { readonly [name: string]: KnownType };
}

export interface TypeProblem {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly closest?: string;
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
