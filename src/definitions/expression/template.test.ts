import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Scope } from './expression.js';
import { renderTemplate, templateExpressions, unclosedHole } from './template.js';

const scope: Scope = {
  inputs: {},
  context: { n: 1, text: 'a', object: { b: [1] }, list: [], nothing: null },
  outputs: {},
  names: {},
};

describe('renderTemplate', () => {
  it.each([
    ['n is ${{ context.n }}.', 'n is 1.'],
    ['${{ context.text }}${{context.object}}${{ context.list }}', 'a{"b":[1]}[]'],
    ['${{ "}}" + \'{{\' }}', '}}{{'],
    ['${{ {"a": {"b": 1}}.a }}', '{"b":1}'],
    ['${{ r"\\d" }}|${{ "\\"}}" }}', '\\d|"}}'],
    ['${{ context.nothing }}', 'null'],
    ['no ${{ end', 'no ${{ end'],
    ['$5 and {{ x }} and }}', '$5 and {{ x }} and }}'],
  ])('%s', (text, rendered) => {
    expect(renderTemplate(text, scope)).toEqual({ text: rendered, problems: [] });
  });

  it.each([
    ['Open: ${{ context.names }}', 'Open:\n- a\n- b, c'],
    ['Open: ${{ context.names }}\nGo on.', 'Open:\n- a\n- b, c\nGo on.'],
    ['All:\n  ${{ context.names }}', 'All:\n  - a\n  - b, c'],
    ['Part ${{ context.n }}: ${{ context.part }}', 'Part 1:\n- name: api\n- files: x.ts, y.ts'],
    ['${{ context.risks }}', '- name: api; risk: high, or so\n- name: web; risk: null'],
    // In two forms they would be taken for different things.
    ['${{ context.parts }}', '- {"name":"api","risk":"high"}\n- {"name":"web","files":["a"]}'],
    // What is not alone, is empty, or would break a list of the author's, stays in its line.
    ['Open: ${{ context.names }}.', 'Open: ["a","b, c"].'],
    ['- ${{ context.names }}', '- ["a","b, c"]'],
    ['1. Look: ${{ context.names }}', '1. Look: ["a","b, c"]'],
    ['Is ${{ context.names }}', 'Is ["a","b, c"]'],
    ['None: ${{ context.list }}', 'None: []'],
    ['Said: ${{ context.said }}', 'Said:\n- "a\\nb"'],
    ['It: ${{ context.text }}', 'It: a'],
  ])('a list may take lines of its own: %s', (text, rendered) => {
    const lists = {
      names: ['a', 'b, c'],
      part: { name: 'api', files: ['x.ts', 'y.ts'] },
      parts: [
        { name: 'api', risk: 'high' },
        { name: 'web', files: ['a'] },
      ],
      risks: [
        { name: 'api', risk: 'high, or so' },
        { name: 'web', risk: null },
      ],
      said: ['a\nb'],
    };
    const wider = { ...scope, context: { ...scope.context, ...lists } };
    expect(renderTemplate(text, wider, 'lines')).toEqual({ text: rendered, problems: [] });
  });

  it('shows a hole without a value, and reports it', () => {
    expect(renderTemplate('a ${{ context.missing }} b', scope)).toEqual({
      text: 'a (missing is not set) b',
      problems: [{ expression: 'context.missing', message: 'the context key `missing` is not set' }],
    });
    expect(renderTemplate('${{ inputs.x }}', scope).text).toBe('(inputs.x has no value: the input `x` was not given)');
    expect(renderTemplate('${{ }}', scope).problems).toHaveLength(1);
  });

  it('leaves text without holes alone', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('${{')),
        (text) => {
          expect(renderTemplate(text, scope)).toEqual({ text, problems: [] });
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('${{', '}}', '"', "'", '\\', '{', '}', 'a', ' ', 'r"', '\n')), (parts) => {
        expect(renderTemplate(parts.join(''), scope).text).not.toContain('[object Object]');
      }),
    );
  });
});

describe('templateExpressions', () => {
  it('tells each hole, where it opens and where it has ended', () => {
    expect(templateExpressions('a ${{ x }} ${{ "}}" }}')).toEqual([
      { source: 'x', offset: 2, end: 10 },
      { source: '"}}"', offset: 11, end: 22 },
    ]);
    expect(unclosedHole('${{ a }} ${{ b')).toBe(9);
    expect(unclosedHole('${{ a }}')).toBeUndefined();
  });
});
