/** The same function, asked once for each object; what it gave is forgotten with the object. */
export function oncePerObject<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>();
  return (of) => {
    const known = made.get(of);
    if (known !== undefined || made.has(of)) return known as V;
    const value = make(of);
    made.set(of, value);
    return value;
  };
}
