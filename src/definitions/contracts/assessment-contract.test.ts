import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessmentContract, checkAssessment } from './assessment-contract.js';
import type { Assessment } from '../compiled/compiled-workflow.js';
import { checkArtifact } from './output-contract.js';

describe('an assessment', () => {
  const level = fc.constantFrom('low', 'medium', 'high');
  const assessments: fc.Arbitrary<Assessment> = fc.record({
    id: fc.constant('fit'),
    purpose: fc.constant('Does it fit?'),
    dimensions: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('size', 'reach', 'risk'),
        purpose: fc.constant('P'),
        levels: fc.uniqueArray(level, { minLength: 2 }),
        required: fc.boolean(),
      }),
      { selector: ({ id }) => id, minLength: 1 },
    ),
    followUps: fc.array(fc.record({ level, guidance: fc.constant('Look again.') }), { maxLength: 3 }),
  });

  it('has an example that passes its schema and calls for nothing more, whatever its levels call for', () => {
    fc.assert(
      fc.property(assessments, (assessment) => {
        const contract = assessmentContract(assessment);
        expect(checkArtifact(contract, contract.example)).toEqual([]);
        expect(checkAssessment(assessment, [contract.example], true)).toEqual([]);
      }),
    );
  });

  it('says what was followed up only where every level calls for it', () => {
    const of = (followUps: Assessment['followUps']): unknown =>
      assessmentContract({
        id: 'a',
        purpose: 'P',
        dimensions: [{ id: 'd', purpose: 'P', levels: ['low', 'high'], required: true }],
        followUps,
      }).example;
    expect(of([{ level: 'low', guidance: 'G' }])).not.toHaveProperty('followedUp');
    expect(
      of([
        { level: 'low', guidance: 'G' },
        { level: 'High', guidance: 'G' },
      ]),
    ).toHaveProperty('followedUp');
  });
});
