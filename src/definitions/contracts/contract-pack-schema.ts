import type { JsonObject } from '../../base/json-value.js';

/** The few forms that contracts are made of. All are bounded: an artifact is for people to read, too. */
export const text = (most = 2000): JsonObject => ({ type: 'string', minLength: 1, maxLength: most });

export const oneOf = (...words: readonly string[]): JsonObject => ({ enum: words });

export const listOf = (items: JsonObject, most: number, least = 0): JsonObject => ({
  type: 'array',
  items,
  maxItems: most,
  ...(least > 0 && { minItems: least }),
});

/** One that may have further fields. */
export const openRecord = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  required,
  properties,
});

export const record = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  ...openRecord(properties, required),
  additionalProperties: false,
});

export const described = (description: string, schema: JsonObject): JsonObject => ({ description, ...schema });

export const count: JsonObject = { type: 'integer', minimum: 0 };

export const line: JsonObject = { type: 'integer', minimum: 1 };
