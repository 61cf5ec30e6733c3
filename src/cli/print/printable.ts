/** What a joiner may stand between: parts of an emoji, or letters of a script that uses joiners. */
const letters = String.raw`(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}]`;
const uselessJoiner = new RegExp(
  String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|${letters})[\u200c\u200d]|[\u200c\u200d](?!\p{Extended_Pictographic}|${letters})`,
  'gu',
);
/** Some scripts put a few marks on one letter; a tower of them would overwrite the lines above. */
const tower = /((?:\p{Nonspacing_Mark}|\p{Enclosing_Mark}){4})(?:\p{Nonspacing_Mark}|\p{Enclosing_Mark})+/gu;

/**
 * Text of a session as a terminal may be shown it. What an agent wrote is not ours: it must not move the cursor, colour,
 * reorder or hide anything. Control characters and overrides of direction become visible, what has no shape goes.
 * By default it becomes one line; with `lines` its line ends stay.
 */
export function printable(text: string, shape: 'line' | 'lines' = 'line'): string {
  const lineEnd = shape === 'lines' ? '\n' : ' ';
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n|[\n\u2028\u2029\u0085]/gu, lineEnd)
    .replace(/\t/gu, shape === 'lines' ? '    ' : ' ')
    .replace(/[^\P{Control}\n]/gu, controlPicture)
    .replace(
      /[\u202a-\u202e\u2066-\u2069]/gu,
      (override) => `[U+${override.codePointAt(0)!.toString(16).toUpperCase()}]`,
    )
    .replace(/(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<!\p{Emoji})(?:\ufe0e|\ufe0f)/gu, '')
    .replace(uselessJoiner, '')
    .replace(tower, '$1');
}

/** What `style` paints with; any other sequence came from elsewhere. */
const ownPaint = new RegExp(`(${'\u001b'}\\[(?:1|2|22|31|32|39)m)`, 'u');

/** A line of ours as it goes out, in which names of files, options and errors of others may stand: painted, and printable. */
export function printableLine(line: string): string {
  return line
    .split(ownPaint)
    .map((part) => (ownPaint.test(part) ? part : printable(part, 'lines')))
    .join('');
}

/** C0 characters have pictures of their own; of the others the number is shown. */
function controlPicture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : `[U+00${code.toString(16).toUpperCase()}]`;
}
