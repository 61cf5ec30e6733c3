import type { EventSum } from '../base/ids.js';

const sumBytes = 8;

/** The sums of very many lines, at eight bytes each. */
export interface LineSums {
  readonly add: (sum: EventSum) => void;
  /** Takes out of `wanted` all that are here. */
  readonly strike: (wanted: Set<string>) => void;
}

export function lineSums(): LineSums {
  let bytes = Buffer.allocUnsafe(64 * 1024);
  let end = 0;
  return {
    add: (sum) => {
      if (end === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
      bytes.write(sum, end, sumBytes, 'hex');
      end += sumBytes;
    },
    strike: (wanted) => {
      for (let at = 0; at < end && wanted.size > 0; at += sumBytes) wanted.delete(bytes.toString('hex', at, at + sumBytes));
    },
  };
}
