// A file of the WorkRail JSON format as large as the largest that people write: about a hundred kilobytes in some sixteen hundred lines.

const modes = ['quick', 'standard', 'thorough'];
const areas = ['storage', 'transport', 'interface', 'tests', 'rollout', 'security', 'costs', 'documentation'];

const sentence = (at, about) =>
  `Look at ${about} number ${at} with {{taskComplexity}} in mind, and write down what you saw, where you saw it and how sure you are; leave nothing out because it seems small.`;
const lines = (at, about, count) => Array.from({ length: count }, (_, line) => sentence(at * 10 + line, about));

/** By turns what real files hold: plain prompts, prompts in blocks, fragments, judgements, rules, contracts, loops. */
function stepAt(at) {
  const area = areas[at % areas.length];
  const conditioned = at % 3 === 1 && {
    runCondition: {
      and: [
        { var: 'taskComplexity', not_equals: 'Small' },
        {
          or: [
            { var: 'riskLevel', equals: 'high' },
            { var: `${area}Touched`, equals: true },
            { var: 'openQuestions', gte: at % 7 },
          ],
        },
      ],
    },
  };
  const confirmed = {
    requireConfirmation:
      at % 5 === 0
        ? {
            or: [
              { var: 'autonomy', equals: 'low' },
              { var: 'riskLevel', equals: 'high' },
            ],
          }
        : at % 2 === 0,
  };
  const own = {
    id: `phase-${at}-${area}`,
    title: `Phase ${at}: {{currentSlice.name}} and its ${area}`,
    ...conditioned,
    ...confirmed,
    ...(at % 4 === 0 && { agentRole: `You know ${area} and have seen it go wrong. ${sentence(at, 'the role')}` }),
  };
  if (at % 6 === 5)
    return { ...own, type: 'loop', loop: loopAt(at), body: [0, 1].map((inner) => bodyAt(at, inner, area)) };
  const fields = {
    ...(at % 3 === 0 && {
      promptFragments: modes.map((mode) => ({
        id: `mode-${mode}`,
        when: { var: 'rigorMode', equals: mode },
        text: lines(at, `the mode ${mode}`, 2).join('\n'),
      })),
    }),
    ...(at % 4 === 2 && {
      assessmentRefs: ['readiness'],
      assessmentConsequences: [
        {
          when: { anyEqualsLevel: 'low', forAssessment: 'readiness' },
          effect: { kind: 'require_followup', guidance: sentence(at, 'what is unclear') },
        },
      ],
    }),
    ...(at % 7 === 3 && {
      validationCriteria: [
        { type: 'contains', value: `**${area}**`, message: `Name ${area} under its own heading` },
        { type: 'length', min: 80, max: 8000, message: 'Neither a line nor a book' },
        { type: 'regex', pattern: '(next|then): \\S+', flags: 'i', message: 'Say what comes next' },
      ],
    }),
    ...(at % 9 === 4 && { outputContract: { contractRef: 'wr.contracts.gate_verdict', required: true } }),
    ...(at % 5 === 2 && { guidance: lines(at, 'advice', 3) }),
  };
  return at % 2 === 0
    ? {
        ...own,
        prompt: [
          `**What is to be done about ${area}**`,
          ...lines(at, area, 6).map((line) => `- ${line}`),
          'Set `taskComplexity`, `riskLevel` and `openQuestions`.',
        ].join('\n'),
        ...fields,
      }
    : { ...own, promptBlocks: blocksAt(at, area), ...fields };
}

const loopAt = (at) =>
  [
    { type: 'forEach', items: 'slices', itemVar: 'currentSlice', indexVar: 'sliceIndex', maxIterations: 30 },
    {
      type: 'while',
      conditionSource: { kind: 'artifact_contract', contractRef: 'wr.contracts.loop_control', loopId: `loop-${at}` },
      maxIterations: 5,
    },
    {
      type: 'while',
      condition: {
        and: [
          { var: 'openQuestions', gt: 0 },
          { var: 'riskLevel', not_equals: 'low' },
        ],
      },
      maxIterations: 4,
    },
  ][at % 3];

const bodyAt = (at, inner, area) => ({
  id: `round-${at}-${inner}`,
  title: `Round {{currentIteration}} of ${area}`,
  ...(inner === 0 ? { promptBlocks: blocksAt(at, area) } : { prompt: lines(at, 'the round', 4).join('\n\n') }),
  requireConfirmation: false,
  ...(inner === 1 && at % 3 === 1 && { outputContract: { contractRef: 'wr.contracts.loop_control' } }),
});

const blocksAt = (at, area) => ({
  goal: sentence(at, `the goal for ${area}`),
  constraints: [[{ kind: 'ref', refId: 'wr.refs.notes_first_durability' }], ...lines(at, 'a bound', 3)],
  procedure: lines(at, 'a way', 5),
  outputRequired: { notesMarkdown: sentence(at, 'what is left') },
  verify: lines(at, 'a proof', 2),
});

export function largeWorkrailText(steps = 30) {
  const file = {
    id: 'bench-large',
    name: 'A large workflow',
    description: 'Use this to see how long a large file takes.',
    version: '2.0.0',
    metricsProfile: 'coding',
    recommendedPreferences: { recommendedAutonomy: 'guided', recommendedRiskPolicy: 'conservative' },
    features: ['wr.features.subagent_guidance', 'wr.features.capabilities'],
    metaGuidance: lines(0, 'everything', 8),
    preconditions: ['The repository can be read.'],
    clarificationPrompts: ['Who asked for this, and by when?', 'What must not break?'],
    assessments: [
      {
        id: 'readiness',
        purpose: 'Can it be built as it stands?',
        dimensions: ['clarity', 'evidence', 'reach'].map((id) => ({
          id,
          purpose: sentence(1, id),
          levels: ['low', 'medium', 'high'],
        })),
      },
    ],
    steps: Array.from({ length: steps }, (_, at) => stepAt(at)),
  };
  return JSON.stringify(file, null, 2);
}
