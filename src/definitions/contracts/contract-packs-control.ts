import { contractPack, type ContractPack } from './contract-pack.js';
import { described, listOf, oneOf, record, text } from './contract-pack-schema.js';

const dimension = { anyOf: [text(100), record({ level: text(100), rationale: text() }, ['level'])] };

/** What steers a run: what loops, assessments and gates read, and what the user wants it to go by. */
export const controlPacks: readonly ContractPack[] = [
  contractPack({
    name: 'loop_control',
    kind: 'wr.loop_control',
    title: 'Whether a loop goes on after this iteration',
    required: ['decision'],
    properties: {
      decision: oneOf('continue', 'stop'),
      loopId: described('The loop that is meant; without it, the innermost', text(100)),
      reason: text(),
      metadata: { type: 'object', maxProperties: 50 },
    },
    example: { decision: 'stop', reason: 'Two rounds in a row found nothing new.' },
  }),
  contractPack({
    name: 'assessment',
    kind: 'wr.assessment',
    title: 'A judgement: one level for each dimension, and why',
    required: ['dimensions'],
    properties: {
      assessmentId: described('Which assessment this is, where a step asks for several', text(100)),
      dimensions: { type: 'object', additionalProperties: dimension, minProperties: 1, maxProperties: 50 },
      summary: text(),
      followedUp: described('What the follow-up did, where a level called for one', text()),
    },
    example: {
      assessmentId: 'plan_readiness',
      dimensions: {
        scope: 'high',
        evidence: {
          level: 'medium',
          rationale: 'The cause was reproduced; the load it appears under was only estimated.',
        },
      },
      summary: 'Ready to be built; measure the load before the rollout.',
    },
    documents: [{ document: 'assessments', fold: 'log' }],
  }),
  contractPack({
    name: 'coordinator_signal',
    kind: 'wr.coordinator_signal',
    title: 'Word to whoever coordinates several runs: how this one stands, and what it needs',
    open: true,
    required: ['signal'],
    properties: {
      signal: described('What happened in a word, such as started, progress, blocked, needs_input, done', text(100)),
      summary: text(),
      needs: described('What somebody else has to give before this work can go on', listOf(text(), 30)),
      data: { type: 'object', maxProperties: 50 },
    },
    example: {
      signal: 'blocked',
      summary: 'The schema is changed and tested. The rollout waits for a window that only operations can give.',
      needs: ['A maintenance window of ten minutes'],
    },
    documents: [{ document: 'signals', fold: 'log' }],
  }),
  contractPack({
    name: 'gate_verdict',
    kind: 'wr.gate_verdict',
    title: 'Whether the work may pass a gate',
    open: true,
    required: ['verdict', 'reason'],
    properties: {
      gate: described('The step or gate that was judged', text(200)),
      verdict: described(
        'pass: go on. fail: this has to change first. uncertain: a person has to decide',
        oneOf('pass', 'fail', 'uncertain'),
      ),
      reason: text(),
      confidence: oneOf('low', 'medium', 'high'),
      conditions: described('What has to hold, or be done, for it to pass', listOf(text(), 30)),
    },
    example: {
      gate: 'before_rollout',
      verdict: 'fail',
      reason: 'The migration cannot be rolled back once the old column is dropped in the same release.',
      confidence: 'high',
      conditions: ['Drop the column one release later.'],
    },
    documents: [{ document: 'gates', fold: 'log' }],
  }),
  contractPack({
    name: 'working_agreement_patch',
    kind: 'working_agreement_patch',
    title: 'A change to how the user wants the work done, from what the user said and nothing else',
    required: ['agreement', 'said'],
    properties: {
      agreement: {
        type: 'object',
        description: 'What holds from now on, by topic; null ends what held before',
        propertyNames: { maxLength: 60, pattern: '^[a-z][a-z0-9_]*$' },
        additionalProperties: { anyOf: [text(500), { type: 'null' }] },
        minProperties: 1,
        maxProperties: 20,
      },
      said: described('The words of the user that this comes from', text(1000)),
    },
    example: {
      agreement: { commits: 'One commit for each finding, tests included.', pushing: null },
      said: 'Please commit each fix on its own. You may push without asking from now on.',
    },
    documents: [
      { document: 'working_agreement', fold: 'header', field: 'agreement' },
      { document: 'working_agreement.changes', fold: 'log' },
    ],
  }),
];
