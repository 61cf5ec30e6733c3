import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mapParts, partRoles, partsOf } from './schema-parts.js';

const told = z.string().register(partRoles, { role: 'told' });
const form = z.strictObject({
  title: told.max(9).describe('Still told, whatever is said of it further'),
  plain: z.string(),
  block: z.union([told, z.strictObject({ goal: z.union([told, z.array(told)]).optional() })]),
  by: z.record(z.string(), z.strictObject({ if: z.string().register(partRoles, { role: 'condition' }).optional() })),
  given: z.custom().register(partRoles, { role: 'told' }),
  turn: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('a'), test: z.string().register(partRoles, { role: 'while' }) }),
    z.strictObject({ type: z.literal('b'), test: z.string().register(partRoles, { role: 'until' }) }),
  ]),
  get inner() {
    return z.array(form);
  },
});
const value = {
  turn: { type: 'b', test: 'done' },
  plain: 'left as it is',
  given: { list: ['one', 2, { deep: 'two' }] },
  by: { x: { if: 'ready' }, y: {} },
  block: { goal: ['three', 'four'] },
  title: 'five',
  inner: [{ title: 'of another' }],
};

describe('the parts of a value', () => {
  it('are found wherever its schema has them, in the order of the schema, and not in what holds itself', () => {
    expect(partsOf(form, value).map(({ role, text, path }) => `${path.join('.')} ${role} ${text}`)).toEqual([
      'title told five',
      'block.goal.0 told three',
      'block.goal.1 told four',
      'by.x.if condition ready',
      'given.list.0 told one',
      'given.list.2.deep told two',
      'turn.test until done',
    ]);
  });

  it('are changed alone', () => {
    expect(mapParts(form, value, ({ text }) => text)).toEqual(value);
    expect(mapParts(form, value, ({ role, text }) => (role === 'until' ? `!${text}` : text))).toEqual({
      ...value,
      turn: { type: 'b', test: '!done' },
    });
  });

  it('are found in a list where one text belongs, and nowhere else in a value of another form', () => {
    const wrong = { title: ['six', 7], block: 8, by: ['seven'], turn: 'eight', given: null };
    expect(partsOf(form, wrong).map(({ text }) => text)).toEqual(['six']);
  });
});
