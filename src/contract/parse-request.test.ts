import { describe, expect, it, test } from 'vitest';
import type { JsonObject, JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { parseRequest } from './parse-request.js';
import type { RequestName } from './request-schemas.js';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const tokens = { stateToken: 'st.v1.7Q2KX0M9ZB4T1D8RVH6WJ3NC5P', ackToken: 'ack.v1.H4T9Z1QWX7M2KD0BV8RC6J3NE' };
const long = 'x'.repeat(limits.notes + 1);
const many = (count: number): { [key: string]: JsonValue } =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key ${n}`, n]));

describe('a limit holds however the value comes', () => {
  it.each<[string, RequestName, unknown]>([
    ['notes', 'continue_workflow', { ...tokens, output: { notesMarkdown: long } }],
    ['notes beside the output', 'continue_workflow', { ...tokens, notesMarkdown: long }],
    ['notes under another name', 'checkpoint_workflow', { stateToken: tokens.stateToken, notes: long }],
    ['an output under another name', 'continue_workflow', { ...tokens, outputs: { notes: long } }],
    [
      'an output as JSON text',
      'checkpoint_workflow',
      { stateToken: tokens.stateToken, output: JSON.stringify({ notesMarkdown: long }) },
    ],
    [
      'an artifact in place of the output',
      'checkpoint_workflow',
      { stateToken: tokens.stateToken, output: { kind: 'report', text: 'x'.repeat(limits.artifact) } },
    ],
    [
      'a context as JSON text',
      'continue_workflow',
      { ...tokens, context: JSON.stringify({ a: 'x'.repeat(limits.context) }) },
    ],
    [
      'a context under another name',
      'start_workflow',
      { workflowId: 'wr.x', inputs: { a: 'x'.repeat(limits.context) } },
    ],
    ['a context too deep, as JSON text', 'continue_workflow', { ...tokens, context: `{"a":${deep(100)}}` }],
    [
      'an output too deep by far, as JSON text',
      'checkpoint_workflow',
      { stateToken: tokens.stateToken, output: `{"artifacts":[{"kind":"x","a":${deep(50_000)}}]}` },
    ],
    ['twenty thousand fields', 'start_workflow', many(20_000)],
    ['two hundred thousand fields', 'start_workflow', many(200_000)],
    ['twenty thousand preferences', 'start_workflow', { workflowId: 'wr.x', preferences: many(20_000) }],
    ['twenty thousand kinds of output', 'checkpoint_workflow', { stateToken: tokens.stateToken, output: many(20_000) }],
    [
      'twenty thousand fields of a gap',
      'checkpoint_workflow',
      { stateToken: tokens.stateToken, output: { gaps: [many(20_000)] } },
    ],
    [
      'a hundred thousand gaps',
      'checkpoint_workflow',
      { stateToken: tokens.stateToken, output: { gaps: Array.from({ length: 100_000 }, () => 5) } },
    ],
  ])('%s', (_, name, raw) => {
    const parsed = parseRequest(name, raw);
    expect(parsed).toMatchObject({ ok: false, error: { code: 'LIMIT_EXCEEDED' } });
    expect(JSON.stringify(parsed).length).toBeLessThan(limits.answer);
  });

  test('an artifact of many fields may stand in place of the output', () => {
    expect(
      parseRequest('checkpoint_workflow', { stateToken: tokens.stateToken, output: { kind: 'report', ...many(500) } }),
    ).toMatchObject({ ok: true });
  });

  test('a number that JSON text makes infinite is none', () => {
    expect(parseRequest('continue_workflow', { ...tokens, context: '{"a":1e999}' })).toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR' },
    });
  });
});

it('lists what is wrong up to a number, and says how much there is', () => {
  const parsed = parseRequest('start_session', {
    title: 'x',
    tags: ['fine'],
    ...Object.fromEntries(Object.entries(many(90))),
  });
  expect(parsed).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('90 fields are wrong') as string },
  });
  const gap = { category: 'agent_disclosed', reason: 'r', detail: 'd', ...many(50) };
  const crowded = parseRequest('checkpoint_workflow', {
    stateToken: tokens.stateToken,
    output: { gaps: Array.from({ length: 20 }, () => gap) },
  });
  expect(crowded).toMatchObject({
    ok: false,
    error: {
      message: expect.stringContaining(`1000 fields are wrong, the first ${limits.violations} are listed`) as string,
    },
  });
  expect(crowded.ok ? [] : crowded.error.violations).toHaveLength(limits.violations);
});

// Found by `npm run faults -- --only odd-calls --seed 19 --round 1`.
test.each<[string, RequestName, unknown, string]>([
  ['a text', 'list_workflows', { query: { length: { toString: [1] } } }, '/query'],
  [
    'a text, inside',
    'checkpoint_workflow',
    {
      stateToken: tokens.stateToken,
      output: { gaps: [{ category: 'unexpected', reason: { length: { toString: 'x' } }, detail: 'd' }] },
    },
    '/output/gaps/0/reason',
  ],
  ['a list', 'start_session', { tags: { length: { toString: 0, valueOf: 0 } } }, '/tags'],
])('an object whose length is no number, in place of %s, is told as what it is', (_, name, raw, path) => {
  const parsed = parseRequest(name, JSON.parse(JSON.stringify(raw)));
  expect(parsed).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  expect(parsed.ok ? [] : parsed.error.violations?.map((violation) => violation.path)).toContain(path);
});

test.each<[unknown, unknown]>([
  [{ context: { notesMarkdown: 'n' } }, { output: { notesMarkdown: 'n' } }],
  [
    { context: { notesMarkdown: 'n', size: 2 }, output: { artifacts: [] } },
    { context: { size: 2 }, output: { artifacts: [], notesMarkdown: 'n' } },
  ],
  [
    { context: { notesMarkdown: 'n' }, output: { notesMarkdown: 'own' } },
    { context: { notesMarkdown: 'n' }, output: { notesMarkdown: 'own' } },
  ],
  [
    { context: { notesMarkdown: 'n' }, notesMarkdown: 'own' },
    { context: { notesMarkdown: 'n' }, output: { notesMarkdown: 'own' } },
  ],
  [{ context: { notesMarkdown: 7 } }, { context: { notesMarkdown: 7 } }],
  [{ context: { size: 2 } }, { context: { size: 2 } }],
])('notes among the facts are notes, where nothing is in doubt: %#', (sent, meant) => {
  const parsed = parseRequest('continue_workflow', { ...tokens, ...(sent as JsonObject) });
  expect(parsed).toEqual({ ok: true, value: { ...tokens, ...(meant as JsonObject) } });
});
