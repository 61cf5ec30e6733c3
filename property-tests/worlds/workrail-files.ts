import fc from 'fast-check';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json-value.js';

/** Whole files of the WorkRail JSON format, with every field about as often as real files have it, and a little of what is rare. */
export interface WorkrailFiles {
  readonly main: JsonObject;
  readonly routines: readonly JsonObject[];
}

const keys = ['size', 'mode', 'ready', 'count', 'score'] as const;
const lists = ['slices', 'areas'] as const;
const loopNames = ['currentIteration', 'round', 'currentItem', 'slice', 'currentIndex'] as const;

/** Values that conditions compare with, and that a script hands back: as authors and agents spell them. */
export const scalars: readonly JsonValue[] = [
  'Small',
  ' small ',
  'LARGE',
  'large',
  'Yes',
  'no',
  'true',
  '1',
  '5',
  ' 5',
  '5.0',
  '',
  null,
  true,
  false,
  0,
  1,
  2,
  5,
  -3,
  2.5,
];
const scalar = fc.constantFrom(...scalars);

/** Names a text, so that it is found again: each `§` becomes a word of its own. */
const text = fc
  .tuple(
    fc.constantFrom('§ do this', '§', '§\n\n§ then\n- § this\n- § that'),
    fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constantFrom(
            '§ and that.',
            'Mind {{size}} here.',
            '{{slice.name}} §',
            '{{ currentItem }}',
            '{{currentIteration}}',
            'Set `size` and `ready`. §',
            'Capture:\n- `mode`: §\n- `score`\n- areas',
            'Update the context variables count, slices and passes where § changed.',
          ),
        },
        fc.constantFrom(
          '${{ secrets.KEY }} §',
          '{{ itemIndex + 1 }}',
          '{{value.toFixed(2)}}',
          '```json\n{"a": {"b": "§"}}\n```',
          '"§" \'q\' \\',
          '$5 {a: 1} }} §',
          'ünï 🙂 §',
          '{{missing.path}} §',
          '{{{x}}} §',
          '<b>§</b> | § |',
          '${x} {{x-y}}',
          '{{wr.bindings.scale}} §',
          '{{wr.refs.notes_first_durability}} §',
          '{name} and {"focus": 1} §',
          `§${' long'.repeat(2000)} §`,
        ),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([first, rest]) => [first, ...rest].join(' '));
const word = fc.constantFrom('§', 'The § part', 'A “§” of {{size}}');
const some = (items: fc.Arbitrary<JsonValue>, maxLength = 2): fc.Arbitrary<JsonValue> =>
  fc.array(items, { minLength: 1, maxLength });

const operator = fc.oneof(
  { weight: 22, arbitrary: fc.record({ equals: scalar }) },
  { weight: 6, arbitrary: fc.record({ not_equals: scalar }) },
  { weight: 2, arbitrary: fc.record({ contains: fc.constantFrom('a', 'SMALL', '5', ',', '') }) },
  { weight: 1, arbitrary: fc.record({ gte: fc.constantFrom<JsonValue>(0, 2, 5, '5') }) },
  { weight: 1, arbitrary: fc.record({ gt: fc.constantFrom(0, 2.5), lte: fc.constantFrom(2, 5) }) },
  { weight: 1, arbitrary: fc.record({ in: fc.array(scalar, { maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ startsWith: fc.constantFrom('s', ' '), endsWith: fc.constantFrom('l', 'E') }) },
  { weight: 1, arbitrary: fc.constant({}) },
);
const { condition } = fc.letrec<{ condition: JsonObject }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...keys) }, fc.constantFrom(...loopNames)), operator)
        .map(([name, one]): JsonObject => ({ var: name, ...one })),
    },
    { weight: 2, arbitrary: fc.record({ or: fc.array(tie('condition'), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ and: fc.array(tie('condition'), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie('condition') }) },
    { weight: 1, arbitrary: fc.constant({}) },
  ),
}));

/** Conditions over the context and the names of loops. */
export const conditions: fc.Arbitrary<JsonObject> = condition;

const confirmation: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(false) },
  { weight: 2, arbitrary: fc.constant(true) },
  { weight: 2, arbitrary: condition },
  {
    weight: 1,
    arbitrary: fc.record(
      { kind: fc.constantFrom('human_approval', 'coordinator_eval'), condition },
      { requiredKeys: ['kind'] },
    ),
  },
);

const simpleRule: fc.Arbitrary<JsonObject> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { type: fc.constant('contains'), value: word, message: text },
      { requiredKeys: ['type', 'value'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constant('length'),
        min: fc.integer({ min: 1, max: 300 }),
        max: fc.integer({ min: 400, max: 900 }),
        message: text,
      },
      { requiredKeys: ['type', 'min'] },
    ),
  },
);
const criteria = fc.oneof(
  { weight: 4, arbitrary: fc.array(simpleRule, { minLength: 1, maxLength: 3 }) },
  fc.record(
    {
      and: fc.array(simpleRule, { minLength: 1, maxLength: 2 }),
      or: fc.array(simpleRule, { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['and'] },
  ),
  fc.record({ not: fc.constant({ type: 'contains', value: 'never § this' }) }),
  simpleRule,
);

const refId = fc.constantFrom(
  'wr.refs.notes_first_durability',
  'wr.refs.synthesis_under_disagreement',
  'wr.refs.adversarial_challenge_rules',
);
const piece = fc.oneof(
  { weight: 4, arbitrary: text.map((one): JsonValue => ({ kind: 'text', text: one })) },
  refId.map((id): JsonValue => ({ kind: 'ref', refId: id })),
);
const blockText = fc.oneof(
  { weight: 5, arbitrary: text as fc.Arbitrary<JsonValue> },
  fc.array(piece, { minLength: 1, maxLength: 3 }),
);
const blocks = fc.record(
  {
    goal: blockText,
    constraints: some(blockText),
    procedure: some(blockText, 3),
    verify: some(blockText),
    outputRequired: fc.dictionary(fc.constantFrom('notesMarkdown', 'context', 'Findings'), blockText, {
      minKeys: 1,
      maxKeys: 2,
    }),
  },
  { requiredKeys: ['goal', 'constraints', 'procedure'] },
);

const routineNames = ['look', 'compare'] as const;
const delegation = fc.record(
  {
    workflowId: fc.constantFrom('routine-look', 'routine-compare', 'routine-nobody'),
    goal: text,
    runCondition: condition,
    contextMapping: fc.dictionary(fc.constantFrom(...keys), fc.constantFrom('size', 'focus'), { maxKeys: 2 }),
    args: fc.record({ focus: text }),
    modelTier: fc.constantFrom('lightweight', 'mid', 'heavy'),
    allowedTools: fc.constant(['read', 'search']),
  },
  { requiredKeys: ['workflowId', 'goal'] },
);

const assessmentIds = ['readiness', 'exposure'] as const;
const assessments = assessmentIds.map((id): JsonObject => ({
  id,
  purpose: '§ can it be done?',
  dimensions: [
    { id: 'clarity', purpose: '§ is it clear?', levels: ['low', 'high'] },
    { id: 'evidence', purpose: '§ was it seen?', levels: ['none', 'some', 'enough'], required: false },
  ],
}));

const judged = fc.subarray([...assessmentIds], { minLength: 1 }).chain((refs) =>
  fc.record({
    assessmentRefs: fc.constant(refs),
    assessmentConsequences: fc.array(
      fc.tuple(fc.constantFrom('low', 'none'), fc.boolean(), text).map(([level, named, guidance]): JsonObject => ({
        when: { anyEqualsLevel: level, ...(named && { forAssessment: refs[0]! }) },
        effect: { kind: 'require_followup', guidance },
      })),
      { maxLength: 2 },
    ),
  }),
);
const contract = fc.record(
  {
    contractRef: fc
      .constantFrom(
        'coding_handoff',
        'gate_verdict',
        'review_verdict',
        'differentiation_handoff',
        'discovery_handoff',
        'shaping_handoff',
        'coordinator_signal',
      )
      .map((name) => `wr.contracts.${name}`),
    required: fc.boolean(),
  },
  { requiredKeys: ['contractRef'] },
);

/** A part that one step in so many has. */
const seldom = (oneIn: number, part: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: part });
const asPart = (key: string, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  value.map((one) => ({ [key]: one }));

const besides: fc.Arbitrary<JsonObject> = fc
  .tuple(
    seldom(4, asPart('runCondition', condition)),
    seldom(2, asPart('requireConfirmation', confirmation)),
    seldom(4, asPart('agentRole', text)),
    seldom(6, asPart('guidance', some(text))),
    seldom(
      6,
      asPart(
        'promptFragments',
        fc.array(
          fc.record({ id: fc.constantFrom('f1', 'f2'), when: condition, text }, { requiredKeys: ['id', 'text'] }),
          { minLength: 1, maxLength: 3 },
        ),
      ),
    ),
    seldom(10, judged),
    seldom(10, asPart('outputContract', contract)),
    seldom(12, asPart('validationCriteria', criteria)),
    seldom(20, asPart('functionReferences', fc.constantFrom(['rate()'], ['rate', 'explain(x)']))),
    seldom(20, asPart('notesOptional', fc.boolean())),
    seldom(
      20,
      fc.record(
        {
          hasValidation: fc.boolean(),
          askForFiles: fc.boolean(),
          expectedOutput: text,
          modelTier: fc.constant('mid'),
          surprise: fc.constant(1),
          instructions: some(text),
          remarks: fc.record({ first: text, then: some(text) }),
        },
        { requiredKeys: [] },
      ),
    ),
  )
  .map((parts) => Object.assign({}, ...parts) as JsonObject);

const after = seldom(
  15,
  asPart(
    'verification',
    fc.oneof(
      text as fc.Arbitrary<JsonValue>,
      some(text),
      fc.record({ title: word, prompt: text, runCondition: condition }, { requiredKeys: ['prompt'] }),
    ),
  ),
);

const task = fc
  .tuple(
    word,
    fc.oneof(
      { weight: 5, arbitrary: asPart('prompt', text) },
      { weight: 4, arbitrary: asPart('promptBlocks', blocks) },
      {
        weight: 1,
        arbitrary: fc
          .array(delegation, { minLength: 1, maxLength: 2 })
          .map((parallelDelegations): JsonObject => ({ type: 'parallel', parallelDelegations })),
      },
    ),
    besides,
    after,
  )
  .map(([title, body, more, later]): JsonObject => ({ title, ...body, ...more, ...later }));
const call = fc
  .tuple(
    word,
    fc.constantFrom(...routineNames, 'nowhere'),
    text,
    seldom(3, asPart('runCondition', condition)),
    seldom(4, asPart('guidance', some(text))),
  )
  .map(
    ([title, name, focus, ...more]): JsonObject =>
      Object.assign(
        { title, templateCall: { templateId: `wr.templates.routine.${name}`, args: { focus } } },
        ...more,
      ) as JsonObject,
  );

const frame: fc.Arbitrary<JsonObject> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('while', 'until'), condition, fc.boolean())
      .map(([type, one, inSource]): JsonObject => ({
        type,
        ...(inSource ? { conditionSource: { kind: 'context_variable', condition: one } } : { condition: one }),
      })),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom('while', 'until').map((type): JsonObject => ({
      type,
      conditionSource: { kind: 'artifact_contract', contractRef: 'wr.contracts.loop_control', loopId: 'some_loop' },
    })),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        type: fc.constant('forEach'),
        items: fc.constantFrom(...lists),
        itemVar: fc.constantFrom('slice', 'currentItem'),
        indexVar: fc.constant('currentIndex'),
      },
      { requiredKeys: ['type', 'items'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('for'), count: fc.constantFrom<JsonValue>(0, 1, 2, 'passes') }),
  },
);
const loopOf = (body: fc.Arbitrary<readonly JsonObject[]>): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      word,
      frame,
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      body,
      fc.boolean(),
      seldom(4, asPart('runCondition', condition)),
      seldom(6, asPart('guidance', some(text))),
    )
    .map(([title, one, maxIterations, named, steps, decides, ...more]): JsonObject => {
      const last = steps.at(-1)!;
      const deciding =
        decides &&
        'conditionSource' in one &&
        last['type'] === undefined &&
        last['templateCall'] === undefined &&
        (one['conditionSource'] as JsonObject)['kind'] === 'artifact_contract';
      const inner = deciding
        ? [
            ...steps.slice(0, -1),
            { ...last, outputContract: { contractRef: 'wr.contracts.loop_control', required: true } },
          ]
        : steps;
      return Object.assign(
        {
          type: 'loop',
          title,
          loop: { ...one, maxIterations, ...(named && { iterationVar: 'round' }) },
          body: [...inner],
        },
        ...more,
      ) as JsonObject;
    });

const inner = fc.oneof(
  { weight: 6, arbitrary: task },
  { weight: 1, arbitrary: call },
  { weight: 1, arbitrary: loopOf(fc.array(task, { minLength: 1, maxLength: 2 })) },
);
const step = fc.oneof(
  { weight: 6, arbitrary: task },
  { weight: 1, arbitrary: call },
  { weight: 2, arbitrary: loopOf(fc.array(inner, { minLength: 1, maxLength: 3 })) },
);

const routine = (name: string): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.array(
        fc.tuple(word, text, besides).map(([title, prompt, more]): JsonObject => ({
          title,
          prompt: `${prompt} with {focus} §`,
          ...more,
          ...(more['assessmentRefs'] !== undefined && { assessmentRefs: [], assessmentConsequences: [] }),
        })),
        { minLength: 1, maxLength: 2 },
      ),
      seldom(2, asPart('metaGuidance', some(text))),
      seldom(3, asPart('preconditions', some(text))),
    )
    .map(
      ([steps, ...more]) =>
        Object.assign(
          {
            id: `routine-${name}`,
            name: `Routine ${name}`,
            description: 'Looks at one thing.',
            version: '1.0.0',
            functionDefinitions: functions,
            steps: [...steps],
          },
          ...more,
        ) as JsonObject,
    );

const functions: readonly JsonValue[] = [
  { name: 'rate', definition: '§ from A to F', parameters: [{ name: 'thing', type: 'string' }], scope: 'workflow' },
  { name: 'explain', definition: '§ in one sentence', scope: 'workflow' },
];

/** `begins` holds the first step to one that surely runs: what a list is, somebody must be asked. */
export const workrailFiles: fc.Arbitrary<WorkrailFiles> = fc
  .tuple(
    fc.record(
      {
        metaGuidance: some(text),
        preconditions: some(text),
        clarificationPrompts: some(text),
        about: text,
        examples: some(text),
        features: fc.subarray([
          'wr.features.subagent_guidance',
          'wr.features.capabilities',
          'wr.features.memory_context',
        ]),
        references: fc.constant([
          {
            id: 'style',
            title: '§ style',
            source: 'docs/§.md',
            purpose: '§',
            authoritative: true,
            resolveFrom: 'package',
          },
        ]),
        recommendedPreferences: fc.constant({ recommendedAutonomy: 'guided', recommendedRiskPolicy: 'conservative' }),
        metricsProfile: fc.constant('coding'),
        tags: fc.constant(['design']),
        tips: some(text),
        autoRecognitionPatterns: fc.constant(['x']),
        extensionPoints: fc.constant([
          { slotId: 'scale', purpose: 'How it is rated', default: 'three levels', acceptedKinds: ['text'] },
        ]),
        validatedAgainstSpecVersion: fc.constant(3),
      },
      { requiredKeys: [] },
    ),
    fc.array(step, { minLength: 1, maxLength: 5 }),
    fc.tuple(routine('look'), routine('compare')),
    fc.boolean(),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant('wr.generated') },
      fc.constantFrom('generated', 'team.generated-1', '0_old-name', '_x', 'a'.repeat(64)),
    ),
  )
  .map(([fields, steps, routines, named, id]) => {
    const source = withIds({
      id,
      name: 'Generated',
      description: 'Use this to try everything.',
      version: '1.0.0',
      ...fields,
      assessments,
      functionDefinitions: functions,
      steps: [...steps],
    });
    const count = { words: 0 };
    return {
      main: numbered(named ? withNamedBody(source) : source, count) as JsonObject,
      routines: routines.map((one) => numbered(withIds(one), count) as JsonObject),
    };
  });

/** Ids that are unique, as those of a file are. */
function withIds(file: JsonObject): JsonObject {
  let count = 0;
  const one = (value: JsonValue): JsonValue => {
    const part = value as JsonObject;
    count += 1;
    const id = `step-${count}`;
    return {
      id,
      ...part,
      ...(Array.isArray(part['body']) && { body: (part['body'] as readonly JsonValue[]).map(one) }),
    };
  };
  return { ...file, steps: (file['steps'] as readonly JsonValue[]).map(one) };
}

/** The body of one loop as a step of the top level, which the loop names. */
function withNamedBody(file: JsonObject): JsonObject {
  const steps = file['steps'] as readonly JsonObject[];
  const loop = steps.find(({ body }) => Array.isArray(body) && body.length === 1);
  if (!loop) return file;
  const [body] = loop['body'] as readonly JsonObject[];
  return { ...file, steps: [...steps.map((one) => (one === loop ? { ...loop, body: body!['id']! } : one)), body!] };
}

function numbered(value: JsonValue, count: { words: number }): JsonValue {
  if (typeof value === 'string')
    return value.replaceAll('§', () => {
      count.words += 1;
      return `word${count.words}.`;
    });
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => numbered(item, count));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbered(item, count)]))
    : value;
}
