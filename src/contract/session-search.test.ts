import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseSearch,
  searchKeys,
  type SearchTerm,
  valuesOf,
  withFilter,
  withoutTerm,
  writeFilter,
} from './session-search.js';

const said = (text: string): readonly string[] =>
  parseSearch(text).terms.map((term) => (term.kind === 'filter' ? `${term.key}=${term.value}` : term.kind));
const wrongIn = (text: string): string =>
  parseSearch(text).terms.flatMap((term) => (term.kind === 'wrong' ? [term.says] : []))[0] ?? '';

describe('a search', () => {
  it('is filters and words in any order', () => {
    const search = parseSearch('comma is:waiting  parser label:"needs review" branch:fix/x since:2d');
    expect(search.words).toBe('comma parser');
    expect(said('comma is:waiting  parser label:"needs review" branch:fix/x since:2d')).toEqual([
      'words',
      'is=waiting',
      'words',
      'label=needs review',
      'branch=fix/x',
      'since=2d',
    ]);
  });

  it('without filters is its words as they were typed', () => {
    for (const text of ['', '  ', 'comma  parser', 'http://a.b/c', 'C:\\x', '"is:waiting"', 'a "b is:open" c'])
      expect(parseSearch(text)).toMatchObject({ words: text, notes: [] });
  });

  it('knows other words for the same', () => {
    expect(said('status:blocked Tag:x IS:in_progress is:with-gaps')).toEqual([
      'is=waiting',
      'label=x',
      'is=open',
      'is=gaps',
    ]);
    expect(said('is:cancelled is:Running')).toEqual(['is=canceled', 'is=running']);
  });

  it('says what it does not know, with what there is', () => {
    expect(wrongIn('is:wating')).toBe(
      'is:wating is unknown; did you mean waiting?; known: open, waiting, running, complete, failed, canceled, gaps, damaged',
    );
    expect(wrongIn('is:')).toBe('is: needs a value, such as is:waiting');
    expect(wrongIn('since:soon')).toBe(
      'since:soon is not a time; write since:2h, since:3d, since:today or since:2026-11-01',
    );
    expect(wrongIn('sort:constructor')).toContain('known: newest, oldest, waiting, longest, longest-step');
    const { notes, words } = parseSearch('worklow:wr.x constructor:y');
    expect(words).toBe('worklow:wr.x constructor:y');
    expect(notes[0]).toBe(
      'no filter named worklow; did you mean workflow?; the filters are is, workflow, branch, label, since, before, sort. “worklow:wr.x” is searched as text',
    );
    expect(notes).toHaveLength(2);
  });

  it('takes a filter more, and lets one go', () => {
    expect(withFilter('parser', 'is', 'waiting')).toBe('parser is:waiting');
    expect(withFilter('is:waiting x', 'is', 'open')).toBe('is:waiting x is:open');
    expect(withFilter('is:open x', 'is', 'open')).toBe('x is:open');
    expect(withFilter('since:2d x', 'since', 'today')).toBe('x since:today');
    expect(withoutTerm('a label:"b c" d', 1)).toBe('a d');
  });

  it('holds any value that is written into it', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() === text && text !== '');
    fc.assert(
      fc.property(fc.constantFrom('workflow', 'branch', 'label'), fc.array(value), (key, values) => {
        const text = values.map((one) => writeFilter(key, one)).join(' ');
        expect(valuesOf(parseSearch(text), key)).toEqual(values);
      }),
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(...searchKeys.map((key) => `${key}:`), '"', '\\', ' ', ':', 'is:open', 'x', 'branch:"a b"'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );

  it('takes a filter more whatever was typed, and keeps the rest', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('x', 'a b', '"', '\\'), (typed, value) => {
        const text = typed.join('');
        const before = parseSearch(text).terms;
        const after = parseSearch(withFilter(text, 'workflow', value));
        const isAdded = (term: SearchTerm): boolean =>
          term.kind === 'filter' && term.key === 'workflow' && term.value === value;
        expect(valuesOf(after, 'workflow').filter((one) => one === value)).toHaveLength(1);
        expect(after.terms.filter((term) => !isAdded(term))).toEqual(before.filter((term) => !isAdded(term)));
      }),
    );
  });

  it('loses nothing of what was typed', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const { terms } = parseSearch(text);
        const all = terms.map((term: SearchTerm) => term.text);
        expect(all.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''));
        expect(parseSearch(all.join(' ')).terms).toEqual(terms);
      }),
      { examples: [[['is:', '"', '\\']]] },
    );
  });
});
