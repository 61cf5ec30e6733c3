import { expect, it } from 'vitest';
import { toolResult } from './tool-result.js';

const reply = (failed: boolean, lookup: boolean) => ({ failed, lookup, text: 'said', answer: { kind: 'ok' } });

it.each([
  ['an execution answer', reply(false, false), false, {}],
  [
    'an execution answer where the user wants it structured',
    reply(false, false),
    true,
    { structuredContent: { kind: 'ok' } },
  ],
  ['a lookup', reply(false, true), false, { structuredContent: { kind: 'ok' } }],
  ['a failed lookup', reply(true, true), false, { isError: true }],
  ['a rejection', reply(true, false), true, { isError: true, structuredContent: { kind: 'ok' } }],
])('%s carries its text and, beside it, its data', (_what, given, structuredContent, besides) => {
  expect(toolResult(given, { structuredContent })).toEqual({
    content: [{ type: 'text', text: 'said' }],
    _meta: { 'workrail/answer': { kind: 'ok' } },
    ...besides,
  });
});
