import { describe, expect, it } from 'vitest';
import { renderTemplate } from '../expression/template.js';
import { inWords, notNames, withArguments, withHoles, withSomeHoles } from './workrail-texts.js';

const scope = {
  inputs: {},
  context: { name: 'Ann', list: [1, { a: 2 }], deep: { er: 'down' }, package: 'box', ix: 2 },
  outputs: {},
  names: { item: { name: 'first', deep: { er: null } }, text: 'alpha' },
};
const printed = (text: string): string =>
  renderTemplate(withHoles(text, { item: 'item', currentItem: 'item', it: 'text' }), scope).text;

describe('withHoles', () => {
  it.each([
    ['Hello {{name}}, {{ deep.er }}.', 'Hello Ann, down.'],
    ['{{list}} and {{deep}}', '[1,{"a":2}] and {"er":"down"}'],
    ['{{item.name}} is {{currentItem.name}}', 'first is first'],
    ['{{item.deep.er}}', 'null'],
    ['{{it.name}}, {{it.a.b}} and {{it}}', 'alpha, alpha and alpha'],
    ['{{item.size}}', '(item.size has no value: it has no member `size`)'],
    ['{{item.name.size}}', '(item.name.size has no value: it has no member `size`)'],
    ['{{package}} {{context.name}}', 'box Ann'],
    [
      '${{ secrets.TOKEN }} costs ${5} or {{ a ? 1 : 2 }}, {{wr.nothing}}, {{x-y}} {name}',
      '${{ secrets.TOKEN }} costs ${5} or {{ a ? 1 : 2 }}, {{wr.nothing}}, {{x-y}} {name}',
    ],
    ['{{{name}}} ${{name}}', '{Ann} ${{name}}'],
    ['Item {{ix + 1}} of {{list.length}}, {{ix - 1}}, {{ix * 2 + 1}}, {{-ix}}', 'Item 3 of 2, 1, 5, -2'],
    ['{{list[0]}} {{list[1].a}} {{ list[ix - 1].a }} {{deep["er"]}}', '1 2 2 down'],
    ['{{item.name.length}} {{currentItem.name + "!"}} {{name.length + list.length}}', '5 first! 5'],
    ['{{context.list[0]}} {{context.ix + 1}} {{(ix + 1) * 2}}', '1 3 6'],
    [
      '{{(ix / 2).toFixed(1)}} {{ix / 2}} {{name || "x"}} {{branch-name}} {{true}} {{ix > 1}} {{f(ix)}}',
      '{{(ix / 2).toFixed(1)}} {{ix / 2}} {{name || "x"}} {{branch-name}} (true is not set) {{ix > 1}} {{f(ix)}}',
    ],
    ['"quoted" {{name}} \'{{name}}\'', '"quoted" Ann \'Ann\''],
  ])('prints %s', (text, shown) => {
    expect(printed(text)).toBe(shown);
  });

  it('leaves the blocks of a template language as they are written, but for the names in them', () => {
    expect(
      printed('{{#if name}}{{name}}{{else}}nobody{{/if}} {{#each list}}{{this}} {{this.a}} {{@index}}{{/each}}'),
    ).toBe('{{#if name}}Ann{{else}}nobody{{/if}} {{#each list}}{{this}} {{this.a}} {{@index}}{{/each}}');
    expect(
      renderTemplate(withHoles('{{else}} {{#x}} {{this}}', { this: 'item.name' }), {
        ...scope,
        names: { item: { name: 'own' } },
      }).text,
    ).toBe('{{else}} {{#x}} own');
    expect(withHoles('{{else}}', {})).toBe('${{ context["else"] }}');
  });

  it('fills the name that a loop gives, whatever signs are in it', () => {
    expect(
      renderTemplate(withHoles('{{my-item.name}} {{other-item}}', { 'my-item': 'item' }), {
        ...scope,
        names: { item: { name: 'first' } },
      }).text,
    ).toBe('first {{other-item}}');
  });

  it('says what has no value, in its place', () => {
    expect(renderTemplate(withHoles('See {{missing}} and {{deep.missing}}.', {}), scope)).toEqual({
      text: 'See (missing is not set) and (context.deep.missing has no value: `context.deep` has no member `missing`).',
      problems: [
        expect.objectContaining({ expression: 'context.missing' }),
        expect.objectContaining({ expression: 'context.deep.missing' }),
      ],
    });
  });
});

describe('notNames', () => {
  it('finds what looks like a hole and is worked out by nobody', () => {
    expect(
      notNames('{{i + 1}} {{i ? 1 : 2}} {{ name }} {{a.b}} {{x-y}} {{a[0].b}} {{ list.length() }} {{x-y}}'),
    ).toEqual(['{{i ? 1 : 2}}', '{{x-y}}', '{{ list.length() }}']);
  });

  it('finds the blocks of a template language, and not the names of loops', () => {
    expect(notNames('{{#if size}}{{size}}{{/if}} {{my-item}} {{my-item.name}}', { 'my-item': 'my_item' })).toEqual([
      '{{#if size}}',
    ]);
  });

  it('leaves other braces alone', () => {
    expect(
      notNames('${{ secrets.TOKEN || 1 }} {{{a + 1}}} {"a": {"b": 1}} {{wr.bindings.a-b}} {{ 5 }} {{/each}} {{else}}'),
    ).toEqual([]);
  });
});

describe('withSomeHoles', () => {
  it('fills what is given and leaves the rest for whoever works through it', () => {
    const text = withSomeHoles('{{given.er}} {{other}} ${{ raw }}', { given: 'context.deep' });
    expect(renderTemplate(text, scope)).toEqual({ text: 'down {{other}} ${{ raw }}', problems: [] });
  });

  it('works out what is made of nothing but what is given', () => {
    const text = withSomeHoles('{{given.length}} {{given[0] + 1}} {{given[other]}} {{other + 1}}', {
      given: 'context.list',
    });
    expect(renderTemplate(text, scope).text).toBe('2 2 {{given[other]}} {{other + 1}}');
  });
});

describe('withArguments', () => {
  it('puts arguments in, and tells what is missing', () => {
    const missing: string[] = [];
    expect(withArguments('{a} {b} {{a}} ${a} {a: 1} {"a": 1} {a}}', { a: 'X' }, (name) => missing.push(name))).toBe(
      'X {b} {{a}} ${a} {a: 1} {"a": 1} {a}}',
    );
    expect(missing).toEqual(['b']);
  });

  it('puts them into the holes of a brief', () => {
    const text = '{{a}} {{ a }} {{b}} {a} ${{ a }} {{{a}}} {{a.b}}';
    expect(
      withArguments(
        text,
        { a: '{a} {{a}}' },
        () => undefined,
        () => true,
      ),
    ).toBe('{a} {{a}} {a} {{a}} {{b}} {a} {{a}} ${{ a }} {{{a}}} {{a.b}}');
  });
});

it('says an id in words', () => {
  expect(inWords('wr.refs.notes_first')).toBe('notes first');
  expect(inWords('look-again')).toBe('look again');
});
