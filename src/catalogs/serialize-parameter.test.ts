import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FlatStyle, type FlatValue, serializeParameter } from './serialize-parameter.js';

const text = (style: FlatStyle, explode: boolean, value: FlatValue, name = 'color') => {
  const written = serializeParameter(name, value, { style, explode });
  if (!written.ok) throw new Error(written.error);
  return written.value;
};

const [empty, one, list, object] = ['', 'blue', ['blue', 'black', 'brown'], { R: 100, G: 200, B: 150 }] as const;

describe('the table of styles in the specification', () => {
  it.each<[FlatStyle, boolean, string, string, string, string]>([
    ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
    ['form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    [
      'spaceDelimited',
      false,
      'color=',
      'color=blue',
      'color=blue%20black%20brown',
      'color=R%20100%20G%20200%20B%20150',
    ],
    ['pipeDelimited', false, 'color=', 'color=blue', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
    ['tabDelimited', false, 'color=', 'color=blue', 'color=blue%09black%09brown', 'color=R%09100%09G%09200%09B%09150'],
  ])('%s, exploded %s', (style, explode, ...expected) => {
    expect([empty, one, list, object].map((value) => text(style, explode, value))).toEqual(expected);
  });

  // RFC 6570, 3.2, with its values.
  it.each<[FlatStyle, boolean, string, FlatValue, string]>([
    ['simple', false, 'hello', 'Hello World!', 'Hello%20World%21'],
    ['simple', false, 'half', '50%', '50%25'],
    ['simple', false, 'base', 'http://example.com/home/', 'http%3A%2F%2Fexample.com%2Fhome%2F'],
    ['simple', false, 'keys', { semi: ';', dot: '.', comma: ',' }, 'semi,%3B,dot,.,comma,%2C'],
    ['simple', true, 'keys', { semi: ';', dot: '.', comma: ',' }, 'semi=%3B,dot=.,comma=%2C'],
    ['label', true, 'keys', { semi: ';', dot: '.', comma: ',' }, '.semi=%3B.dot=..comma=%2C'],
    ['matrix', false, 'keys', { semi: ';', dot: '.', comma: ',' }, ';keys=semi,%3B,dot,.,comma,%2C'],
    ['form', true, 'keys', { semi: ';', dot: '.', comma: ',' }, 'semi=%3B&dot=.&comma=%2C'],
    ['form', false, 'keys', { semi: ';', dot: '.', comma: ',' }, 'keys=semi,%3B,dot,.,comma,%2C'],
    ['form', true, 'v', true, 'v=true'],
    ['form', true, 'StartTime<', '2024', 'StartTime%3C=2024'],
  ])('%s, exploded %s: %s', (style, explode, name, value, expected) => {
    expect(text(style, explode, value, name)).toBe(expected);
  });

  it('leaves out what has nothing in it', () => {
    for (const value of [[], {}]) expect(text('form', true, value)).toBeUndefined();
  });

  it('keeps reserved signs only where they mean nothing else', () => {
    const kept = serializeParameter('q', 'a:b/c?d@e!f$g;h,i=j&k+l#m[n]%20', {
      style: 'form',
      explode: true,
      allowReserved: true,
    });
    expect(kept).toEqual({ ok: true, value: 'q=a:b/c?d@e!f$g;h,i=j%26k%2Bl%23m%5Bn%5D%2520' });
  });

  it.each<[FlatValue, FlatStyle, boolean, string]>([
    [['a b', 'c'], 'spaceDelimited', false, 'no item may hold'],
    [['a|b'], 'pipeDelimited', false, 'no item may hold'],
    [['a,b', 'c'], 'simple', true, 'no item may hold'],
    ['a\r\nb: c', 'simple', true, 'one line'],
    ['日本', 'simple', true, 'Latin'],
    ['\ud83d', 'form', false, 'half a character'],
  ])('refuses %j in %s', (value, style, plain, said) => {
    expect(serializeParameter('x', value, { style, explode: false, plain })).toMatchObject({
      ok: false,
      error: expect.stringContaining(said),
    });
  });
});

/** What a server reads, whichever way it was written. */
const scalar = fc.string({ unit: 'grapheme', maxLength: 8 });
const filled = scalar.filter((one) => one !== '');

describe('what was written is read again', () => {
  const decoded = (parts: readonly string[]) => parts.map((part) => decodeURIComponent(part));

  it('as a list, by each style', () => {
    fc.assert(
      fc.property(fc.array(filled, { minLength: 1, maxLength: 4 }), fc.boolean(), (items, allowReserved) => {
        const read = (style: FlatStyle, explode: boolean) => {
          const written = serializeParameter('x', items, { style, explode, allowReserved });
          return written.ok ? written.value! : undefined;
        };
        const query = (value: string | undefined) => new URLSearchParams(value?.replaceAll('+', '%2B')).getAll('x');
        expect(query(read('form', true))).toEqual(items);
        expect(decoded(read('form', false)!.slice(2).split(','))).toEqual(items);
        expect(
          decoded(
            serializeParameter('x', items, { style: 'simple', explode: false }).ok
              ? text('simple', false, items, 'x')!.split(',')
              : [],
          ),
        ).toEqual(items);
        expect(decoded(text('matrix', true, items, 'x')!.split(';x=').slice(1))).toEqual(items);
        const spaced = read('spaceDelimited', false);
        if (spaced !== undefined) expect(query(spaced)[0]!.split(' ')).toEqual(items);
        else expect(items.some((item) => item.includes(' '))).toBe(true);
      }),
    );
  });

  it('as an object, by each style', () => {
    fc.assert(
      fc.property(fc.dictionary(filled, filled, { minKeys: 1, maxKeys: 4, noNullPrototype: true }), (members) => {
        const entries = Object.entries(members);
        expect([...new URLSearchParams(text('form', true, members)!)]).toEqual(entries);
        const flat = decoded(text('simple', false, members, 'x')!.split(','));
        expect(flat).toEqual(entries.flat());
        const exploded = text('simple', true, members, 'x')!
          .split(',')
          .map((pair) => decoded(pair.split('=')));
        expect(exploded).toEqual(entries);
      }),
    );
  });
});
