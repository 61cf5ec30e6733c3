import type { EventSum } from '../../base/ids.js';

const sumBytes = 8;

/** The sums of very many lines, at eight bytes each. */
export interface LineSums {
  readonly add: (sum: EventSum) => void;
  /** Takes out of `wanted` all that are here. */
  readonly strike: (wanted: Set<string>) => void;
  /** In rising order. */
  readonly sorted: () => BigUint64Array;
}

/** Whether one line at least is among both. */
export function shareLine(some: LineSums, others: LineSums): boolean {
  const [a, b] = [some.sorted(), others.sorted()];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) return true;
    if (a[i]! < b[j]!) i += 1;
    else j += 1;
  }
  return false;
}

export function lineSums(): LineSums {
  let bytes = Buffer.allocUnsafe(1024);
  let end = 0;
  return {
    add: (sum) => {
      if (end === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
      bytes.write(sum, end, sumBytes, 'hex');
      end += sumBytes;
    },
    strike: (wanted) => {
      for (let at = 0; at < end && wanted.size > 0; at += sumBytes)
        wanted.delete(bytes.toString('hex', at, at + sumBytes));
    },
    sorted: () => new BigUint64Array(Uint8Array.from(bytes.subarray(0, end)).buffer).sort(),
  };
}
