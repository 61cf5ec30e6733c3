import { z } from 'zod';
import { userOnlyReasons } from '../base/closed-sets.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { modeNames, preferencesSchema } from '../base/preferences.js';

/**
 * The authored format: shape only. What spans several fields (one body a step, names in expressions, examples that
 * pass their schemas) is told by `check-workflow`, which can still speak when the shape is wrong elsewhere.
 */
const segment = /^[a-z][a-z0-9_-]*$/u;
/** A name that expressions can read without brackets. */
const name = /^[A-Za-z][A-Za-z0-9_]*$/u;

const text = z.string().min(1);
const line = text.max(limits.title);
const listOfText = z.array(text.max(limits.promptWarning)).max(100);
const expression = text.max(limits.expression).describe('An expression (CEL)');
// Source documents are JSON by construction, so that any value will do here.
const json = z.custom<JsonValue>((value) => value !== undefined);
const jsonObject = z.record(z.string(), json);

const stepId = z.string().regex(segment).max(limits.definitionName).describe('lower-case letters, digits, `_` and `-`, a letter first');
const valueName = z.string().regex(name).max(limits.definitionName).describe('letters, digits and `_`, a letter first');

const valueType = z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object', 'any']);
const valueFields = {
  type: valueType,
  description: text.optional(),
  enum: z.array(json).min(1).optional(),
  pattern: text.max(limits.expression).describe('a regular expression in RE2 syntax').optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  example: json.optional(),
};
const flatValue = z.strictObject(valueFields);
export type ValueSource = z.output<typeof flatValue> & { items?: ValueSource | undefined };
const valueSource: z.ZodType<ValueSource> = flatValue.extend({ items: z.lazy(() => valueSource.optional()) });

const inputSource = z.strictObject({
  ...valueFields,
  items: valueSource.optional(),
  required: z.boolean().default(false),
  default: json.optional(),
});

const needSource = z.strictObject({
  reason: z.enum(userOnlyReasons),
  key: valueName.describe('the context key whose presence satisfies the need'),
  ask: text.max(limits.promptWarning),
});

const outputSource = z.strictObject({
  kind: z.string().regex(/^[a-z][a-z0-9_.-]*$/u).max(limits.definitionName).describe("the artifact's kind, such as team.risk"),
  schema: jsonObject.describe('JSON Schema (2020-12, or 7 by its `$schema`)'),
  example: jsonObject,
  required: z.boolean().default(true),
});

const length = z.number().int().min(1).max(limits.notes);
const ruleSource = z.strictObject({
  contains: text.optional(),
  matches: text.max(limits.expression).describe('a regular expression in RE2 syntax').optional(),
  minLength: length.optional(),
  maxLength: length.optional(),
});

const stepSource = z.strictObject({
  id: stepId,
  title: line.optional(),
  if: expression.optional(),

  prompt: text.max(limits.prompt).optional(),
  role: text.max(limits.promptWarning).optional(),
  guidance: listOfText.optional(),
  sets: z.record(valueName, valueSource).optional(),
  needs: z.array(needSource).optional(),
  confirm: z.boolean().optional(),
  notes: z.enum(['encouraged', 'required', 'optional']).optional(),
  output: z.union([z.array(outputSource).min(1), outputSource]).optional(),
  rules: z.array(ruleSource).optional(),

  foreach: expression.optional(),
  as: valueName.optional(),
  while: expression.optional(),
  until: expression.optional(),
  repeat: z.union([z.number().int().min(0).max(limits.loopIterations), expression]).optional(),
  max: z.number().int().min(1).max(limits.loopIterations).optional(),
  get steps(): z.ZodOptional<z.ZodArray<typeof stepSource>> {
    return z.optional(z.array(stepSource).min(1));
  },
});
export type StepSource = z.output<typeof stepSource>;

const recommendsSource = z.strictObject({ mode: z.enum(modeNames), ...preferencesSchema.shape }).partial();

/** Fields that belong to a prompt, and those that make a loop: which may stand together is one rule, kept in one place. */
export const promptFields = ['role', 'guidance', 'sets', 'needs', 'confirm', 'notes', 'output', 'rules'] as const;
export const loopFields = ['foreach', 'while', 'until', 'repeat'] as const;

export const workflowSource = z.strictObject({
  workflow: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)?$/u)
    .max(2 * limits.definitionName)
    .describe('namespace.name, each of lower-case letters, digits, `_` and `-`, a letter first'),
  title: line.optional(),
  description: text.max(limits.promptWarning).default('').describe('When to use it'),
  version: z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/u).default('0.0.0').describe('such as 1.2.0'),
  kind: z.enum(['workflow', 'routine']).default('workflow'),
  tags: z.array(text.max(limits.tag)).max(limits.tagCount).default([]),
  guidance: listOfText.default([]),
  preconditions: listOfText.default([]),
  clarify: listOfText.default([]),
  recommends: recommendsSource.optional(),
  inputs: z.record(valueName, inputSource).default({}),
  steps: z.array(stepSource).min(1),
});

export type WorkflowSource = z.output<typeof workflowSource>;

/** What each object of the format may hold. */
export const keysOf = {
  workflow: Object.keys(workflowSource.shape),
  step: Object.keys(stepSource.shape),
  need: Object.keys(needSource.shape),
  rule: Object.keys(ruleSource.shape),
  output: Object.keys(outputSource.shape),
  recommends: Object.keys(recommendsSource.shape),
  input: Object.keys(inputSource.shape),
  value: [...Object.keys(flatValue.shape), 'items'],
} as const;
