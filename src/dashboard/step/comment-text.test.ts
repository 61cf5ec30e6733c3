import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allComments, allFindings, commentText, findingText } from './comment-text.js';

const comment = {
  location: { file: 'src/export.ts', line: 41 },
  severity: 'Major',
  title: 'An empty list fails',
  body: 'With no rows, `rows[0]` is undefined.',
};

describe('comments to be posted', () => {
  it('are copied one by one as they are to be posted, and together under their places', () => {
    expect(commentText(comment)).toBe('With no rows, `rows[0]` is undefined.');
    expect(allComments([comment, { title: 'Thank you' }])).toBe(
      [
        '### src/export.ts:41',
        '**Major: An empty list fails**',
        'With no rows, `rows[0]` is undefined.',
        '### On the whole change',
        'Thank you',
      ].join('\n\n'),
    );
  });

  it('loses no comment, whatever an agent wrote', () => {
    const field = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant(undefined));
    const row = fc.record({ title: field, body: field, severity: field, location: fc.oneof(field, fc.object()) });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const headings = allComments(rows as never)
          .split('\n')
          .filter((line) => line.startsWith('### '));
        expect(headings.length).toBeGreaterThanOrEqual(rows.length);
      }),
    );
  });
});

describe('findings', () => {
  it('say how grave, where, why and what to do', () => {
    expect(
      findingText({ ...comment, body: undefined as never, rationale: 'It throws.', suggestion: 'Ask the columns.' }),
    ).toBe('**Major: An empty list fails** (src/export.ts:41)\n\nIt throws.\n\nSuggestion: Ask the columns.');
  });

  it('are copied together without those that are settled', () => {
    const all = allFindings([comment, { ...comment, title: 'Gone', status: 'fixed' }, { ...comment, title: 'Second' }]);
    expect(all).toContain('An empty list fails');
    expect(all).toContain('Second');
    expect(all).not.toContain('Gone');
  });
});
