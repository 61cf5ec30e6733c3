import fc from 'fast-check';

/**
 * Texts that have broken programs elsewhere: what is read as something else by shells, paths, pages, terminals,
 * spreadsheets, formats, patterns, databases and languages that look at words.
 */
export const oddTexts = [
  '', ' ', '\n', '\r\n', '\t', '\u0000', 'a\u0000b', '\u001b[31mred\u001b[0m', '\u001b]0;title\u0007', '\u0008\u0008', '\u007f', '\u0085', '\u2028\u2029', '\ufeff', '\ufffe', '\uffff',
  '\ud800', '\udc00', '\udc00\ud800', 'a\ud83d', '\u202e\u2066x', '\u200b\u200d\u00ad', 'e\u0301\u0301\u0301', `z${'\u0310'.repeat(200)}`, '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{e0041}', 'ﷺ', 'ß', 'ı', 'İ', 'ſ', 'Å', '一二三', 'שלום', '١٢٣',
  'undefined', 'null', 'NULL', 'nil', 'None', 'NaN', 'Infinity', 'true', 'false', '0', '-0', '1e400', '0x10', '1,000', '1/0', '9007199254740993', '[object Object]',
  '__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'toJSON', 'then', 'length', '__defineGetter__',
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "' OR 1=1 --", '<!--', ']]>', '</title>', '&lt;&amp;&#0;', 'javascript:alert(1)', '<svg/onload=alert(1)>',
  '${7*7}', '{{7*7}}', '{{ context.x }}', '#{x}', '<%= 1 %>', '$(id)', '`id`', '; rm -rf x', '| cat', '&& true', '> out', '%s%n%x', '%00', '%0a', '%', '\\', '\\\\', "'", '"', '`', '\\u0000', '\\x00',
  '=1+1', '+cmd', '@x', '-x', '--help', '--data-dir=/tmp/x', '-', '--', '*', '?', '[', '.*', '(a+)+$', '(((((((((', '^', '$', '$&', '$1', '\\1',
  '/', '//', '..', '.', '../..', '../../../../etc/passwd', '/etc/passwd', '..\\..\\x', 'C:\\x', '\\\\host\\share', 'file:///etc/passwd', '~', '~root', '$HOME', '%APPDATA%', 'con', 'NUL.txt', 'aux', 'a/', 'a/.', 'a/..', '.git', '.git/config', '.workrail', 'segments', 'pins', 'local', 'x.ndjson', 'a:b', 'a|b', 'a.', 'a ', ' a', '%2e%2e%2f', '..%2f', '．．／', '\u2024\u2024/', 'a\nb', `${'a/'.repeat(100)}b`, `${'../'.repeat(50)}tmp/x`,
  '# heading', '- list', '> quote', '```', '~~~', '---', '***', '| a | b |', '[x](y)', '![x](y)', '[^1]', '<fill in: x>', '<fill in>',
  'ses_x', 'run_00000000', 'gap_00000000', 'st.v1.', 'st.v1.0000000000000000000000000', 'ack.v1.x', 'ST.V1.ABC', 'wr.', 'wr.x', 'user.chain', 'user.chain ', 'USER.CHAIN', 'user..chain', 'a'.repeat(300), 'word '.repeat(100), '\u{1f600}'.repeat(100), 'x'.repeat(5000),
];

/** Stands in a value for a piece of JSON that no value can be: written by `textOf`. */
const piece = (name) => `@@piece:${name}@@`;
const pieces = {
  'deep arrays': () => `${'['.repeat(2000)}${']'.repeat(2000)}`,
  'very deep arrays': () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  'very deep objects': () => `${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}`,
  infinite: () => '1e999',
  'many digits': () => `1${'0'.repeat(400)}`,
  'a key twice': () => '{"kind":"a","kind":"b","kind":{"kind":1}}',
  'proto': () => '{"__proto__":{"isError":true,"ok":true,"kind":"x"},"kind":"x"}',
  'many keys': () => `{${Array.from({ length: 20_000 }, (_, n) => `"key ${n}":${n}`).join(',')}}`,
  'a million keys': () => `{${Array.from({ length: 1_000_000 }, (_, n) => `"${n.toString(36)}":0`).join(',')}}`,
  'many items': () => `[${'0,'.repeat(100_000)}0]`,
  'long text': () => `"${'long '.repeat(40_000)}"`,
  'long text of escapes': () => `"${String.raw`\u0000`.repeat(20_000)}"`,
};
const usual = Object.keys(pieces).filter((name) => !name.startsWith('very') && name !== 'a million keys');

/** The same as text, with the pieces put in. */
export function textOf(value) {
  return JSON.stringify(value).replaceAll(/"@@piece:([^@]*)@@"/gu, (_, name) => pieces[name]());
}

export const hugePieces = ['very deep arrays', 'very deep objects', 'a million keys', 'many items', 'long text'].map(piece);

export const oddText = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...oddTexts) }, { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) }, { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...oddTexts), fc.constantFrom(...oddTexts)).map(([a, b]) => a + b) });

const oddKey = fc.constantFrom('__proto__', 'constructor', '', ' ', 'kind', 'toString', 'then', 'a b', '\u0000', '\ud800', 'ticketId', 'about', 'x'.repeat(300), '0', 'length');
/** `Object.fromEntries` makes `__proto__` a key of the object's own. */
const object = (value, most) => fc.array(fc.tuple(oddKey, value), { maxLength: most }).map((entries) => Object.fromEntries(entries));

export const oddValue = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 60, arbitrary: oddText },
    { weight: 15, arbitrary: fc.constantFrom(0, -0, 1, -1, 0.5, 1e308, 5e-324, 2 ** 53 + 2, -1e21, 4294967296) },
    { weight: 15, arbitrary: fc.constantFrom(null, true, false) },
    { weight: 1, arbitrary: fc.constantFrom(...usual.map(piece)) },
  ),
  value: fc.oneof({ weight: 5, arbitrary: tie('leaf') }, { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) }, { weight: 2, arbitrary: object(tie('value'), 4) }),
})).value;

export const heavyValue = fc.constantFrom(...usual.map(piece));

export const oddObject = object(oddValue, 5);
