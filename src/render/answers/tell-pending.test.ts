import { describe, expect, it } from 'vitest';
import { modes, type Preferences } from '../../base/preferences.js';
import type { PendingStep } from '../../contract/answer.js';
import { compileSource } from '../../definitions/compile-source.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { agentText } from './agent-text.js';
import { tellPending } from './tell-pending.js';
import { tellExpects } from '../../respond/tell-step.js';

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
    expects: tellExpects(result.workflow, step, { context: {}, isAnswer: () => true, fill: (text) => text }, false),
  };
}
const count = (text: string, part: string): number => text.split(part).length - 1;

const stepText = (pending: PendingStep, number: number, preferences: Preferences): string =>
  agentText(tellPending(pending, { number, about: undefined }, preferences, 'agent'));

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
    expect(text).toContain(
      '"dimensions":{"proof":{"level":"low | high","rationale":"Why this level, with what was seen."},"reach":{"level":"near | far"',
    );
  });

  it('says where it goes what came of a follow-up, and only where one may be called for', () => {
    const judged = (more: string): string =>
      stepText(
        pendingOf(
          `assessments: [ { id: fit, purpose: Fit?, dimensions: { proof: { purpose: P, levels: [low, high] } }${more} } ]`,
        ),
        1,
        modes.guided,
      );
    expect(judged(', followUps: [ { level: low, guidance: Look again. } ]')).toContain(
      '  - where any is low: Look again.\n  - what came of that goes into `followedUp`, beside `dimensions`',
    );
    expect(judged('')).not.toContain('followedUp');
  });

  it('asks once for a key that a step sets and only the user can give', () => {
    const text = stepText(
      pendingOf(
        'sets: { change: { type: string, enum: [none, make], description: How it goes on } }\nneeds: [ { reason: needs_user_choice, key: change, ask: May it be mended? } ]',
      ),
      1,
      modes.guided,
    );
    expect(text.match(/^- context\.change.*$/gmu)).toEqual([
      '- context.change (required): May it be mended? Only the user can give it (needs_user_choice). The answer is "none" or "make" (How it goes on).',
    ]);
  });

  it('leaves open in an example what the agent is to decide', () => {
    expect(stepText(pendingOf('output: { contract: wr.contracts.loop_control }'), 1, modes.guided)).toContain(
      '{"kind":"wr.loop_control","decision":"continue | stop","reason":"…"}',
    );
    const chosen =
      'output: { kind: t.k, schema: { properties: { verdict: { enum: [go, stop] }, reason: { enum: [cost, time] } } }, example: { verdict: go, reason: cost } }';
    expect(stepText(pendingOf(chosen), 1, modes.guided)).toContain('"verdict":"go | stop","reason":"cost | time"');
    expect(stepText(pendingOf('output: { contract: wr.contracts.changed_files }'), 1, modes.guided)).toContain(
      '"risk":"L | M | H","change":"added | modified | deleted | renamed"',
    );
  });

  it('tells of an artifact by its example, and names what the example does not show', () => {
    const text = stepText(pendingOf('output: { contract: wr.contracts.changed_files }'), 1, modes.guided);
    expect(text).toContain('it may also hold changedFiles[].previousPath, changedFiles[].reviewed, revisionLogEntry');
    expect(text).not.toContain('additionalProperties');
  });

  it('tells of a later round what differs from an earlier one, in whole paragraphs, and where the rest is', () => {
    const fields = 'sets: { risk: { type: string, enum: [low, high] }, seen: { type: array } }';
    const first = { ...pendingOf(fields), path: 'each@1/a', prompt: 'Judge a.\nMind:\n\n- one\n- two\n\nThen stop.' };
    const second = { ...first, path: 'each@2/a', prompt: 'Judge b.\nMind:\n\n- one\n- three\n\nThen stop.' };
    const whole = { tool: 'continue_workflow', arguments: { stateToken: 'st' } };
    const told = (pending: PendingStep, earlier: PendingStep): string =>
      agentText(
        tellPending(pending, { number: 3, about: 5, earlier: { pending: earlier, whole } }, modes.guided, 'agent'),
      );
    expect(told(second, first)).toBe(
      [
        '## Step 3 of about 5: A (each@2/a)',
        'Judge b.\nMind:',
        '- one\n- three',
        'Hand back\n- as before: output.notesMarkdown, context.risk, context.seen',
        'All else as at each@1/a; the whole step: continue_workflow with the stateToken alone.',
      ].join('\n\n'),
    );
    expect(told({ ...first, path: 'each@2/a' }, first)).toContain('All as at each@1/a;');
    // Words that lead to a list say nothing without it.
    const listed = { ...second, prompt: 'Hold b against:\n\n- one\n- two\n\nThen stop.' };
    expect(told(listed, { ...first, prompt: 'Hold a against:\n\n- one\n- two\n\nThen stop.' })).toContain(
      'Hold b against:\n\n- one\n- two\n\nHand',
    );
    // Half a fence would swallow what follows.
    const fenced = { ...second, prompt: 'Run\n\n```\nb\n\nc\n```' };
    expect(told(fenced, { ...first, prompt: 'Run\n\n```\na\n\nc\n```' })).toContain('Run\n\n```\nb\n\nc\n```\n\nHand');
    // What has to be handed back now and had not to be then is told in full.
    const more = pendingOf(fields.replace('low, high', 'low, high, unknown'));
    expect(told({ ...second, expects: more.expects }, first)).toContain(
      '- context.risk (required): "low", "high" or "unknown"\n- as before: output.notesMarkdown, context.seen',
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
