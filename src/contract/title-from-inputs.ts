/** A single word chooses among ways of working, however long it is; the longest of the others says what the work is. */
const mostTelling = (a: string, b: string): number =>
  Number(/^\S*$/u.test(a)) - Number(/^\S*$/u.test(b)) || b.length - a.length;

/** What a run was given to work on, by the input that tells most of it. */
export const titleFromInputs = (inputs: Readonly<Record<string, unknown>>): string | undefined =>
  Object.values(inputs)
    .flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []))
    .toSorted(mostTelling)[0];
