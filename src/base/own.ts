/**
 * What an object itself holds under a name that somebody else may have chosen. `constructor` and `toString` are found
 * in every plain object, and nobody put them there.
 */
export function own<V>(object: { readonly [name: string]: V }, name: PropertyKey): V | undefined {
  return Object.hasOwn(object, name) ? object[name as string] : undefined;
}
