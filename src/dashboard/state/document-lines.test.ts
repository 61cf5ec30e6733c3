import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { compareDocuments } from './compare-documents.js';
import { documentLines, type DocumentLine, nextChange } from './document-lines.js';

const told = (lines: readonly DocumentLine[]): readonly string[] =>
  lines.map((line) =>
    line.kind === 'part'
      ? `${'  '.repeat(line.depth)}${line.key ?? '.'} ${line.change}${line.begins ? '!' : ''}`
      : `${'  '.repeat(line.depth)}… ${line.count}`,
  );
const before = { a: { b: 1, c: 2 }, d: [1, 2, 3], e: { f: 1 } };
const after = { a: { b: 1, c: 3, g: { h: [1] } }, d: [1, 2, 3], k: 0 };
const linesOf = (wanted: Partial<Parameters<typeof documentLines>[1]> = {}): readonly DocumentLine[] =>
  documentLines(compareDocuments(before, after), { turned: new Map(), onlyChanges: false, ...wanted });

describe('the lines of a document', () => {
  it('show what has changed, and where that begins', () => {
    expect(told(linesOf())).toEqual([
      '. within',
      '  a within',
      '    b same',
      '    c changed!',
      '    g added!',
      '      h added',
      '        0 added',
      '  d same',
      '    0 same',
      '    1 same',
      '    2 same',
      '  e removed!',
      '    f removed',
      '  k added!',
    ]);
  });

  it('leave out what stayed, if asked to', () => {
    expect(told(linesOf({ onlyChanges: true, turned: new Map([['/a/g', false]]) }))).toEqual([
      '. within',
      '  a within',
      '    … 1',
      '    c changed!',
      '    g added!',
      '  … 1',
      '  e removed!',
      '    f removed',
      '  k added!',
    ]);
  });

  it('are folded by whoever reads, one by one or all', () => {
    expect(told(linesOf({ all: false }))).toEqual(['. within']);
    expect(told(linesOf({ all: false, turned: new Map([['', true]]) }))).toHaveLength(5);
    expect(told(linesOf({ turned: new Map([['-/e', false]]) }))).not.toContain('    f removed');
  });

  it('open of a large document what has changed, and no more', () => {
    const rows: JsonValue = Array.from({ length: 1000 }, (_, index) => ({ id: index, name: `Row ${index}` }));
    const changed = rows.with(500, { id: 500, name: 'Other' });
    const lines = documentLines(compareDocuments({ rows }, { rows: changed }), {
      turned: new Map(),
      onlyChanges: false,
    });
    expect(lines).toHaveLength(2 + 1000 + 2);
    expect(lines.filter((line) => line.kind === 'part' && line.isOpen === true).map(({ id }) => id)).toEqual([
      '',
      '/rows',
      '/rows/500',
    ]);
  });

  it('lead from change to change', () => {
    const lines = linesOf();
    expect([nextChange(lines, 0, 1), nextChange(lines, 3, 1), nextChange(lines, 4, 1)]).toEqual([3, 4, 11]);
    expect([nextChange(lines, 13, 1), nextChange(lines, 13, -1), nextChange(lines, 3, -1)]).toEqual([13, 11, 3]);
  });

  it('have each an id of its own', () => {
    const lines = documentLines(compareDocuments([{ id: 1 }, { id: 2 }, 3], [{ id: 2 }, 4]), {
      turned: new Map(),
      onlyChanges: false,
    });
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
  });
});
