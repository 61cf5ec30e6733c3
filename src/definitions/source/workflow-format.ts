import { z } from 'zod';
import { userOnlyReasons } from '../../base/closed-sets.js';
import { limits } from '../../base/limits.js';
import { modeNames } from '../../base/preferences.js';
import { preferencesSchema } from '../../base/preferences-schema.js';
import { parameterName, runKeysSource, runSource } from './command-source.js';
import { asked, filled, json, part } from './source-part.js';
import { handedSource, inputSource, takenSource } from './value-source.js';

/**
 * The authored format: shape only. What spans several fields (one body a step, names in expressions, examples that
 * pass their schemas) is told by `check-workflow`, which can still speak when the shape is wrong elsewhere.
 */
const segment = /^[a-z][a-z0-9_-]*$/u;
/** A name that expressions can read without brackets. */
const name = /^[A-Za-z][A-Za-z0-9_]*$/u;

const text = z.string().min(1);
const listOf = <S extends z.ZodType>(item: S): z.ZodArray<S> => z.array(item).max(100);
const shortText = text.max(limits.promptWarning);
const jsonObject = z.record(z.string(), json);

const told = part('told');
const toldWords = told.max(limits.promptWarning);
const toldLine = told.max(limits.title);
const shown = part('shown');

const stepId = z.string().regex(segment).max(limits.definitionName);
const valueName = z.string().regex(name).max(limits.definitionName).describe('Letters, digits and `_`, a letter first');

const needSource = z.strictObject({
  reason: z.enum(userOnlyReasons).describe('What kind of thing only the user has'),
  key: valueName.describe('The context key whose presence satisfies the need'),
  ask: told.max(limits.promptWarning).describe('The request, as the user should read it, with `${{ … }}` holes'),
});

const outputSource = z.strictObject({
  kind: z
    .string()
    .regex(/^[a-z][a-z0-9_.-]*$/u)
    .max(limits.definitionName)
    .describe("The artifact's kind, such as team.risk"),
  schema: jsonObject.describe('JSON Schema (2020-12, or 7 by its `$schema`) of the artifact without its `kind`'),
  example: jsonObject.describe('A right artifact; it must pass the schema'),
  required: z.boolean().default(true).describe('Whether the step is done only with it'),
});

const packSource = z.strictObject({
  contract: text.max(limits.definitionName).describe('A contract of the registry, such as wr.contracts.findings'),
  required: z.boolean().default(true).describe('Whether the step is done only with it'),
});
const anyOutput = z.union([packSource, outputSource]);
export type OutputSource = z.output<typeof anyOutput>;

const length = z.number().int().min(1).max(limits.notes);
const ruleSource = z.strictObject({
  contains: shown.meta({ description: 'The notes have it, in this spelling', examples: ['Verified:'] }).optional(),
  matches: text.max(limits.expression).describe('A regular expression in RE2 syntax that is found').optional(),
  minLength: length.describe('The fewest characters').optional(),
  maxLength: length.describe('The most characters').optional(),
  get all() {
    return z.array(ruleSource).min(1).optional().describe('Rules each of which holds');
  },
  get any() {
    return z.array(ruleSource).min(1).optional().describe('Rules of which at least one holds');
  },
  get not() {
    return ruleSource.optional().describe('A rule that does not hold');
  },
  message: shown.max(limits.promptWarning).describe('Your own words for what to write, told with the rule').optional(),
  example: text.max(limits.notes).describe('Notes that keep the rule, where none can be found by program').optional(),
});
export type RuleSource = z.output<typeof ruleSource>;
export const rulesSource = z.array(ruleSource);

/** In the order in which they are rendered. */
const toldLong = told.max(limits.prompt);
const block = z.union([toldLong, z.array(toldLong).min(1)]);
const blocksSource = z.strictObject({
  goal: block.describe('What is to be reached').optional(),
  constraints: block.describe('What must not happen').optional(),
  procedure: block.describe('How to go about it; a list is numbered').optional(),
  outputs: block.describe('What to hand back').optional(),
  verify: block.describe('What to make sure of before handing back').optional(),
});
export type PromptBlocks = z.output<typeof blocksSource>;

const dimensionSource = z.strictObject({
  purpose: shortText.describe('What is judged in it'),
  levels: z
    .array(text.max(limits.tag))
    .min(2)
    .max(20)
    .meta({ description: 'One of them is chosen', examples: [['low', 'high']] }),
  required: z.boolean().default(true).describe('Whether it must be judged; otherwise where it applies'),
});
const assessmentSource = z.strictObject({
  id: stepId.describe('Its name: lower-case letters, digits, `_` and `-`, a letter first'),
  purpose: shortText.describe('What is judged, and what for'),
  dimensions: z.record(valueName, dimensionSource).meta({
    description: 'What is judged by itself, by name',
    examples: [{ evidence: { purpose: 'How well is it shown?', levels: ['low', 'high'] } }],
  }),
  followUps: z
    .array(
      z.strictObject({
        level: text.max(limits.tag).describe('A level of any dimension'),
        guidance: shortText.describe('What is then to be done before the next assessment'),
      }),
    )
    .default([])
    .describe('Where any dimension has the level, the step is done only after this'),
});
export type AssessmentSource = z.output<typeof assessmentSource>;

const functionSource = z.strictObject({
  params: z.array(valueName).default([]).describe('Names of its parameters'),
  text: shortText.describe('With `{{param}}` where a parameter goes'),
});
const referenceSource = z.strictObject({
  id: stepId.describe('Its name: lower-case letters, digits, `_` and `-`, a letter first'),
  title: text.max(limits.title).describe('What it is called'),
  path: text.max(limits.expression).describe('A path in the project, or an address; it is named, never opened'),
  purpose: shortText.describe('What it is for').optional(),
  authoritative: z.boolean().default(false).describe('Whether it wins where it disagrees with the workflow'),
});

const routineId = text.max(2 * limits.definitionName).describe("A routine's id, such as wr.routines.design_review");
const withSource = z.record(valueName, filled).describe("The routine's inputs: values, or text with `${{ … }}`");
const delegateSource = z.strictObject({
  routine: routineId.optional(),
  title: toldLine.describe('What the piece is called').optional(),
  goal: toldWords.describe('What the piece is for'),
  with: withSource.optional(),
  if: asked('condition').describe('An expression (CEL): the piece is told only where it holds').optional(),
});

/** What a step may have besides steps inside of it. */
const leafSource = z.strictObject({
  id: stepId.describe('Unique in the file: lower-case letters, digits, `_` and `-`, a letter first'),
  title: toldLine.describe('What the step is called; by default the id in words').optional(),
  if: asked('condition')
    .meta({
      description: 'An expression (CEL): the step runs only where it holds',
      examples: ['context.risk == "high"'],
    })
    .optional(),

  prompt: z
    .union([toldLong, blocksSource])
    .describe('Body: what the agent does now, as one text with `${{ … }}` holes or in blocks')
    .optional(),
  call: routineId.describe('Body: the id of a routine, such as wr.compare_designs, which is put in here').optional(),
  run: runSource,
  fail: toldWords.describe('Body: ends the run as failed, with this reason').optional(),
  with: z
    .record(parameterName, filled)
    .describe("The routine's inputs, or the command's parameters: values, or text with `${{ … }}`")
    .optional(),
  delegate: z
    .array(delegateSource)
    .min(1)
    .max(limits.artifactCount)
    .meta({
      description: 'Body: independent pieces that the agent may give to sub-agents',
      examples: [[{ routine: 'wr.gather_evidence', goal: 'Find out who calls it.' }]],
    })
    .optional(),

  role: toldWords.describe('Who the agent is in this step').optional(),
  guidance: listOf(toldWords).describe('What to heed in this step').optional(),
  sets: z
    .record(valueName, z.union([handedSource, takenSource]))
    .meta({
      description:
        'Context keys that the agent hands back or its artifact holds, for later expressions to read as `context.<key>`',
      examples: [{ risk: { type: 'string', enum: ['low', 'high'] } }, { risk: { from: 'output.risk' } }],
    })
    .optional(),
  needs: z
    .array(needSource)
    .meta({
      description: 'What only the user has; the step waits for it',
      examples: [[{ reason: 'needs_user_artifact', key: 'designDoc', ask: 'Please paste it.' }]],
    })
    .optional(),
  confirm: z
    .union([
      z.boolean(),
      z.strictObject({ if: asked('agreement').describe('An expression (CEL): when to ask for agreement') }),
    ])
    .meta({
      description: 'Whether the step is done only when the user has agreed; always, or where a condition holds',
      examples: [true, { if: 'context.rows > 100' }],
    })
    .optional(),
  notes: z.enum(['encouraged', 'required', 'optional']).describe('Whether notes must come with the step').optional(),
  output: z
    .union([z.array(anyOutput).min(1), anyOutput])
    .meta({
      description: 'Artifacts that the agent hands back: of a contract, or of a kind with a schema of your own',
      examples: [{ contract: 'wr.contracts.findings' }],
    })
    .optional(),
  rules: rulesSource
    .meta({
      description: 'What the notes must be like; they are then required',
      examples: [[{ contains: 'Verified:' }]],
    })
    .optional(),
  functions: z.array(valueName).describe("Names of the workflow's functions, shown with this step").optional(),
  assessments: z
    .array(z.union([stepId, assessmentSource]))
    .describe("Judgements to hand back: ids of the workflow's assessments, or whole ones")
    .optional(),

  puts: z
    .record(z.string().max(limits.expression), z.union([asked('put'), z.number(), z.boolean(), z.null()]))
    .meta({
      description: 'What goes into the shared state when the step is done, by JSON pointer',
      examples: [{ '/findings/-': 'context.finding' }],
    })
    .optional(),

  foreach: asked('list')
    .meta({ description: 'Loop: an expression (CEL) for a list; once for each element', examples: ['context.slices'] })
    .optional(),
  as: valueName.describe('What `foreach` calls its element; by default `item`').optional(),
  while: asked('while').describe('Loop: an expression (CEL), asked before each iteration').optional(),
  until: asked('until').describe('Loop: an expression (CEL), asked after each iteration').optional(),
  repeat: z
    .union([z.number().int().min(0).max(limits.loopIterations), asked('count')])
    .describe('Loop: how often, as a whole number or an expression (CEL) that gives one')
    .optional(),
  control: z.literal(true).describe('Loop: goes on until an artifact wr.loop_control says stop').optional(),
  max: z
    .number()
    .int()
    .min(1)
    .max(limits.loopIterations)
    .describe('The most iterations; required with `while`, `until` and `control`')
    .optional(),
  line: part('line')
    .max(limits.title)
    .meta({
      description: 'Loop: what its ledger says of a round, with `${{ … }}` holes, filled when the round is done',
      examples: ['${{ item }}: ${{ context.risk }}'],
    })
    .optional(),
  collect: z
    .record(valueName, asked('collected'))
    .meta({
      description: 'Loop: context keys that become lists of what each round left; of each an expression (CEL)',
      examples: [{ verdicts: 'context.verdict' }],
    })
    .optional(),
  ...runKeysSource,
});
export const stepSource = leafSource.extend({
  get steps(): z.ZodOptional<z.ZodArray<typeof stepSource>> {
    return z.optional(z.array(stepSource).min(1)).describe('Body: the steps of a group, or of a loop');
  },
});
export type StepSource = z.output<typeof stepSource>;

export const ruleFields = ['contains', 'matches', 'minLength', 'maxLength', 'all', 'any', 'not'] as const;
export const blockFields = ['goal', 'constraints', 'procedure', 'outputs', 'verify'] as const;

const recommendsSource = z
  .strictObject({
    mode: z.enum(modeNames).describe('A name for one value of each of the others'),
    ...preferencesSchema.shape,
  })
  .partial();

export const workflowSource = z.strictObject({
  workflow: z
    .string()
    .regex(/^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)?$/u)
    .max(2 * limits.definitionName)
    .meta({
      description: 'Namespace.name, each of lower-case letters, digits, `_` and `-`, a letter first',
      examples: ['team.release'],
    }),
  title: text.max(limits.title).describe('What it is called; by default the id in words').optional(),
  description: shortText
    .default('')
    .describe('When to use it: all that an agent reads when it chooses. Begin with “Use this”'),
  version: z
    .string()
    .regex(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/u)
    .default('0.0.0')
    .describe('Yours to raise, such as 1.2.0'),
  kind: z
    .enum(['workflow', 'routine'])
    .default('workflow')
    .describe('A routine is meant to be called by others; `inputs` are its parameters'),
  tags: z.array(text.max(limits.tag)).max(limits.tagCount).default([]).describe('Words to filter the list by'),
  guidance: listOf(shortText).default([]).describe('What holds in every step'),
  preconditions: listOf(shortText).default([]).describe('What must be so before the work begins'),
  clarify: listOf(shortText).default([]).describe('Questions to settle with the user first'),
  recommends: recommendsSource
    .meta({ description: 'The boldest way of working that is safe', examples: [{ mode: 'auto_stop' }] })
    .optional(),
  uses: z
    .array(text.max(limits.definitionName))
    .max(20)
    .default([])
    .describe('Features: ready-made guidance for every step, such as wr.features.subagent_guidance'),
  functions: z
    .record(valueName, functionSource)
    .default({})
    .meta({
      description: 'Instructions that several steps refer to, by name',
      examples: [{ rate: { params: ['thing'], text: 'Rate {{thing}}.' } }],
    }),
  references: listOf(referenceSource)
    .default([])
    .meta({
      description: 'Documents that the agent should read',
      examples: [[{ id: 'style', title: 'House style', path: 'docs/style.md' }]],
    }),
  assessments: listOf(assessmentSource).default([]).describe('Judgements that steps ask for by their ids'),
  inputs: z
    .record(valueName, inputSource)
    .default({})
    .meta({
      description: 'What is given when a run starts, read as `inputs.<name>`',
      examples: [{ ticket: { type: 'string', required: true } }],
    }),
  steps: z
    .array(stepSource)
    .min(1)
    .meta({
      description: 'The work, in order',
      examples: [[{ id: 'read', prompt: 'Read it.' }]],
    }),
  returns: z
    .record(valueName, filled)
    .meta({
      description: 'What the run gives when it is complete, by name: values, or text with `${{ … }}` holes',
      examples: [{ was: '${{ outputs.now.body.protected }}' }],
    })
    .optional(),
  meta: z
    .record(valueName, shortText)
    .meta({ description: 'Your own notes on the file, by name; no run reads them', examples: [{ author: 'Ada' }] })
    .optional(),
});

export type WorkflowSource = z.output<typeof workflowSource>;
