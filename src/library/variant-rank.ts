/** In one folder the WorkRail JSON format has several files of one id: which of them is meant is told by its name. */
const infixes = ['agentic', 'v2', 'lean'];

/** Higher goes before lower; a file without such a name is the standard one, 0. */
export function variantRank(path: string): number {
  const [, infix = ''] = /\.([a-z0-9]+)\.json$/iu.exec(path) ?? [];
  return infixes.indexOf(infix.toLowerCase()) + 1;
}
