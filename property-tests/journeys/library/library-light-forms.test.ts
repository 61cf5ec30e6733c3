import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { bundledPlays } from '../../worlds/bundled-plays.js';
import type { Play } from '../../worlds/workflow-play.js';

const { play } = bundledPlays();

describe('a bug', () => {
  const smallBug = (change: string, complexity = 'Small'): Play['day'] => ({
    frame: () => ({ context: { complexity: 'Small' } }),
    find: () => ({ context: { complexity, change } }),
    reproduce: () => ({ context: { reproduction: 'always', complexity: 'Medium' } }),
    suspects: () => ({ context: { suspects: [], unexplained: [] } }),
    explain: () => ({ context: { change: 'none' } }),
    propose: () => ({ context: { change: 'none' } }),
  });
  it.each([
    ['that is small and to be mended takes three steps', smallBug('make'), ['frame', 'find', 'mend/fix']],
    ['that the user does not want mended here ends with its cause', smallBug('ask'), ['frame', 'find', 'mend/propose']],
    ['of which a proposal is wanted ends with it', smallBug('none'), ['frame', 'find']],
    [
      'that turns out larger goes the long way',
      smallBug('none', 'Medium'),
      ['frame', 'find', 'long/reproduce', 'long/search/suspects', 'long/search/explain', 'hand_over'],
    ],
    [
      'that looked large and fails each time in one place goes the short way',
      {
        ...smallBug('make'),
        frame: () => ({ context: { complexity: 'Large' } }),
        reproduce: () => ({ context: { reproduction: 'always', complexity: 'Small' } }),
        find_here: () => ({ context: { complexity: 'Small', change: 'make' } }),
      },
      ['frame', 'long/reproduce', 'long/find_here', 'mend/fix'],
    ],
    ['that is none is answered', { frame: () => ({ context: { complexity: 'None' } }) }, ['frame', 'no_bug']],
  ])('%s', async (_name, day, way) => {
    const inputs = { symptom: 'The nightly export has no header.' };
    const { paths, last, refused } = await play({ id: 'wr.bug_investigation', inputs, day });
    expect(paths).toEqual(way);
    expect(refused).toEqual([]);
    expect(last['status']).toBe('complete');
  });
});

describe('small work', () => {
  it.each([
    [
      'wr.design_review',
      { design: 'docs/queue.md' },
      { requirements: () => ({ context: { complexity: 'Small' } }), weigh: () => ({ context: { openQuestions: [] } }) },
      ['requirements', 'walk', 'weigh', 'verdict'],
    ],
    [
      'wr.documentation',
      { subject: 'Keys' },
      { reader: () => ({ context: { pageSize: 'Small' } }), fresh_eyes: () => ({ context: { stumbles: [] } }) },
      ['reader', 'write_small', 'fresh_eyes', 'hand_over'],
    ],
    [
      'wr.production_readiness',
      { subject: 'The export' },
      { stakes: () => ({ context: { stakes: 'low' } }), judge: () => ({ context: { blockers: [] } }) },
      ['stakes', 'look_small', 'judge', 'verdict', 'hand_over'],
    ],
    [
      'wr.write_workflow',
      { work: 'Upgrades' },
      { trial: () => ({ context: { stumbles: [] } }) },
      ['study', 'shape', 'write', 'trial', 'hand_over'],
    ],
  ] as readonly (readonly [string, JsonObject, Play['day'], readonly string[]])[])(
    'of %s takes a short way',
    async (id, inputs, day, way) => {
      const { paths, refused, last } = await play({ id, inputs, day });
      expect(paths).toEqual(way);
      expect(refused).toEqual([]);
      expect(last['status']).toBe('complete');
    },
  );
});
