import { expect, it } from 'vitest';
import type { Expects } from '../../contract/answer.js';
import { expectsFiller } from './demo-agent.js';

const nothing: Expects = {
  notes: { required: false, rules: [], example: 'Done.' },
  artifacts: [],
  context: [],
  confirmation: { required: false, field: 'confirmed' },
  needs: [],
};

it('leaves notes even where nothing is asked', () => {
  expect(expectsFiller(nothing)).toEqual({ output: { notesMarkdown: 'Done.' } });
});

it('gives everything that is asked, by its example', () => {
  const key = (name: string, example: string) => ({
    key: name,
    type: 'string',
    required: true,
    wanted: '',
    example,
    neededBy: [],
  });
  const filled = expectsFiller({
    ...nothing,
    artifacts: [
      { kind: 'a', required: true, schema: {}, example: { kind: 'a', n: 1 } },
      { kind: 'b', required: false, schema: {}, example: { kind: 'b' } },
    ],
    context: [key('size', 'Small'), key('secret', 'by example')],
    confirmation: { required: true, field: 'confirmed' },
    needs: [
      { reason: 'needs_user_choice', key: 'colour', ask: 'Which?', satisfied: false },
      { reason: 'needs_user_choice', key: 'given', ask: 'Which?', satisfied: true },
      { reason: 'needs_user_secret_or_token', key: 'secret', ask: 'Please.', satisfied: false },
    ],
  });
  expect(filled).toEqual({
    output: { notesMarkdown: 'Done.', artifacts: [{ kind: 'a', n: 1 }] },
    context: { colour: 'from the user, asked: Which?', secret: 'by example', size: 'Small' },
    confirmed: true,
  });
});
