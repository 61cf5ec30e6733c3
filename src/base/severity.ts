/** Gravest first; other words come after these, and what has none last. */
export const severities: readonly string[] = 'critical blocker high major warning medium minor low nit info'.split(' ');

export function gravity(severity: string): number {
  const known = severities.indexOf(severity);
  return known >= 0 ? known : severity === '' ? severities.length + 1 : severities.length;
}
