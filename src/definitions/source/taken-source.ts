import { z } from 'zod';
import { limits } from '../../base/limits.js';

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
