import { z } from 'zod';
import { userOnlyReasons } from '../../base/closed-sets.js';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { modeNames, preferencesSchema } from '../../base/preferences.js';

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

const stepId = z
  .string()
  .regex(segment)
  .max(limits.definitionName)
  .describe('lower-case letters, digits, `_` and `-`, a letter first');
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
  kind: z
    .string()
    .regex(/^[a-z][a-z0-9_.-]*$/u)
    .max(limits.definitionName)
    .describe("the artifact's kind, such as team.risk"),
  schema: jsonObject.describe('JSON Schema (2020-12, or 7 by its `$schema`)'),
  example: jsonObject,
  required: z.boolean().default(true),
});

const packSource = z.strictObject({
  contract: text.max(limits.definitionName).describe('a contract of the registry, such as wr.contracts.findings'),
  required: z.boolean().default(true),
});
const anyOutput = z.union([packSource, outputSource]);
export type OutputSource = z.output<typeof anyOutput>;

const length = z.number().int().min(1).max(limits.notes);
const ruleSource = z.strictObject({
  contains: text.optional(),
  matches: text.max(limits.expression).describe('a regular expression in RE2 syntax').optional(),
  minLength: length.optional(),
  maxLength: length.optional(),
  get all() {
    return z.array(ruleSource).min(1).optional();
  },
  get any() {
    return z.array(ruleSource).min(1).optional();
  },
  get not() {
    return ruleSource.optional();
  },
  message: text.max(limits.promptWarning).describe('your own words for what to write, told with the rule').optional(),
  example: text.max(limits.notes).describe('notes that keep the rule, where none can be found by program').optional(),
});
export type RuleSource = z.output<typeof ruleSource>;
export const rulesSource = z.array(ruleSource);

/** In the order in which they are rendered. */
const block = z.union([text.max(limits.prompt), z.array(text.max(limits.prompt)).min(1)]);
const blocksSource = z.strictObject({
  goal: block.optional(),
  constraints: block.optional(),
  procedure: block.describe('a list is numbered').optional(),
  outputs: block.optional(),
  verify: block.optional(),
});
export type PromptBlocks = z.output<typeof blocksSource>;

const dimensionSource = z.strictObject({
  purpose: text.max(limits.promptWarning),
  levels: z.array(text.max(limits.tag)).min(2).max(20),
  required: z.boolean().default(true),
});
const assessmentSource = z.strictObject({
  id: stepId,
  purpose: text.max(limits.promptWarning),
  dimensions: z.record(valueName, dimensionSource),
  followUps: z
    .array(z.strictObject({ level: text.max(limits.tag), guidance: text.max(limits.promptWarning) }))
    .default([])
    .describe('where any dimension has the level, the step is done only after this'),
});
export type AssessmentSource = z.output<typeof assessmentSource>;

const functionSource = z.strictObject({
  params: z.array(valueName).default([]),
  text: text.max(limits.promptWarning).describe('with `{{param}}` where a parameter goes'),
});
const referenceSource = z.strictObject({
  id: stepId,
  title: line,
  path: text.max(limits.expression).describe('a path in the project, or an address; it is named, never opened'),
  purpose: text.max(limits.promptWarning).optional(),
  authoritative: z.boolean().default(false),
});

const routineId = text.max(2 * limits.definitionName).describe("a routine's id, such as wr.routines.design_review");
const withSource = z.record(valueName, json).describe("the routine's inputs: values, or text with `${{ … }}`");
const delegateSource = z.strictObject({
  routine: routineId.optional(),
  title: line.optional(),
  goal: text.max(limits.promptWarning),
  with: withSource.optional(),
  if: expression.optional(),
});

const stepSource = z.strictObject({
  id: stepId,
  title: line.optional(),
  if: expression.optional(),

  prompt: z.union([text.max(limits.prompt), blocksSource]).optional(),
  call: routineId.optional(),
  with: withSource.optional(),
  delegate: z.array(delegateSource).min(1).max(limits.artifactCount).optional(),

  role: text.max(limits.promptWarning).optional(),
  guidance: listOfText.optional(),
  sets: z.record(valueName, valueSource).optional(),
  needs: z.array(needSource).optional(),
  confirm: z.union([z.boolean(), z.strictObject({ if: expression })]).optional(),
  notes: z.enum(['encouraged', 'required', 'optional']).optional(),
  output: z.union([z.array(anyOutput).min(1), anyOutput]).optional(),
  rules: rulesSource.optional(),
  functions: z.array(valueName).describe("names of the workflow's functions").optional(),
  assessments: z
    .array(z.union([stepId, assessmentSource]))
    .describe("ids of the workflow's assessments, or whole ones")
    .optional(),

  foreach: expression.optional(),
  as: valueName.optional(),
  while: expression.optional(),
  until: expression.optional(),
  repeat: z.union([z.number().int().min(0).max(limits.loopIterations), expression]).optional(),
  control: z.literal(true).describe('goes on until an artifact wr.loop_control says stop').optional(),
  max: z.number().int().min(1).max(limits.loopIterations).optional(),
  get steps(): z.ZodOptional<z.ZodArray<typeof stepSource>> {
    return z.optional(z.array(stepSource).min(1));
  },
});
export type StepSource = z.output<typeof stepSource>;

const recommendsSource = z.strictObject({ mode: z.enum(modeNames), ...preferencesSchema.shape }).partial();

/** The bodies a step may have, what belongs to one that an agent meets, and what makes a loop: which may stand together is one rule, kept in one place. */
export const bodyFields = ['prompt', 'steps', 'call', 'delegate'] as const;
export const promptFields = [
  'role',
  'guidance',
  'sets',
  'needs',
  'confirm',
  'notes',
  'output',
  'rules',
  'functions',
  'assessments',
] as const;
export const loopFields = ['foreach', 'while', 'until', 'repeat', 'control'] as const;
export const ruleFields = ['contains', 'matches', 'minLength', 'maxLength', 'all', 'any', 'not'] as const;
export const blockFields = ['goal', 'constraints', 'procedure', 'outputs', 'verify'] as const;

export const workflowSource = z.strictObject({
  workflow: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)?$/u)
    .max(2 * limits.definitionName)
    .describe('namespace.name, each of lower-case letters, digits, `_` and `-`, a letter first'),
  title: line.optional(),
  description: text.max(limits.promptWarning).default('').describe('When to use it'),
  version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/u)
    .default('0.0.0')
    .describe('such as 1.2.0'),
  kind: z.enum(['workflow', 'routine']).default('workflow'),
  tags: z.array(text.max(limits.tag)).max(limits.tagCount).default([]),
  guidance: listOfText.default([]),
  preconditions: listOfText.default([]),
  clarify: listOfText.default([]),
  recommends: recommendsSource.optional(),
  uses: z
    .array(text.max(limits.definitionName))
    .max(20)
    .default([])
    .describe('features, such as wr.features.subagent_guidance'),
  functions: z.record(valueName, functionSource).default({}),
  references: z.array(referenceSource).max(100).default([]),
  assessments: z.array(assessmentSource).max(100).default([]),
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
  output: [...Object.keys(outputSource.shape), 'contract'],
  blocks: blockFields,
  confirm: ['if'],
  delegate: Object.keys(delegateSource.shape),
  assessment: Object.keys(assessmentSource.shape),
  dimension: Object.keys(dimensionSource.shape),
  followUp: ['level', 'guidance'],
  function: Object.keys(functionSource.shape),
  reference: Object.keys(referenceSource.shape),
  recommends: Object.keys(recommendsSource.shape),
  input: Object.keys(inputSource.shape),
  value: [...Object.keys(flatValue.shape), 'items'],
} as const;
