const deepest = 12;
const mostDelimiters = 2000;
const mostCells = 20_000;

const nested = new RegExp(`^(?: {0,3}(?:>|[-+*]|\\d{1,9}[.)]) ?){${deepest + 1}}`, 'mu');
const ruler = /^\s*([-*])(?:\s*\1)*\s*$/u;

/**
 * Whether a text would take a Markdown parser out of all proportion: a few kilobytes can cost minutes, or become a
 * table of gigabytes. Nobody writes so for readers; such a text is shown as it stands.
 */
export function isTooCostly(markdown: string): boolean {
  const lines = markdown.split('\n');
  if (nested.test(markdown) && lines.some((line) => nested.test(line) && !ruler.test(line))) return true;
  const columns = Math.max(
    0,
    ...lines.filter((line) => /^[\s|:>+*-]*-[\s|:>+*-]*$/u.test(line)).map((line) => line.split(/-+/u).length),
  );
  if (columns * lines.length > mostCells) return true;
  return markdown
    .split(/\n\s*\n/u)
    .some(
      (paragraph) => (paragraph.match(/\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+|_+(?!\w)|\[/gu) ?? []).length > mostDelimiters,
    );
}
