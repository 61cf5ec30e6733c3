import { expect, it } from 'vitest';
import type { EventSum, NodeId, RunId } from '../base/ids.js';
import type { Event } from '../events/event.js';
import { entriesUpFrom } from './entry.js';
import { foldSession } from './fold-session.js';
import { emptySession } from './folded-session.js';
import { gapsAt } from './gaps.js';

const ack = (seq: number, node: string, parent: string): Event<'step_acked'> => ({
  v: 1,
  seq,
  by: 'writer000' as Event['by'],
  at: '2026-01-05T09:00:00.000Z',
  prev: '',
  sum: `00000000000000${String(seq).padStart(2, '0')}` as EventSum,
  kind: 'step_acked',
  run: 'run_00000000' as RunId,
  node: node as NodeId,
  data: {
    parent: parent as NodeId,
    attempt: 'a_0000000000' as Event<'step_acked'>['data']['attempt'],
    step: 's',
    brought: '0000000000000000',
  },
});

it('nodes that name each other as parents make no circle', () => {
  const session = foldSession(emptySession(), [
    ack(1, 'n_00000000000a', 'n_00000000000b'),
    ack(2, 'n_00000000000b', 'n_00000000000a'),
  ]);
  for (const node of session.nodes.values()) {
    expect([...entriesUpFrom(session, node)].length).toBeLessThanOrEqual(2);
    expect(gapsAt(session, node)).toEqual([]);
    expect(node.whole).toBe(false);
  }
});
