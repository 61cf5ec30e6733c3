export interface Style {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
}

const paint =
  (open: number, close: number) =>
  (text: string): string =>
    `\u001b[${open}m${text}\u001b[${close}m`;
const asIs = (text: string): string => text;

/** Colours are for a terminal whose owner has not asked for none (https://no-color.org). */
export function styleFor(terminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const colours = terminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  if (!colours) return { bold: asIs, dim: asIs, good: asIs, bad: asIs };
  return { bold: paint(1, 22), dim: paint(2, 22), good: paint(32, 39), bad: paint(31, 39) };
}
