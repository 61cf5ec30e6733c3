import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json-value.js';
import { assessmentContract } from '../definitions/contracts/assessment-contract.js';
import type { CompiledWorkflow, Assessment, PromptStep } from '../definitions/compiled/compiled-workflow.js';
import { checkArtifact } from '../definitions/contracts/output-contract.js';
import { judgeStep } from './judge-step.js';

const assessment: Assessment = {
  id: 'evidence',
  purpose: 'How well the cause is shown',
  dimensions: [
    { id: 'proof', purpose: 'Can it be turned on and off?', levels: ['low', 'medium', 'high'], required: true },
    { id: 'reach', purpose: 'Is it known where else it sits?', levels: ['low', 'high'], required: false },
  ],
  followUps: [{ level: 'low', guidance: 'Make one more observation.' }],
};
const step: PromptStep = {
  kind: 'prompt',
  id: 'judge',
  title: 'Judge',
  prompt: 'Judge it.',
  guidance: [],
  sets: {},
  needs: [],
  confirm: false,
  notes: 'optional',
  outputs: [],
  rules: [],
  assessments: [assessment],
};
const workflow: CompiledWorkflow = {
  compiled: 1,
  id: 'wr.test',
  kind: 'workflow',
  title: 'Test',
  description: '',
  version: '1.0.0',
  tags: [],
  guidance: [],
  preconditions: [],
  clarify: [],
  inputs: {},
  steps: [step],
};
const codes = (artifacts: readonly JsonObject[]): readonly string[] =>
  judgeStep(
    workflow,
    step,
    {
      notes: undefined,
      artifacts,
      patch: {},
      context: {},
      isAnswer: () => true,
      fill: (text) => text,
      confirmed: false,
      reported: [],
    },
    false,
  ).mend.map(({ code, pointer }) => `${code} ${pointer}`);
const assessed = (dimensions: JsonObject, more: JsonObject = {}): JsonObject => ({
  kind: 'wr.assessment',
  dimensions,
  ...more,
});

describe('an assessment', () => {
  it('is asked for until it is there', () => {
    expect(codes([])).toEqual(['MISSING_REQUIRED_OUTPUT /output/artifacts']);
    expect(codes([assessed({ proof: 'high' })])).toEqual([]);
    expect(codes([assessed({ proof: 'high' }, { assessmentId: 'another' })])).toEqual([
      'MISSING_REQUIRED_OUTPUT /output/artifacts',
    ]);
  });

  it('has an example that passes its own schema and calls for nothing', () => {
    const contract = assessmentContract(assessment);
    expect(checkArtifact(contract, contract.example)).toEqual([]);
    expect(codes([contract.example])).toEqual([]);
  });

  it('takes a level with a rationale, in whatever case', () => {
    expect(codes([assessed({ proof: { level: ' HIGH ', rationale: 'It fails 5 of 5.' } })])).toEqual([]);
  });

  it('names what is wrong with it', () => {
    expect(codes([assessed({ proof: 'huge', size: 'high' })])).toEqual([
      'INVALID_REQUIRED_OUTPUT /output/artifacts/0/dimensions/size',
      'INVALID_REQUIRED_OUTPUT /output/artifacts/0/dimensions/proof',
    ]);
    expect(codes([assessed({ reach: 'high' })])).toEqual([
      'INVALID_REQUIRED_OUTPUT /output/artifacts/0/dimensions/proof',
    ]);
  });

  it('calls for a follow-up, until that is done or the level is another', () => {
    expect(codes([assessed({ proof: 'low' })])).toEqual([
      'ASSESSMENT_FOLLOWUP_REQUIRED /output/artifacts/0/followedUp',
    ]);
    expect(codes([assessed({ proof: 'low' }, { followedUp: 'Looked once more: the log agrees.' })])).toEqual([]);
    expect(codes([assessed({ proof: 'low' }), assessed({ proof: 'medium' })])).toEqual([]);
  });
});

describe('judging a step ends', () => {
  const judged = (
    over: Partial<PromptStep>,
    handed: {
      readonly notes?: string;
      readonly patch?: JsonObject;
      readonly context?: JsonObject;
      readonly artifacts?: readonly JsonObject[];
    },
  ) =>
    judgeStep(
      workflow,
      { ...step, assessments: [], ...over },
      {
        notes: undefined,
        artifacts: [],
        patch: {},
        context: {},
        isAnswer: () => true,
        fill: (text) => text,
        confirmed: false,
        reported: [],
        ...handed,
      },
      false,
    ).mend.map(({ pointer, message }) => ({ pointer, message: [message].flat().map(String).join('') }));

  it('where rules are dear and the notes long', () => {
    const rules = Array.from({ length: 200 }, () => ({ matches: '([ab]*a[ab]{400})x' }));
    expect(judged({ rules }, { notes: 'a'.repeat(64_000) })).toEqual([
      { pointer: '/output/notesMarkdown', message: expect.stringContaining('shorter') },
    ]);
  });

  it('where a list is long, its pattern dear, or nothing in it right', () => {
    const list = (items: object): Partial<PromptStep> => ({ sets: { key: { type: 'array', items } } }) as never;
    const choices = list({ type: 'integer', enum: Array.from({ length: 500 }, (_, at) => at) });
    expect(judged(choices, { patch: { key: Array.from({ length: 100_000 }, () => 499) } })).toEqual([]);
    expect(judged(choices, { patch: { key: Array.from({ length: 100_000 }, () => -1) } })).toHaveLength(200);
    const dear = list({ type: 'string', pattern: '([ab]*a[ab]{400})x' });
    const problem = judged(dear, { patch: { key: Array.from({ length: 100 }, () => 'a'.repeat(2_000)) } }).at(-1);
    expect(problem).toMatchObject({ pointer: '/context/key', message: expect.stringContaining('too much work') });
  });

  it('where the pin of a run has a schema that is refused today', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { allOf: [next, next] }];
      }),
    );
    const schema = { $ref: '#/$defs/d0', $defs: { ...$defs, d40: { type: 'object' } } };
    const outputs = [{ kind: 't.k', required: true, schema, example: { kind: 't.k' } }];
    expect(judged({ outputs }, { artifacts: [{ kind: 't.k' }] })).toEqual([
      { pointer: '/output/artifacts/0', message: expect.stringContaining('schema cannot be used at /$defs/') },
    ]);
  });

  it('a key that an earlier step set and this one sets anew is told as known, and to be sent again', () => {
    const sets = { parts: { type: 'array' as const } };
    const told = (context: JsonObject): string | undefined => judged({ sets }, { context })[0]?.message;
    expect(told({ parts: ['a'] })).toContain('is known, and this step sets it anew');
    expect(told({})).toContain('is not set');
    expect(judged({ sets: { parts: { ...sets.parts, required: false } } }, { context: { parts: ['a'] } })).toEqual([]);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('a key `%s` is only set by whoever sets it', (key) => {
    const sets = { [key]: { type: 'string' as const } };
    expect(judged({ sets }, {})).toMatchObject([{ pointer: `/context/${key}` }]);
    expect(judged({ sets }, { patch: { [key]: 'x' } })).toEqual([]);
  });
});
