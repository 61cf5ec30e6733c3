import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, shownJson } from './canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value.js';

const letter = (code: number): string => String.fromCodePoint(code);

describe('canonicalJson, as RFC 8785 has it', () => {
  it.each<[string, string]>([
    ['0', '0'],
    ['-0', '0'],
    ['0.0', '0'],
    ['1.0', '1'],
    ['-1', '-1'],
    ['1E30', '1e+30'],
    ['4.50', '4.5'],
    ['2e-3', '0.002'],
    ['0.000000000000000000000000001', '1e-27'],
    ['1e21', '1e+21'],
    ['1e20', '100000000000000000000'],
    ['999999999999999900000', '999999999999999900000'],
    ['1e-6', '0.000001'],
    ['1e-7', '1e-7'],
    ['5e-324', '5e-324'],
    ['-5e-324', '-5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['-1.7976931348623157e308', '-1.7976931348623157e+308'],
    ['333333333.33333329', '333333333.3333333'],
    ['333333333.3333332', '333333333.3333332'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740992'],
    ['295147905179352830000', '295147905179352830000'],
    ['123456789012345680000', '123456789012345680000'],
    ['0.1', '0.1'],
    ['1e2', '100'],
  ])('writes the number %s as %s', (written, canonical) => {
    expect(canonicalJson(JSON.parse(written) as JsonValue)).toBe(canonical);
  });

  it.each<[string, string, string]>([
    ['control characters that have a short form', '\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
    [
      'the other control characters in small hexadecimal',
      `${letter(0)}${letter(0x0f)}${letter(0x1b)}${letter(0x1f)}`,
      '"\\u0000\\u000f\\u001b\\u001f"',
    ],
    ['quotes and backslashes, and no slash', '"\\/', '"\\"\\\\/"'],
    [
      'nothing above them',
      `${letter(0x7f)}${letter(0x80)}${letter(0x2028)}${letter(0x2029)}${letter(0x20ac)}${letter(0x1f600)}`,
      `"${letter(0x7f)}${letter(0x80)}${letter(0x2028)}${letter(0x2029)}${letter(0x20ac)}${letter(0x1f600)}"`,
    ],
    ['nothing for HTML', '</script><!-- &', '"</script><!-- &"'],
  ])('escapes %s', (_, text, canonical) => {
    expect(canonicalJson(text)).toBe(canonical);
  });

  it('sorts keys by their UTF-16 units: an astral character before U+FB33, digits before letters, no key merged with another', () => {
    const keys = [
      letter(0x20ac),
      '\r',
      letter(0xfb33),
      '1',
      letter(0x1f600),
      letter(0x80),
      letter(0xf6),
      '10',
      '2',
      '',
      'a',
      'A',
      `a${letter(0x300)}`,
      letter(0xe0),
      '__proto__',
    ];
    const object = Object.fromEntries(keys.map((key, at) => [key, at]));
    const order = [
      '',
      '\r',
      '1',
      '10',
      '2',
      'A',
      '__proto__',
      'a',
      `a${letter(0x300)}`,
      letter(0x80),
      letter(0xe0),
      letter(0xf6),
      letter(0x20ac),
      letter(0x1f600),
      letter(0xfb33),
    ];
    expect(Object.keys(JSON.parse(canonicalJson(object)) as object).filter((key) => !/^\d+$/u.test(key))).toEqual(
      order.filter((key) => !/^\d+$/u.test(key)),
    );
    expect(canonicalJson(object)).toBe(
      `{${order.map((key) => `${JSON.stringify(key)}:${keys.indexOf(key)}`).join(',')}}`,
    );
  });

  it('sorts objects in lists and in objects, and leaves lists in their order', () => {
    expect(canonicalJson({ b: [{ d: null, c: true }, [], 'x'], a: {} })).toBe(
      '{"a":{},"b":[{"c":true,"d":null},[],"x"]}',
    );
    expect(canonicalJson([56, { d: true, '10': null, '1': [] }])).toBe('[56,{"1":[],"10":null,"d":true}]');
  });

  it('is one text for one value, however its keys stand, and reads back as that value', () => {
    const shuffled = (value: JsonValue): JsonValue => {
      if (Array.isArray(value)) return (value as readonly JsonValue[]).map(shuffled);
      return isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, item]) => [key, shuffled(item)]),
          )
        : value;
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>, (value) => {
        const text = canonicalJson(value);
        expect(text).toBe(plainest(value));
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('shownJson', () => {
  const wide = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 40 });
  const long = fc.string({ unit: 'grapheme', maxLength: 200 });
  const named = fc.dictionary(fc.oneof(fc.string(), long, fc.constant('__proto__')), fc.oneof(fc.jsonValue(), long));
  it('is the canonical form, cut where it is long', () => {
    const seen = { cut: 0, whole: 0 };
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), wide, long, named), (drawn) => {
        const value = JSON.parse(JSON.stringify(drawn)) as JsonValue;
        const text = canonicalJson(value);
        seen[text.length > 80 ? 'cut' : 'whole'] += 1;
        expect(shownJson(value)).toBe(text.length > 80 ? `${text.slice(0, 76)} …` : text);
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.cut, seen.whole)).toBeGreaterThan(50);
  });
});

/** The same by the letter of the RFC: JavaScript's own scalars, and keys compared unit by unit. */
function plainest(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(plainest).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const units = (key: string): readonly number[] => Array.from({ length: key.length }, (_, at) => key.charCodeAt(at));
  const before = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((unit, index) => unit !== b[index]);
    return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
  };
  const keys = Object.keys(value).toSorted((a, b) => before(units(a), units(b)));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${plainest((value as JsonObject)[key]!)}`).join(',')}}`;
}
