/** A part of a map that lies on disk: its keys are known, its values are read when one of them is asked for. */
export interface Piece<K> {
  readonly keys: readonly K[];
  /** As they were written, else it throws. */
  readonly bytes: () => Buffer;
  /** For whoever writes the piece elsewhere: its bytes as they are, and the digest that says what they should be. */
  readonly copied: () => { readonly bytes: Buffer; readonly digest: string };
}

/**
 * A map of which parts may still be on disk. It is a map like any other to whoever uses it, in the order in which its keys
 * were first set. What may be in pieces later is one from the start: the engine makes its machine code for one kind of map.
 */
export class PiecedMap<K, V> extends Map<K, V> {
  readonly #pieces: readonly Piece<K>[];
  /** Bytes to values, as many as the piece has keys and in their order. */
  readonly #read: (bytes: Buffer) => readonly V[];
  /** The pieces that were read, and what has become of them since. */
  readonly #opened: (Map<K, V> | undefined)[];
  /** In which piece a key is; made when one is first looked for. */
  #places: Map<K, number> | undefined;

  constructor(pieces: readonly Piece<K>[] = [], read: (bytes: Buffer) => readonly V[] = () => []) {
    super();
    this.#read = read;
    this.#pieces = pieces;
    this.#opened = pieces.map(() => undefined);
  }

  /** Piece after piece: what has not been read as the piece that it is, everything else as it stands. */
  *parts(): Generator<{ readonly unread: Piece<K> } | { readonly read: readonly (readonly [K, V])[] }> {
    for (const [index, piece] of this.#pieces.entries()) {
      const opened = this.#opened[index];
      yield opened === undefined ? { unread: piece } : { read: [...opened] };
    }
    yield { read: [...super.entries()] };
  }

  override get size(): number {
    return this.#places === undefined
      ? super.size + this.#pieces.reduce((sum, { keys }) => sum + keys.length, 0)
      : super.size + this.#places.size;
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    return value === undefined && !super.has(key) ? this.#pieceWith(key)?.get(key) : value;
  }

  override has(key: K): boolean {
    return super.has(key) || this.#whereIs(key) !== undefined;
  }

  override set(key: K, value: V): this {
    const piece = super.has(key) ? undefined : this.#pieceWith(key);
    if (piece === undefined) super.set(key, value);
    else piece.set(key, value);
    return this;
  }

  override delete(key: K): boolean {
    const piece = this.#pieceWith(key);
    if (piece === undefined) return super.delete(key);
    this.#places?.delete(key);
    return piece.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  override *entries(): MapIterator<[K, V]> {
    for (const index of this.#pieces.keys()) yield* this.#open(index);
    yield* super.entries();
  }

  override *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  override *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  override forEach(tell: (value: V, key: K, map: Map<K, V>) => void, self?: unknown): void {
    for (const [key, value] of this.entries()) tell.call(self, value, key, this);
  }

  #whereIs(key: K): number | undefined {
    if (this.#pieces.length === 0) return undefined;
    this.#places ??= new Map(this.#pieces.flatMap(({ keys }, index) => keys.map((one) => [one, index] as const)));
    return this.#places.get(key);
  }

  #pieceWith(key: K): Map<K, V> | undefined {
    const index = this.#whereIs(key);
    return index === undefined ? undefined : this.#open(index);
  }

  #open(index: number): Map<K, V> {
    const opened = this.#opened[index];
    if (opened !== undefined) return opened;
    const { keys, bytes } = this.#pieces[index]!;
    const values = this.#read(bytes());
    const piece = new Map(keys.map((key, at) => [key, values[at] as V]));
    this.#opened[index] = piece;
    return piece;
  }
}
