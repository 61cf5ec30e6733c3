import { z } from 'zod';
import { limits } from '../../base/limits.js';
import { valueTypes } from '../compiled/compiled-workflow.js';
import { providerSource } from './command-source.js';
import { json, part } from './source-part.js';

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
  provider: providerSource
    .meta({
      description: 'A command of a catalog that lists its values',
      examples: [{ run: 'github orgs/list-for-authenticated-user', value: 'item.login' }],
    })
    .optional(),
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
