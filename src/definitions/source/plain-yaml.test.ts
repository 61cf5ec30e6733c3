import { describe, expect, it } from 'vitest';
import { readPlainYaml } from './plain-yaml.js';

describe('plain YAML', () => {
  it('is keys and lists by their indentation', () => {
    const text = [
      'workflow: team.a # a comment',
      'tags: [one, "two, three", 3]',
      'inputs: { ticket: { type: string, required: true } }',
      'empty:',
      'steps:',
      '- id: read',
      "  title: 'It''s a title'",
      '  prompt: |',
      '    Read it.',
      '',
      '      - all of it',
      '  note: >-',
      '    on',
      '    one line',
      '',
      '    and another',
      '  goal: over',
      '    two lines',
      '  rules:',
      '    - - deep',
      '    - 1.5',
    ].join('\n');
    expect(readPlainYaml(text)).toEqual({
      workflow: 'team.a',
      tags: ['one', 'two, three', 3],
      inputs: { ticket: { type: 'string', required: true } },
      empty: null,
      steps: [
        {
          id: 'read',
          title: "It's a title",
          prompt: 'Read it.\n\n  - all of it\n',
          note: 'on one line\nand another',
          goal: 'over two lines',
          rules: [['deep'], 1.5],
        },
      ],
    });
  });

  it.each([
    ['a key twice', 'a: 1\na: 2\n'],
    ['an anchor', 'a: &x 1\nb: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a tab', 'a:\tb\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['a mark of a document', '---\na: 1\n'],
    ['the end of a document', 'a: 1\n...\n'],
    ['a directive', '%YAML 1.2\na: 1\n'],
    ['brackets without end', `a: ${'['.repeat(100_000)}`],
    ['lists without end', `a:\n  ${'- '.repeat(100_000)}`],
    ['text with a colon', 'a: b: c\n'],
    ['a key far right', 'a: 1\n  b: 2\n'],
    ['an open bracket', 'a: [1, 2\n'],
    ['an open quote', 'a: "b\nc: d\n'],
    ['a block with its own indentation', 'a: |2\n    b\n'],
    ['a number that is none', 'a: .inf\n'],
    ['a key that JSON has no place for', '__proto__: 1\n'],
    ['a list alone', '- a\n'],
    ['nothing', '# nothing\n'],
  ])('leaves %s to the parser', (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });
});
