import { z } from 'zod';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { valueTypes } from '../compiled/compiled-workflow.js';
import { type PartRole, partRoles } from '../compiled/schema-parts.js';

// Source documents are JSON by construction, so that any value will do here.
export const json = z.custom<JsonValue>((value) => value !== undefined);

/** A text of a file that is found wherever it stands: its holes are checked, its expressions read. */
export const part = (role: PartRole): z.ZodString => z.string().min(1).register(partRoles, { role });

const valueFields = {
  type: z.enum(valueTypes).describe('Its JSON type'),
  description: part('shown').describe('Shown to whoever has to give it').optional(),
  enum: z
    .array(json)
    .min(1)
    .meta({ description: 'The only right values', examples: [['low', 'high']] })
    .optional(),
  pattern: z
    .string()
    .min(1)
    .max(limits.expression)
    .meta({
      description: 'For text: a regular expression in RE2 syntax, found anywhere in it unless anchored',
      examples: ['^[A-Z]+-[0-9]+$'],
    })
    .optional(),
  minimum: z.number().describe('For numbers: the least, included').optional(),
  maximum: z.number().describe('For numbers: the most, included').optional(),
  example: json.describe('A right value; needed beside a `pattern` that no text can be made up for').optional(),
};
const flatValue = z.strictObject(valueFields);
export type ValueSource = z.output<typeof flatValue> & { items?: ValueSource | undefined };
const valueSource: z.ZodType<ValueSource> = flatValue.extend({
  items: z.lazy(() => valueSource.optional()).describe('For lists: what each element is'),
});
const wholeFields = { ...valueFields, items: valueSource.optional().describe('For lists: what each element is') };

export const inputSource = z.strictObject({
  ...wholeFields,
  required: z.boolean().default(false).describe('Whether a run cannot start without it'),
  default: json.describe('Taken where it is not given').optional(),
});

/** A context key that the agent hands back with a step. */
export const handedSource = z.strictObject({
  ...wholeFields,
  required: z.boolean().default(true).describe('Whether the step is done only with it'),
  add: z
    .literal(true)
    .describe('For lists: what is handed back comes to the elements that are there, and does not take their place')
    .optional(),
});

/** A context key that is a field of what the step hands back anyway. */
export const takenSource = z.strictObject({
  from: z
    .string()
    .regex(/^output(?:\.[A-Za-z][A-Za-z0-9_]*)+$/u)
    .max(limits.expression)
    .meta({
      description: "`output.` and a field of the step's own artifact, whose value the key takes",
      examples: ['output.risk'],
    }),
});
