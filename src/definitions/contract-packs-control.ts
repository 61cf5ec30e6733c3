import { contractPack, type ContractPack } from './contract-pack.js';
import { oneOf, text } from './contract-pack-schema.js';

/** What steers a run: artifacts that loops, assessments and gates read. */
export const controlPacks: readonly ContractPack[] = [
  contractPack({
    name: 'loop_control',
    kind: 'wr.loop_control',
    title: 'Whether a loop goes on after this iteration',
    required: ['decision'],
    properties: {
      decision: oneOf('continue', 'stop'),
      loopId: { ...text(100), description: 'The loop that is meant; without it, the innermost' },
      reason: text(1000),
      metadata: { type: 'object', description: 'Anything worth keeping beside the decision', maxProperties: 50 },
    },
    example: { decision: 'stop', reason: 'The last two rounds found nothing new.' },
  }),
];
