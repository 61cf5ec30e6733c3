import { describe, expect, it } from 'vitest';
import { tellValuesRead } from './tell-values-read.js';

describe('tellValuesRead', () => {
  it('says what the keys held that a condition asks about, each once', () => {
    const condition = 'context.size == "large" || (context.size == "medium" && context.files > 3)';
    expect(tellValuesRead(condition, { size: 'small', files: 2, other: 1 })).toBe(' (size was "small", files was 2)');
  });

  it('leaves out what nobody has set', () => {
    expect(tellValuesRead('context.size == "large"', {})).toBe('');
    expect(tellValuesRead('wr_equals(wr_get(context, "size"), "Large")', { size: 'Small' })).toBe(
      ' (size was "Small")',
    );
  });

  it('tells a value whole or not at all', () => {
    const token = 'k'.repeat(80);
    expect(tellValuesRead('context.token == "a"', { token })).toBe(' (token was a text of 80 characters)');
    const list = [...token];
    expect(tellValuesRead('size(context.list) > 99', { list })).toBe(' (list was a list of 80 entries)');
    expect(tellValuesRead('context.a.b', { a: { b: false, token } })).toBe(' (a was an object)');
  });
});
