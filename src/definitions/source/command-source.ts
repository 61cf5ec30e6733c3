import { z } from 'zod';
import { limits } from '../../base/limits.js';
import { asked, filled, json } from './source-part.js';

const runName = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]*\s+\S.*$/u)
  .max(limits.expression);
const span = z.string().regex(/^\d{1,6}\s*(?:s|m|min|h|d)$/u);
const expression = z.string().min(1).max(limits.expression);

/** A catalog has names of any form. */
export const parameterName = z.string().min(1).max(limits.parameterName);

const status = z.number().int().min(100).max(599);
const statusClass = z.enum(['1xx', '2xx', '3xx', '4xx', '5xx']);

export const retrySource = z.strictObject({
  max: z.number().int().min(0).max(limits.commandRetries).describe('How often it is sent again at most').optional(),
  on: z
    .array(z.union([status, z.literal('5xx'), z.literal('network')]))
    .min(1)
    .max(50)
    .meta({ description: 'After which answers: a status, `5xx`, `network`', examples: [[429, 503, 'network']] })
    .optional(),
  up_to: span.meta({ description: 'The longest wait before the next try', examples: ['60s'] }).optional(),
});

export const paginateSource = z.strictObject({
  by: z
    .enum(['link', 'cursor', 'page', 'offset'])
    .describe('How the next page is found: the Link header, a cursor in the answer, the number of a page, an offset'),
  items: asked('paged')
    .meta({
      description: 'An expression (CEL) for the list in each answer; `body` where it is left out',
      examples: ['body.items'],
    })
    .optional(),
  next: asked('paged')
    .meta({
      description: 'With `cursor`: an expression (CEL) for the next one; null, empty or absent ends',
      examples: ['body.next_cursor'],
    })
    .optional(),
  param: parameterName
    .describe('The parameter that it goes into; `page` and `offset` where it is left out, required with `cursor`')
    .optional(),
  first: z.number().int().min(0).describe('With `page` and `offset`: where to begin; 1 and 0').optional(),
  max_items: z.number().int().min(1).max(limits.commandItems).describe('The most items').optional(),
  max_pages: z.number().int().min(1).max(limits.commandPages).describe('The most pages; 20').optional(),
});

export const providerSource = z.strictObject({
  run: runName.meta({ description: 'A catalog and one of its commands', examples: ['github repos/list-for-org'] }),
  with: z
    .record(parameterName, json)
    .describe('Its parameters by name: values, or text with `${{ inputs.<name> }}` of other inputs')
    .optional(),
  items: expression
    .meta({
      description: 'An expression (CEL) for the list in the answer; `body` where it is left out',
      examples: ['body.items'],
    })
    .optional(),
  value: expression.meta({
    description: 'An expression (CEL) of each `item`: what the input becomes',
    examples: ['item.login'],
  }),
  label: expression
    .meta({ description: 'An expression (CEL) of each `item`: what a person chooses by', examples: ['item.name'] })
    .optional(),
  on_error: z
    .enum(['prompt', 'stale', 'fail'])
    .describe('When it cannot be asked: ask the user, take what it said last, or do not start')
    .default('prompt'),
});

/** The keys of a step that go with `run` alone. */
export const runKeysSource = {
  body: filled
    .describe(
      'What is sent: JSON, or text with `${{ … }}`; a hole that stands alone keeps its type; a file is `{ file: path }`',
    )
    .optional(),
  content: z
    .string()
    .min(1)
    .max(limits.definitionName)
    .meta({
      description: 'The content type of `body`, where the command takes several',
      examples: ['application/json'],
    })
    .optional(),
  expect: z
    .union([
      status,
      z
        .array(z.union([status, statusClass]))
        .min(1)
        .max(50),
      asked('answered'),
    ])
    .meta({
      description: 'Which answers are right: a status, `2xx`, a list of them, or an expression (CEL); 2xx',
      examples: ['2xx', [200, 404], 'status == 200 && body.ready'],
    })
    .optional(),
  keep: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_]*$/u)
        .max(limits.definitionName),
      asked('kept'),
    )
    .meta({
      description: 'What later steps read as the `body`, by name: expressions (CEL) of the answer, or of each `item`',
      examples: [{ titles: 'body.items.map(i, i.title)' }],
    })
    .optional(),
  every: span.meta({ description: 'With `until`: the pause between two tries; 10s', examples: ['15s'] }).optional(),
  timeout: span.meta({ description: 'How long the step may take in all', examples: ['30m'] }).optional(),
  retry: retrySource
    .meta({
      description: 'When it is sent again after an error',
      examples: [{ max: 3, on: [429, 503, 'network'], up_to: '60s' }],
    })
    .optional(),
  paginate: paginateSource
    .meta({
      description: 'Every page of a list; `body` is then the list of all items',
      examples: [{ by: 'link', items: 'body.workflow_runs', max_items: 300 }],
    })
    .optional(),
  on_error: z
    .enum(['fail', 'continue'])
    .describe('Whether an error ends the run, or the run goes on and `outputs.<id>.ok` is false')
    .optional(),
  repeatable: z.boolean().describe('Whether it may be sent twice; the method tells where it is left out').optional(),
  depends_on: z
    .array(z.string().min(1).max(limits.definitionName))
    .min(1)
    .max(100)
    .describe('Steps before this one; where one of them is skipped or fails, this one is skipped')
    .optional(),
  secret: z
    .literal(true)
    .describe('What comes back is never written to disk; only what later steps send may hold it')
    .optional(),
};

/** The body of such a step. */
export const runSource = runName
  .meta({
    description: 'Body: a command of a catalog, sent by WorkRail',
    examples: ['github repos/get-branch', 'github GET /repos/{owner}/{repo}'],
  })
  .optional();
