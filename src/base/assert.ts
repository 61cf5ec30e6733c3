/** A broken invariant: our mistake, never the caller's. Nothing may be appended after one. */
class Bug extends Error {
  override readonly name = 'Bug';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Bug(message);
}

/** For the arm of an exhaustive switch that cannot be reached. */
export function unreachable(value: never): never {
  throw new Bug(`unexpected case: ${JSON.stringify(value)}`);
}
