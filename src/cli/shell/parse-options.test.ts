import { describe, expect, it } from 'vitest';
import type { OptionTable } from '../print/option-table.js';
import { parseOptions } from './parse-options.js';

const table: OptionTable = {
  workspace: { kind: 'text', value: 'folder', says: '' },
  disable: { kind: 'list', value: 'tools', says: '' },
  json: { kind: 'switch', short: 'j', says: '' },
};

function said(args: readonly string[], words = 0): unknown {
  const parsed = parseOptions(args, table, words);
  return parsed.ok
    ? {
        words: parsed.value.words,
        workspace: parsed.value.text('workspace'),
        disable: parsed.value.list('disable'),
        json: parsed.value.has('json'),
      }
    : parsed.error;
}

describe('options', () => {
  it('are read in every usual spelling', () => {
    expect(said(['--workspace', 'a', '--disable=x,y', '--disable', 'z', '--json'])).toEqual({
      words: [],
      workspace: 'a',
      disable: ['x,y', 'z'],
      json: true,
    });
    expect(said(['one', '--', '--two'], 2)).toEqual({
      words: ['one', '--two'],
      workspace: undefined,
      disable: [],
      json: false,
    });
    expect(said(['--workspace=-odd'])).toMatchObject({ workspace: '-odd' });
    expect(said(['-j'])).toMatchObject({ json: true });
  });

  it.each([
    [['--workspce', 'a'], 'unknown option --workspce; did you mean --workspace?'],
    [['--zzzzzzzz'], 'unknown option --zzzzzzzz; the options are --workspace, --disable, --json'],
    [['-q'], 'unknown option -q; the options are --workspace, --disable, --json'],
    [['--workspace'], '--workspace needs a value: --workspace <folder>'],
    [['--workspace='], '--workspace needs a value: --workspace <folder>'],
    [['--workspace', '--json'], '--workspace needs a value: --workspace <folder>'],
    [['--json=yes'], '--json takes no value'],
    [['--workspace', 'a', '--workspace', 'b'], '--workspace is given twice'],
    [['extra'], 'unexpected argument "extra"'],
    [['--constructor'], 'unknown option --constructor; the options are --workspace, --disable, --json'],
  ])('%j', (args, message) => {
    expect(said(args)).toBe(message);
  });
});
