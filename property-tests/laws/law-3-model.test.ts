import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patience, runs } from '../worlds/runs-of-law.js';
import { agentsAlone } from '../worlds/random-actions.js';
import { whateverAnAgentDoes } from '../worlds/whatever-an-agent-does.js';

test(
  'law 3: whatever an agent does, answers and log are what the model foresees',
  async () => {
    const met = new Map<string, number>();
    await fc.assert(whateverAnAgentDoes(met), runs(50));
    console.log(
      `law 3: ${[...met]
        .toSorted(([, a], [, b]) => b - a)
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join(', ')}`,
    );
    // A law that never met what it speaks of has proven nothing.
    for (const outcome of [
      'started',
      'advanced',
      'forked',
      'blocked',
      'looked_at_tip',
      'looked_back',
      'given again',
      'replayed otherwise',
      'STEP_INCOMPLETE',
      'TOKEN_SCOPE_MISMATCH',
      'VALIDATION_ERROR',
      'checkpoint_workflow',
      'resume_session',
      'with skips',
      'answered value',
    ]) {
      expect(met.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
    }
  },
  patience,
);

test(
  'law 3, seed 864842550: a recap at the edge of its budget',
  async () => {
    await expect(
      fc.assert(whateverAnAgentDoes(new Map(), { names: agentsAlone }), { seed: 864842550, numRuns: 27 }),
    ).resolves.toBeUndefined();
  },
  patience,
);

test(
  'law 3, seed 2117176683: first notes of a run that the line of a round tells',
  async () => {
    const once = { seed: 2117176683, numRuns: 9, endOnFailure: true };
    await expect(fc.assert(whateverAnAgentDoes(new Map(), { names: agentsAlone }), once)).resolves.toBeUndefined();
  },
  patience,
);

test(
  'law 3, seed 1066418356: other work where there are more warnings than are told',
  async () => {
    const once = { seed: 1066418356, numRuns: 48, endOnFailure: true };
    await expect(fc.assert(whateverAnAgentDoes(new Map(), { names: agentsAlone }), once)).resolves.toBeUndefined();
  },
  patience,
);

test(
  'law 3, seed -2032681815: first notes with gaps, which are cut',
  async () => {
    const once = { seed: -2032681815, numRuns: 7, endOnFailure: true };
    await expect(fc.assert(whateverAnAgentDoes(new Map()), once)).resolves.toBeUndefined();
  },
  patience,
);
