import { describe, expect, it } from 'vitest';
import { modes, type Preferences } from '../base/preferences.js';
import type { PendingStep } from '../contract/answer.js';
import { compileSource } from '../definitions/compile-source.js';
import { placesOf } from '../definitions/compiled/place.js';
import { agentText } from './agent-text.js';
import { tellPending } from './tell-pending.js';
import { tellExpects } from '../respond/tell-step.js';

function pendingOf(fields: string): PendingStep {
  const result = compileSource(
    `workflow: team.x\ndescription: D\nsteps:\n  - id: a\n    prompt: Judge it.\n${fields.replaceAll(/^/gmu, '    ')}\n`,
    'x',
  );
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  const step = placesOf(result.workflow).get('a')?.step;
  if (step?.kind !== 'prompt') throw new Error('it is a prompt');
  return {
    stepId: 'a',
    path: 'a',
    title: 'A',
    requireConfirmation: false,
    prompt: step.prompt,
    guidance: [],
    expects: tellExpects(result.workflow, step, { context: {}, ofRound: {}, fill: (text) => text }, false),
  };
}
const count = (text: string, part: string): number => text.split(part).length - 1;

const stepText = (pending: PendingStep, number: number, preferences: Preferences): string =>
  agentText(tellPending(pending, number, preferences, 'agent'));

describe('tellPending', () => {
  it('tells each assessment once: what it is for, its levels, and what follows from them', () => {
    const pending = pendingOf(
      'assessments:\n  - { id: fit, purpose: Is it good enough?, dimensions: { proof: { purpose: How well shown?, levels: [low, high] }, reach: { purpose: What else breaks?, levels: [near, far], required: false } }, followUps: [ { level: low, guidance: Find one more proof. } ] }\n  - { id: taste, purpose: Is it well made?, dimensions: { form: { purpose: How does it read?, levels: [poor, fine] } } }\noutput: { contract: wr.contracts.assessment }',
    );
    const text = stepText(pending, 1, modes.guided);
    for (const part of [
      'Is it good enough?',
      'How well shown?',
      'Find one more proof.',
      'Is it well made?',
      '(low, high)',
      '(poor, fine)',
    ])
      expect([part, count(text, part)]).toEqual([part, 1]);
    expect(text).toContain('  - reach (may be left out): What else breaks? (near, far)');
    expect(text).toContain('“fit” (required)');
    // One that is no assessment of the workflow's keeps its schema.
    expect(count(text, 'schema: ')).toBe(1);
    expect(text).toContain(
      '"dimensions":{"proof":{"level":"low | high","rationale":"Why this level, with what was seen."},"reach":{"level":"near | far"',
    );
  });

  it('leaves open in an example what the agent is to decide', () => {
    expect(stepText(pendingOf('output: { contract: wr.contracts.loop_control }'), 1, modes.guided)).toContain(
      '"decision":"continue | stop"',
    );
    expect(stepText(pendingOf('output: { contract: wr.contracts.changed_files }'), 1, modes.guided)).toContain(
      '"change":"modified"',
    );
  });

  it('tells the author’s words with a rule', () => {
    expect(stepText(pendingOf('rules: [ { contains: "Risk:", message: Name the risk. } ]'), 1, modes.guided)).toContain(
      'they must contain "Risk:" (Name the risk.)',
    );
  });

  it('gives an example of a list where it tells more than that it is one', () => {
    const text = stepText(
      pendingOf(
        'sets: { plain: { type: array }, areas: { type: array, items: { type: object }, example: [ { name: api } ] } }',
      ),
      1,
      modes.guided,
    );
    expect(text).toContain('context.plain (required): a list\n');
    expect(text).toContain('context.areas (required): a list such as [{"name":"api"}]');
  });

  it('tells what elements of a list must be, beside the example', () => {
    const text = stepText(
      pendingOf(
        'sets: { parts: { type: array, items: { type: string, enum: [api, web] } }, paths: { type: array, items: { type: string, pattern: "^/", example: /x } }, names: { type: array, items: { type: string } } }',
      ),
      1,
      modes.guided,
    );
    expect(text).toContain('context.parts (required): a list, each element "api" or "web", such as ["api"]');
    expect(text).toContain('context.paths (required): a list, each element text that matches `^/`, such as ["/x"]');
    expect(text).toContain('context.names (required): a list such as ["text"]');
  });
});
