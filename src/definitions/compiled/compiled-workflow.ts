import { z } from 'zod';
import { userOnlyReasons } from '../../base/closed-sets.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { modeNames } from '../../base/preferences.js';
import { preferencesSchema } from '../../base/preferences-schema.js';
import type { ReadonlyOutput } from '../../base/readonly-output.js';
import { operationShape } from './operation-shape.js';
import { type PartRole, partRoles } from './schema-parts.js';

const json = z.custom<JsonValue>((value) => value !== undefined);
const jsonObject = z.custom<JsonObject>(isJsonObject);
const text = z.string();
const texts = z.array(text);
const maybe = z.exactOptional;
/** A text that is found wherever it stands: told or asked, looked into by the checks, bound where a routine is called. */
const part = (role: PartRole): z.ZodString => z.string().register(partRoles, { role });
const told = part('told');
const condition = part('condition');

export const valueTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'any'] as const;
const flatValue = z.strictObject({
  type: z.enum(valueTypes),
  description: maybe(text),
  enum: maybe(z.array(json)),
  pattern: maybe(text).describe('For strings; a linear-time expression, found anywhere in the value unless anchored'),
  minimum: maybe(z.number()),
  maximum: maybe(z.number()),
  example: maybe(json).describe('An author’s own example of a right value'),
});
export type ValueSpec = ReadonlyOutput<typeof flatValue> & { readonly items?: ValueSpec };
const valueSpec = flatValue.extend({
  items: maybe(z.lazy((): z.ZodType<ValueSpec> => valueSpec)).describe('For arrays: what each element is'),
});

const keySpec = valueSpec.extend({
  required: maybe(z.literal(false)).describe('The step is done without it as well'),
  add: maybe(z.literal(true)).describe('For arrays: what is handed back comes to the elements that are there'),
});
export type KeySpec = ReadonlyOutput<typeof keySpec>;

const provider = z
  .strictObject({
    catalog: text,
    command: text,
    with: maybe(z.record(text, json)).describe('Parameters by name; holes may read other inputs'),
    items: maybe(text).describe('Where the answer holds the list; absent means that the answer is one'),
    value: text.describe('Of each `item`: what the input becomes'),
    label: maybe(text).describe('Of each `item`: what a person chooses by'),
    onError: maybe(z.enum(['stale', 'fail'])).describe('Absent means that whoever starts the run is asked'),
  })
  .describe('A command that lists the values of an input');
export type InputProvider = ReadonlyOutput<typeof provider>;

const inputSpec = valueSpec.extend({ required: z.boolean(), default: maybe(json), provider: maybe(provider) });
export type InputSpec = ReadonlyOutput<typeof inputSpec>;

const need = z.strictObject({
  reason: z.enum(userOnlyReasons),
  key: text.describe('The context key whose presence satisfies the need'),
  ask: told,
  holes: maybe(z.literal(true)).describe('The holes of `ask` are filled. Pins of before 0027 show it as it stands'),
  round: maybe(z.literal(true)).describe('Inside a loop: what another round was given does not satisfy the need'),
});
export type Need = ReadonlyOutput<typeof need>;

const words = z.strictObject({
  message: maybe(text).describe('The author’s own words for what to write, told with the rule'),
  example: maybe(text).describe('Notes, or a piece of them, that keep the rule'),
});
const allRule = words.extend({
  get all() {
    return z.array(rule);
  },
});
const anyRule = words.extend({
  get any() {
    return z.array(rule);
  },
});
const notRule = words.extend({
  get not() {
    return rule;
  },
});
const rule = z.union([
  words.extend({ contains: text }),
  words.extend({ matches: text }),
  words.extend({ minLength: z.number() }),
  words.extend({ maxLength: z.number() }),
  allRule,
  anyRule,
  notRule,
]);
export type Rule = ReadonlyOutput<typeof rule>;

const documentFold = z
  .strictObject({
    document: text,
    fold: z
      .enum(['header', 'log', 'table', 'list'])
      .describe('header: fields merge; log: entries append; table: rows by key, sorted; list: entries, each once'),
    field: maybe(text).describe('The field of the artifact that is folded; absent means the artifact itself'),
    key: maybe(texts).describe('For tables: the fields that name a row, as dotted paths'),
    moves: maybe(texts).describe('Of these the ones that may change while it stays the same row, such as its line'),
  })
  .describe('How an artifact folds into one of the session’s documents');
export type DocumentFold = ReadonlyOutput<typeof documentFold>;

const output = z.strictObject({
  kind: text.describe('The artifact’s kind, as the agent writes it'),
  required: z.boolean(),
  schema: jsonObject.describe('JSON Schema (2020-12) of the whole artifact, its `kind` included'),
  example: jsonObject,
  contract: maybe(text).describe('The pack it comes from, such as `wr.contracts.findings`'),
  documents: maybe(z.array(documentFold)),
});
export type OutputContract = ReadonlyOutput<typeof output>;

const taken = z.strictObject({
  kind: text.describe('Of the step’s own artifact'),
  field: texts.min(1).describe('The way to the value: a field of the artifact, or one inside of it'),
});

const functionText = z.strictObject({ name: text, params: texts, text });
export type FunctionText = ReadonlyOutput<typeof functionText>;

const fragment = z.strictObject({ id: text, if: maybe(condition), text: told });
export type Fragment = ReadonlyOutput<typeof fragment>;

const assessment = z
  .strictObject({
    id: text,
    purpose: text,
    dimensions: z.array(z.strictObject({ id: text, purpose: text, levels: texts, required: z.boolean() })),
    followUps: z
      .array(z.strictObject({ level: text, guidance: text }))
      .describe('Where any dimension has the level, the step is done only after a follow-up and another assessment'),
  })
  .describe('A judgement that is handed back as an artifact `wr.assessment`, one level for each dimension');
export type Assessment = ReadonlyOutput<typeof assessment>;

const delegate = z.strictObject({
  title: told,
  goal: told,
  if: maybe(condition),
  text: told.describe(
    'What the sub-agent is told: the routine’s prompts, expanded. Beside a `brief`, what is given to this piece',
  ),
  brief: maybe(text).describe('One of the step’s `briefs`'),
});
export type Delegate = ReadonlyOutput<typeof delegate>;

const everyStep = z.strictObject({
  id: text.describe('Unique in the workflow. A place in a run is named by its path: `findings@2/look`'),
  title: told,
  if: maybe(condition).describe('Absent means always'),
});

const loop = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('foreach'), list: part('list'), as: part('element') }),
  z.strictObject({ type: z.literal('while'), test: part('while') }),
  z.strictObject({ type: z.literal('until'), test: part('until') }),
  z.strictObject({ type: z.literal('repeat'), times: z.union([z.number(), part('count')]) }),
  z
    .strictObject({ type: z.literal('control') })
    .describe('Goes on until an artifact `wr.loop_control` of the iteration says stop'),
]);

const sent = json.register(partRoles, { role: 'sent' });
const statuses = z.array(z.union([z.number(), z.enum(['1xx', '2xx', '3xx', '4xx', '5xx'])]));

const retry = z.strictObject({
  max: maybe(z.number()).describe('How often it is sent again'),
  on: maybe(z.array(z.union([z.number(), z.enum(['5xx', 'network'])]))),
  upToMs: maybe(z.number()).describe('The longest wait before the next try'),
});

const paginate = z.strictObject({
  by: z.enum(['link', 'cursor', 'page', 'offset']),
  items: maybe(part('paged')).describe('The list in each answer; absent means that the answer is one'),
  next: maybe(part('paged')).describe('With `cursor`: the next one; nothing, null or empty text ends'),
  param: maybe(text).describe('With cursor, page and offset: the parameter that it goes into'),
  first: maybe(z.number()).describe('With page and offset: where to begin'),
  maxItems: maybe(z.number()),
  maxPages: maybe(z.number()),
});

const puts = z
  .array(z.strictObject({ path: part('pointer'), value: part('put') }))
  .min(1)
  .describe(
    'What goes into the shared state when the step is done, by JSON pointers with holes, sorted: what holds another first',
  );
export type Put = ReadonlyOutput<typeof puts>[number];

/** Every kind of step. A new one is an entry here; the compiler names what differs by kind. */
export const stepKinds = {
  prompt: everyStep
    .extend({
      kind: z.literal('prompt'),
      role: maybe(told),
      prompt: told,
      guidance: z.array(told),
      sets: z.record(z.string(), keySpec).describe('Context keys that the agent must hand back'),
      takes: maybe(z.record(z.string(), taken)).describe('Context keys that are fields of the step’s own artifacts'),
      needs: z.array(need),
      confirm: z.boolean(),
      notes: z.enum(['encouraged', 'required', 'optional']),
      outputs: z.array(output),
      rules: z.array(rule).describe('Rules on the notes'),
      confirmIf: maybe(part('agreement')).describe('With `confirm`: agreement is only asked for where this holds'),
      functions: maybe(z.array(functionText)).describe('The functions that the step refers to, expanded'),
      fragments: maybe(z.array(fragment)).describe('Parts of the prompt that are told after it where they hold'),
      puts: maybe(puts),
      assessments: maybe(z.array(assessment)),
      delegates: maybe(z.array(delegate)).describe('Independent pieces of work that may be given to sub-agents'),
      briefs: maybe(z.array(z.strictObject({ id: text, text: told }))).describe(
        'What several of the pieces are told alike, by the routine it comes from',
      ),
    })
    .describe('The only kind of step that an agent meets'),
  loop: everyStep.extend({
    kind: z.literal('loop'),
    loop,
    counter: maybe(part('counter')).describe('A name for the iteration from 1'),
    index: maybe(part('counter')).describe('A name for the iteration from 0'),
    max: z.number().int().describe('The most iterations; reaching it with more to do is a warning and a gap'),
    line: maybe(part('line')).describe('What the ledger says of a round, filled when the round is done'),
    collect: maybe(z.record(z.string(), part('collected'))).describe(
      'Context keys that are lists: what each expression gives of a round comes to its list when the round is done',
    ),
    get steps() {
      return z.array(step);
    },
  }),
  run: everyStep
    .extend({
      kind: z.literal('run'),
      catalog: text,
      command: text.describe('An operationId, or a method and a path'),
      with: maybe(z.record(z.string(), sent)).describe('Parameters by name'),
      body: maybe(sent),
      content: maybe(text).describe('The content type of the body, where the command takes several'),
      expect: maybe(z.union([statuses, part('answered')])).describe('Which answers are right; absent means 2xx'),
      keep: maybe(z.record(z.string(), part('kept'))).describe('What is kept of the body, or of each item'),
      until: maybe(part('answered')).describe('It is sent again until this holds'),
      everyMs: maybe(z.number()),
      max: maybe(z.number()).describe('With `until`: how often it is sent at most'),
      timeoutMs: maybe(z.number()).describe('Of the whole step'),
      retry: maybe(retry),
      paginate: maybe(paginate),
      onError: maybe(z.literal('continue')),
      confirm: maybe(z.literal(true)).describe('The filled request is shown to the user and waits for agreement'),
      confirmIf: maybe(condition).describe('With `confirm`: only where this holds'),
      repeatable: maybe(z.boolean()).describe('What the author knows better than the method tells'),
      dependsOn: maybe(z.array(part('step'))),
      puts: maybe(puts),
      secret: maybe(z.literal(true)).describe('What comes back is kept in memory only'),
    })
    .describe('A step that WorkRail does itself: one command of a catalog'),
  fail: everyStep.extend({ kind: z.literal('fail'), message: told }).describe('Ends the run as failed'),
  group: everyStep.extend({
    kind: z.literal('group'),
    routine: maybe(text).describe('The routine whose steps these are. Their ids begin with that of the group'),
    get steps() {
      return z.array(step);
    },
  }),
};
const step = z.discriminatedUnion('kind', [
  stepKinds.prompt,
  stepKinds.loop,
  stepKinds.run,
  stepKinds.fail,
  stepKinds.group,
]);
export type PromptStep = ReadonlyOutput<typeof stepKinds.prompt>;
export type RunStep = ReadonlyOutput<typeof stepKinds.run>;
export type FailStep = ReadonlyOutput<typeof stepKinds.fail>;
export type LoopStep = ReadonlyOutput<typeof stepKinds.loop>;
export type GroupStep = ReadonlyOutput<typeof stepKinds.group>;
export type CompiledStep = ReadonlyOutput<typeof step>;

const recommends = z
  .strictObject({ mode: z.enum(modeNames), ...preferencesSchema.shape })
  .exactPartial()
  .describe('The boldest behaviour that the author thinks safe');
export type RecommendedPreferences = ReadonlyOutput<typeof recommends>;

const reference = z.strictObject({
  id: text,
  title: text,
  path: text.describe('As the author wrote it: a path in the project, or an address; only named, never opened'),
  purpose: maybe(text),
  authoritative: z.boolean(),
});
export type Reference = ReadonlyOutput<typeof reference>;

const provenance = z.strictObject({
  at: text.describe('JSON pointer into the compiled workflow'),
  from: text.describe('Such as `routine wr.routines.hunt`, `feature wr.features.capabilities`'),
});
export type Provenance = ReadonlyOutput<typeof provenance>;

/**
 * What a run executes: a workflow with everything expanded, as one self-contained JSON value.
 * Its canonical bytes are the pin and their digest the workflow hash, so a field is added only where it has a meaning,
 * and an absent field and its default are never two spellings of one thing.
 */
export const compiledWorkflow = z.strictObject({
  compiled: z
    .literal([1, 2])
    .describe('Version of this form. A reader refuses one it does not know. 2 only where commands have a part in it'),
  id: text,
  kind: z.enum(['workflow', 'routine']),
  title: text,
  description: text,
  version: text,
  tags: texts,
  guidance: texts,
  preconditions: texts,
  clarify: texts.describe('Questions to settle before the first step'),
  recommends: maybe(recommends),
  inputs: z.record(z.string(), inputSpec),
  references: maybe(z.array(reference)),
  steps: z.array(step),
  returns: maybe(z.record(z.string(), json)).describe('What the run gives when it is complete, with holes'),
  operations: maybe(z.record(z.string(), operationShape)).describe('What catalogs say of the commands that it uses'),
  provenance: maybe(z.array(provenance)).describe(
    'Where each part came from that the author did not write in this file',
  ),
});
export type CompiledWorkflow = ReadonlyOutput<typeof compiledWorkflow>;
