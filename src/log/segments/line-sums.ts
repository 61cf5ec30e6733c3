import type { EventSum } from '../../base/ids.js';
import type { LineSums } from '../port/store-carry.js';

const sumBytes = 8;

export interface GrowingLineSums extends LineSums {
  readonly add: (sum: EventSum) => void;
}

/** At eight bytes each. */
export function lineSums(): GrowingLineSums {
  let bytes = Buffer.allocUnsafe(1024);
  let end = 0;
  const sorted = (): BigUint64Array => new BigUint64Array(Uint8Array.from(bytes.subarray(0, end)).buffer).sort();
  return {
    sorted,
    add: (sum) => {
      if (end === bytes.length) bytes = Buffer.concat([bytes, Buffer.allocUnsafe(bytes.length)]);
      bytes.write(sum, end, sumBytes, 'hex');
      end += sumBytes;
    },
    strike: (wanted) => {
      for (let at = 0; at < end && wanted.size > 0; at += sumBytes)
        wanted.delete(bytes.toString('hex', at, at + sumBytes));
    },
    meets: (other) => {
      const [a, b] = [sorted(), other.sorted()];
      for (let i = 0, j = 0; i < a.length && j < b.length;) {
        if (a[i] === b[j]) return true;
        if (a[i]! < b[j]!) i += 1;
        else j += 1;
      }
      return false;
    },
  };
}
