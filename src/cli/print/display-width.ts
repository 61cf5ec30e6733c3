import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** How many columns of a terminal a text takes; colours take none. */
export const displayWidth = (text: string): number => stringWidth(text);

/** The beginning of a text that fits, with an ellipsis where it is not the whole; never half a character. */
export function cutToColumns(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  let cut = '';
  let taken = 0;
  for (const { segment } of segmenter.segment(text)) {
    const width = displayWidth(segment);
    if (taken + width > most - 1) break;
    cut += segment;
    taken += width;
  }
  return most < 1 ? '' : `${cut.trimEnd()}…`;
}
