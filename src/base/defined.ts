/** Every field of T by its name; one that T may leave out may be undefined. */
type Given<T> = { readonly [K in keyof T]-?: T[K] | (object extends Pick<T, K> ? undefined : never) };

/** The fields in the order they are given, without those that are undefined. */
export function defined<T extends object>(fields: Given<T>): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
