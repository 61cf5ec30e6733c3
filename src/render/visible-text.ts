/**
 * What a text must not do to its reader: steer a terminal, turn the direction of what stands around it, or hide.
 * Joiners stay, since scripts and emoji need them.
 */
const unseen = String.raw`\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}`;
const everyUnseen = new RegExp(`[${unseen}]`, 'gu');
const anyUnseen = new RegExp(`(?![\\n\\t])[${unseen}]`, 'u');

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x24_00 + code);
  if (code === 0x7f) return '␡';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Control characters, direction marks and halves of characters made visible; line feeds and tabs stay. */
export function visibleText(text: string): string {
  if (!anyUnseen.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(everyUnseen, (character) => (character === '\n' || character === '\t' ? character : shown(character)));
}

/** The same on one line. */
export function visibleTitle(text: string): string {
  return visibleText(text)
    .replaceAll(/[\n\t]+/gu, ' ')
    .trim();
}
