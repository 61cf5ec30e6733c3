import { describe, expect, it } from 'vitest';
import { modes } from '../base/preferences.js';
import type { PendingStep } from '../contract/answer.js';
import { assessmentContract } from '../definitions/assessment-contract.js';
import { compileSource } from '../definitions/compile-source.js';
import { placesOf } from '../definitions/place.js';
import { stepText } from './step-text.js';
import { tellExpects } from './tell-step.js';

function pendingOf(fields: string): PendingStep {
  const result = compileSource(`workflow: team.x\ndescription: D\nsteps:\n  - id: a\n    prompt: Judge it.\n${fields.replaceAll(/^/gmu, '    ')}\n`, 'x');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  const step = placesOf(result.workflow).get('a')?.step;
  if (step?.kind !== 'prompt') throw new Error('it is a prompt');
  return { stepId: 'a', path: 'a', title: 'A', requireConfirmation: false, prompt: step.prompt, guidance: [], expects: tellExpects(result.workflow, step, {}, false) };
}
const count = (text: string, part: string): number => text.split(part).length - 1;

describe('stepText', () => {
  it('tells each assessment once: what it is for, its levels, and what follows from them', () => {
    const pending = pendingOf('assessments:\n  - { id: fit, purpose: Is it good enough?, dimensions: { proof: { purpose: How well shown?, levels: [low, high] }, reach: { purpose: What else breaks?, levels: [near, far], required: false } }, followUps: [ { level: low, guidance: Find one more proof. } ] }\n  - { id: taste, purpose: Is it well made?, dimensions: { form: { purpose: How does it read?, levels: [poor, fine] } } }\noutput: { contract: wr.contracts.assessment }');
    const text = stepText(pending, 1, modes.guided);
    for (const part of ['Is it good enough?', 'How well shown?', 'Find one more proof.', 'Is it well made?', '(low, high)', '(poor, fine)']) expect([part, count(text, part)]).toEqual([part, 1]);
    expect(text).toContain('  - reach (may be left out): What else breaks? (near, far)');
    expect(text).toContain('“fit” (required)');
    // One that is no assessment of the workflow's keeps its schema.
    expect(count(text, 'schema: ')).toBe(1);
    for (const example of pending.expects.assessments?.map((one) => assessmentContract({ ...one, dimensions: one.dimensions.map((dimension) => ({ ...dimension, required: dimension.required ?? true })) }).example) ?? []) expect(text).toContain(JSON.stringify(example));
  });

  it('tells the author’s words with a rule', () => {
    expect(stepText(pendingOf('rules: [ { contains: "Risk:", message: Name the risk. } ]'), 1, modes.guided)).toContain('they must contain "Risk:" (Name the risk.)');
  });

  it('gives an example of a list where it tells more than that it is one', () => {
    const text = stepText(pendingOf('sets: { plain: { type: array }, areas: { type: array, items: { type: object }, example: [ { name: api } ] } }'), 1, modes.guided);
    expect(text).toContain('context.plain (required): a list\n');
    expect(text).toContain('context.areas (required): a list such as [{"name":"api"}]');
  });
});
