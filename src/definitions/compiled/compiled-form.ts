import { z } from 'zod';
import { userOnlyReasons } from '../../base/closed-sets.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import {
  assumptionPolicySchema,
  autonomySchema,
  gateHandlingSchema,
  modeNames,
  riskPolicySchema,
} from '../../base/preferences.js';
import type { CompiledStep, CompiledWorkflow, Rule, ValueSpec } from './compiled-workflow.js';

/** The schema of a pin: `CompiledWorkflow` for values that come from a disk. The annotations hold the two together. */
const json = z.custom<JsonValue>((value) => value !== undefined);
const jsonObject = z.custom<JsonObject>(isJsonObject);
const texts = z.array(z.string());

const valueFields = {
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object', 'any']),
  description: z.exactOptional(z.string()),
  enum: z.exactOptional(z.array(json)),
  pattern: z.exactOptional(z.string()),
  minimum: z.exactOptional(z.number()),
  maximum: z.exactOptional(z.number()),
  example: z.exactOptional(json),
};
const value: z.ZodType<ValueSpec> = z.lazy(() => z.strictObject({ ...valueFields, items: z.exactOptional(value) }));
const input = z.strictObject({
  ...valueFields,
  items: z.exactOptional(value),
  required: z.boolean(),
  default: z.exactOptional(json),
});

const stepFields = { id: z.string(), title: z.string(), if: z.exactOptional(z.string()) };

const words = { message: z.exactOptional(z.string()), example: z.exactOptional(z.string()) };
const rule: z.ZodType<Rule> = z.lazy(() =>
  z.union([
    z.strictObject({ contains: z.string(), ...words }),
    z.strictObject({ matches: z.string(), ...words }),
    z.strictObject({ minLength: z.number(), ...words }),
    z.strictObject({ maxLength: z.number(), ...words }),
    z.strictObject({ all: z.array(rule), ...words }),
    z.strictObject({ any: z.array(rule), ...words }),
    z.strictObject({ not: rule, ...words }),
  ]),
);

const output = z.strictObject({
  kind: z.string(),
  required: z.boolean(),
  schema: jsonObject,
  example: jsonObject,
  contract: z.exactOptional(z.string()),
  documents: z.exactOptional(
    z.array(
      z.strictObject({
        document: z.string(),
        fold: z.enum(['header', 'log', 'table', 'list']),
        field: z.exactOptional(z.string()),
        key: z.exactOptional(texts),
      }),
    ),
  ),
});

const assessment = z.strictObject({
  id: z.string(),
  purpose: z.string(),
  dimensions: z.array(z.strictObject({ id: z.string(), purpose: z.string(), levels: texts, required: z.boolean() })),
  followUps: z.array(z.strictObject({ level: z.string(), guidance: z.string() })),
});

const promptStep = z.strictObject({
  kind: z.literal('prompt'),
  ...stepFields,
  role: z.exactOptional(z.string()),
  prompt: z.string(),
  guidance: texts,
  sets: z.record(z.string(), value),
  needs: z.array(z.strictObject({ reason: z.enum(userOnlyReasons), key: z.string(), ask: z.string() })),
  confirm: z.boolean(),
  notes: z.enum(['encouraged', 'required', 'optional']),
  outputs: z.array(output),
  rules: z.array(rule),
  confirmIf: z.exactOptional(z.string()),
  functions: z.exactOptional(z.array(z.strictObject({ name: z.string(), params: texts, text: z.string() }))),
  fragments: z.exactOptional(
    z.array(z.strictObject({ id: z.string(), if: z.exactOptional(z.string()), text: z.string() })),
  ),
  assessments: z.exactOptional(z.array(assessment)),
  delegates: z.exactOptional(
    z.array(
      z.strictObject({
        title: z.string(),
        goal: z.string(),
        if: z.exactOptional(z.string()),
        text: z.string(),
        brief: z.exactOptional(z.string()),
      }),
    ),
  ),
  briefs: z.exactOptional(z.array(z.strictObject({ id: z.string(), text: z.string() }))),
});

const loop = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('foreach'), list: z.string(), as: z.string() }),
  z.strictObject({ type: z.literal('while'), test: z.string() }),
  z.strictObject({ type: z.literal('until'), test: z.string() }),
  z.strictObject({ type: z.literal('repeat'), times: z.union([z.number(), z.string()]) }),
  z.strictObject({ type: z.literal('control') }),
]);

const step: z.ZodType<CompiledStep> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    promptStep,
    z.strictObject({
      kind: z.literal('loop'),
      ...stepFields,
      loop,
      counter: z.exactOptional(z.string()),
      index: z.exactOptional(z.string()),
      max: z.number().int(),
      steps: z.array(step),
    }),
    z.strictObject({
      kind: z.literal('group'),
      ...stepFields,
      routine: z.exactOptional(z.string()),
      steps: z.array(step),
    }),
  ]),
);

export const compiledForm: z.ZodType<CompiledWorkflow> = z.strictObject({
  compiled: z.literal(1),
  id: z.string(),
  kind: z.enum(['workflow', 'routine']),
  title: z.string(),
  description: z.string(),
  version: z.string(),
  tags: texts,
  guidance: texts,
  preconditions: texts,
  clarify: texts,
  recommends: z.exactOptional(
    z.strictObject({
      mode: z.exactOptional(z.enum(modeNames)),
      autonomy: z.exactOptional(autonomySchema),
      gateHandling: z.exactOptional(gateHandlingSchema),
      assumptionPolicy: z.exactOptional(assumptionPolicySchema),
      riskPolicy: z.exactOptional(riskPolicySchema),
    }),
  ),
  inputs: z.record(z.string(), input),
  references: z.exactOptional(
    z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        path: z.string(),
        purpose: z.exactOptional(z.string()),
        authoritative: z.boolean(),
      }),
    ),
  ),
  steps: z.array(step),
  provenance: z.exactOptional(z.array(z.strictObject({ at: z.string(), from: z.string() }))),
});
