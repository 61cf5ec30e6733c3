/** What one part of a picture takes: its elements, and how far down it reaches. */
export interface Drawn {
  readonly svg: string;
  readonly height: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export const lineHeight = 16;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** An element; numbers are cut to a tenth, since nobody sees more. `inside` is SVG, or text that `words` made harmless. */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, inside = ''): string {
  const told = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 10) / 10 : escaped(value)}"`,
  );
  return inside === '' ? `<${name}${told.join('')}/>` : `<${name}${told.join('')}>${inside}</${name}>`;
}

export function words(x: number, y: number, text: string, look = ''): string {
  return element('text', { x, y, ...(look !== '' && { class: look }) }, escaped(text));
}

/** What a browser shows of an element when somebody points at it. */
export const hint = (text: string): string => element('title', {}, escaped(text));

/** A text in lines that fit a width; no font is wider than this by much. */
export function wrapped(text: string, width: number): readonly string[] {
  const most = Math.floor(width / 6.7);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
