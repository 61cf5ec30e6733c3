import { expect, it } from 'vitest';
import type { SessionId, StateId } from '../../base/ids.js';
import { newStateId } from './new-state-id.js';

const session = 'AUTH-1' as SessionId;
const always = { randomId: () => 'ffffffffffff' };

it('is none that the session has, whatever is drawn', () => {
  const taken = new Set<StateId>();
  for (let at = 0; at < 300; at += 1) {
    const id = newStateId(always, session, taken);
    expect(taken.has(id)).toBe(false);
    expect(id).toMatch(/^wfstate_[0-9a-f]{12}$/u);
    taken.add(id);
  }
  expect(new Set([...taken].map((id) => BigInt(`0x${id.slice(8)}`) >> 14n)).size).toBe(1);
});

it('says so where there is none left', () => {
  expect(() => newStateId(always, session, { has: () => true })).toThrow(/all states that it can have/u);
});
