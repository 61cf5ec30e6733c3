import { describe, expect, it } from 'vitest';
import { commandTable } from '../command-table.js';
import { completeLine } from './complete-line.js';

const words = (...line: readonly string[]): readonly string[] | string => {
  const completion = completeLine(line, commandTable);
  return 'names' in completion ? completion.names : completion.candidates.map(({ word }) => word);
};

describe('what completes a line', () => {
  it('is every command, each once', () => {
    expect(words('')).toEqual([...new Set(commandTable.map(({ name }) => name.split(' ')[0]))]);
    expect(words()).toContain('start');
  });

  it('is the second word of a command of two, or what that command takes', () => {
    expect(words('keys', '')).toEqual(['rotate']);
    expect(words('sessions', 'l')).toEqual(['label', 'keep', 'move']);
    expect(words('sessions', 'label', '')).toBe('sessions');
  });

  it.each([
    [['show', ''], 'sessions'],
    [['start', 'wr.'], 'workflows'],
    [['start', 'wr.research', '--session', ''], 'sessions'],
    [['validate', ''], 'files'],
    [['export', 'S-1', '-o', ''], 'files'],
    [['show', '--data-dir', '/'], 'folders'],
    [['nothing', ''], []],
    [['version', ''], []],
    [['help', 'st'], words('')],
    [
      ['completions', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['start', 'x', '--mode', 'g'],
      ['guided', 'auto_stop', 'auto_never_stop'],
    ],
    [
      ['start', 'x', '--mode', '=', 'g'],
      ['guided', 'auto_stop', 'auto_never_stop'],
    ],
    [
      ['start', 'x', '--mode=g'],
      ['--mode=guided', '--mode=auto_stop', '--mode=auto_never_stop'],
    ],
    [['start', 'x', '--session=S'], []],
    [['start', 'x', '--nothing=S'], []],
    [
      ['render', '--format', ''],
      ['md', 'html'],
    ],
  ])('%j', (line, expected) => {
    expect(words(...line)).toEqual(expected);
  });

  it('are the options of the command, one that is given again only where it may be', () => {
    const { options } = commandTable.find(({ name }) => name === 'start')!;
    expect(words('start', 'x', '-')).toEqual(Object.keys(options).map((name) => `--${name}`));
    expect(words('start', 'x', '--fresh', '--input', 'a=b', '--')).toEqual(
      Object.keys(options).flatMap((name) => (name === 'fresh' ? [] : [`--${name}`])),
    );
  });
});
