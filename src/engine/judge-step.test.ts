import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json-value.js';
import { assessmentContract } from '../definitions/contracts/assessment-contract.js';
import type { Assessment, PromptStep } from '../definitions/compiled/compiled-workflow.js';
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
const codes = (artifacts: readonly JsonObject[]): readonly string[] =>
  judgeStep(
    step,
    { notes: undefined, artifacts, patch: {}, context: {}, confirmed: false, reported: [] },
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
      'ASSESSMENT_FOLLOWUP_REQUIRED /output/artifacts/0/dimensions/proof',
    ]);
    expect(codes([assessed({ proof: 'low' }, { followedUp: 'Looked once more: the log agrees.' })])).toEqual([]);
    expect(codes([assessed({ proof: 'low' }), assessed({ proof: 'medium' })])).toEqual([]);
  });
});
