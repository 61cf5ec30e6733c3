import { describe, expect, it } from 'vitest';
import { checkNotes, describeRule } from './notes-rules.js';

describe('checkNotes', () => {
  it('tells the rules that are broken, and what would mend them', () => {
    const rules = [{ contains: 'Risk:' }, { matches: '^# ' }, { minLength: 9 }, { maxLength: 20 }];
    expect(checkNotes(rules, '# a Risk: low')).toEqual([]);
    expect(checkNotes(rules, 'short')).toEqual([
      'the notes must contain "Risk:"',
      'the notes must match `^# `',
      'the notes must have at least 9 characters; they have 5',
    ]);
    expect(checkNotes([{ maxLength: 2 }], '👍👍')).toEqual([]);
    expect(describeRule({ maxLength: 2 })).toBe('have at most 2 characters');
  });
});
