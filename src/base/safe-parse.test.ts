import { expect, it } from 'vitest';
import { z } from 'zod';
import { safeParse } from './safe-parse.js';

const schema = z.strictObject({
  title: z.string().min(1).max(9),
  tags: z.array(z.string()).max(3).optional(),
  facts: z.record(z.string(), z.json()).optional(),
});

// A workflow file with such a title kept every workflow from being listed.
it.each([[{ toString: [1] }], [{ toString: 'x', valueOf: 'y' }], [[{ toString: null, valueOf: null }]]])(
  'an object whose length is %j in place of a text or a list is told by its path',
  (length) => {
    const held = safeParse(schema, { title: { length }, tags: { length } });
    expect(held.success).toBe(false);
    expect(held.error?.issues.map(({ path }) => path.join('.'))).toEqual(['title', 'tags']);
  },
);

it('a length where anything may stand is kept', () => {
  const value = { title: 'x', facts: { length: { toString: [1] } } };
  expect(safeParse(schema, value)).toMatchObject({ success: true, data: value });
});
