import { describe, expect, test } from 'vitest';
import type { EventSum, WriterId } from '../base/ids.js';
import type { Event } from '../events/event.js';
import { redactEvent } from './redact-event.js';

const sum = '0123456789abcdef' as EventSum;
/** As a line is read: what is not looked at here is left out of it. */
function eventOf(draft: object): Event {
  const event: unknown = {
    v: 1,
    seq: 1,
    by: 'writer01' as WriterId,
    at: '2026-01-02T03:04:05.678Z',
    prev: '',
    sum,
    ...draft,
  };
  return event as Event;
}

const acked = eventOf({
  kind: 'step_acked',
  node: 'n_0123456789ab',
  data: {
    parent: 'n_ba9876543210',
    attempt: 'a_0123456789',
    step: 'Try the login',
    brought: '0123456789abcdef',
    output: {
      notes: 'the login is login/pass',
      artifacts: [{ kind: 'login', login: 'login', pins: [12345678, 5], 'login 2': true }],
    },
    context: { login: 'x' },
    preferences: {
      autonomy: 'guided',
      gateHandling: 'block',
      assumptionPolicy: 'ask_when_missing',
      riskPolicy: 'conservative',
    },
    next: { id: 'login', path: 'login', title: 'See the login', frames: [] },
    key: 'k_01234567',
    engine: 'login',
  },
});

describe('an event without what leaked', () => {
  test('loses the text in values, keys and numbers of its caller, and keeps what it stands by', () => {
    const redacted = redactEvent(acked, { texts: ['login', '12345678'] });
    expect(redacted?.draft).toMatchObject({
      node: 'n_0123456789ab',
      data: {
        step: 'Try the [redacted]',
        output: {
          notes: 'the [redacted] is [redacted]/pass',
          artifacts: [
            { kind: '[redacted]', '[redacted]': '[redacted]', pins: ['[redacted]', 5], '[redacted] 2': true },
          ],
        },
        context: { '[redacted]': 'x' },
        next: { id: 'login', path: 'login', title: 'See the [redacted]' },
        engine: 'login',
      },
    });
    expect(redacted?.places).toContain('/output/notes');
    expect(redacted?.places).toContain('/output/artifacts/0/pins/0');
  });

  test('what a step was told of the shared state is cleaned, and still says of which version', () => {
    const read = { state: 'wfstate_0123456789ab', version: '0123456789ab', value: { token: 'ab12', n: [12345678] } };
    const told = eventOf({ kind: 'step_acked', data: { ...acked.data, read } });
    expect(redactEvent(told, { texts: ['ab', '12345678'] })?.draft.data).toMatchObject({
      read: { state: read.state, version: read.version, value: { token: '[redacted]12', n: ['[redacted]'] } },
    });
  });

  test('words of the schema are no keys of a caller', () => {
    expect(redactEvent(acked, { texts: ['notes'] })).toBeUndefined();
    expect(redactEvent(acked, { texts: ['nothing of it'] })).toBeUndefined();
  });

  test('emptied, it still says which step it was', () => {
    expect(redactEvent(acked, { event: sum })?.draft.data).toMatchObject({
      step: 'Try the login',
      output: { notes: '[redacted]', artifacts: [{ kind: 'login', login: '[redacted]' }] },
      context: { login: '[redacted]' },
    });
    expect(redactEvent(acked, { event: 'ffffffffffffffff' as EventSum })).toBeUndefined();
  });

  test('two keys that become the same stay two, and a short text does not make a line too long', () => {
    const twice = eventOf({ kind: 'run_started', data: { inputs: {}, context: { ab: 1, abab: 2 } } });
    expect(redactEvent(twice, { texts: ['abab', 'ab'] })?.draft.data).toMatchObject({
      context: { '[redacted]': 1, '[redacted] 2': 2 },
    });
    const long = eventOf({ kind: 'note_added', data: { text: 'abcd '.repeat(180_000) } });
    const data = redactEvent(long, { texts: ['abcd'] })?.draft.data as { readonly text: string };
    expect(data.text).toBe('* '.repeat(180_000));
  });
});
