/** A stream of bytes that is taken in pieces of a wanted length. */
export interface ByteReader {
  /** That many bytes, or as many as were left. */
  readonly take: (count: number) => Promise<Buffer>;
  /** The same in pieces, as they come. */
  readonly pieces: (count: number) => AsyncGenerator<Buffer>;
}

export function byteReader(chunks: AsyncIterator<Buffer>): ByteReader {
  let rest: Buffer = Buffer.alloc(0);
  async function* pieces(count: number): AsyncGenerator<Buffer> {
    for (let wanted = count; wanted > 0;) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done === true) return;
        rest = next.value;
        continue;
      }
      const piece = rest.subarray(0, wanted);
      rest = rest.subarray(piece.length);
      wanted -= piece.length;
      yield piece;
    }
  }
  return {
    pieces,
    take: async (count) => {
      const taken: Buffer[] = [];
      for await (const piece of pieces(count)) taken.push(piece);
      return taken.length === 1 ? taken[0]! : Buffer.concat(taken);
    },
  };
}
