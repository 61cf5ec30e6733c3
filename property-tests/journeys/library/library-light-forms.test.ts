import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import type { Requests } from '../../../src/requests/requests.js';
import { makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { type Play, playWorkflow } from '../../worlds/workflow-play.js';

let world: RequestsWorld;
let requests: Requests;
beforeAll(() => {
  world = makeRequestsWorld({ seed: 7, bundled: fileURLToPath(new URL('../../../workflows', import.meta.url)) });
  requests = world.open();
});
afterAll(() => world.close());

describe('a bug', () => {
  const smallBug = (change: string, complexity = 'Small'): Play['day'] => ({
    frame: () => ({ context: { complexity: 'Small' } }),
    find: () => ({ context: { complexity, change } }),
    reproduce: () => ({ context: { reproduction: 'always' } }),
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
      ['frame', 'find', 'long/reproduce', 'long/suspects', 'long/explain', 'hand_over'],
    ],
    ['that is none is answered', { frame: () => ({ context: { complexity: 'None' } }) }, ['frame', 'no_bug']],
  ])('%s', async (_name, day, way) => {
    const inputs = { symptom: 'The nightly export has no header.' };
    const { paths, last, refused } = await playWorkflow(requests, { id: 'wr.bug_investigation', inputs, day });
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
      { stakes: () => ({ context: { stakes: 'low' } }), list_gaps: () => ({ context: { blockers: [] } }) },
      ['stakes', 'look_small', 'list_gaps', 'verdict', 'hand_over'],
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
      const { paths, refused, last } = await playWorkflow(requests, { id, inputs, day });
      expect(paths).toEqual(way);
      expect(refused).toEqual([]);
      expect(last['status']).toBe('complete');
    },
  );
});
