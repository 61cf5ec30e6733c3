const widths = new Map<string, number>();
/** Measuring is dear and titles come again and again. */
const remembered = 20_000;

/** How wide a text is in the font that is set. */
export function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font}|${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size > remembered) widths.clear();
  const width = context.measureText(text).width;
  widths.set(key, width);
  return width;
}

/** As much of a text as there is room for. */
export function cutToFit(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (widthOf(context, text) <= room) return text;
  const letters = [...text];
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (widthOf(context, `${letters.slice(0, middle).join('')}…`) <= room) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? '' : `${letters.slice(0, least).join('').trimEnd()}…`;
}
