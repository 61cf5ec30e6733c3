/** The entries of a record in one order, whatever order an author wrote them in: what is made of them must not depend on it. */
export function sortedEntries<T>(record: { readonly [key: string]: T }): readonly (readonly [string, T])[] {
  return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
