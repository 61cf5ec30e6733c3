import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Piece, PiecedMap } from './pieced-map.js';

const key = fc.nat(12).map((number) => `k${number}`);
const value = fc.option(fc.nat(99), { nil: undefined });
const work = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, value }),
  fc.record({ do: fc.constantFrom('get' as const, 'delete' as const), key }),
  fc.record({ do: fc.constantFrom('all' as const, 'size' as const) }),
  fc.record({ do: fc.constant('clear' as const) }),
);

interface Kept {
  readonly map: PiecedMap<string, number | undefined>;
  readonly read: () => number;
}

const pieceOf = (keys: readonly string[], bytes: () => Buffer): Piece<string> => ({
  keys,
  bytes,
  copied: () => ({ bytes: bytes(), digest: '' }),
});

/** Cut up as a snapshot does it: what has not been read goes over as it is. */
function cutUp(entries: readonly (readonly [string, number | undefined])[], size: number): Kept {
  let read = 0;
  const pieces: Piece<string>[] = [];
  for (let at = 0; at < entries.length; at += size) {
    const some = entries.slice(at, at + size);
    pieces.push(
      pieceOf(
        some.map(([name]) => name),
        () => Buffer.from(JSON.stringify(some.map(([, number]) => number ?? null))),
      ),
    );
  }
  const map = new PiecedMap<string, number | undefined>(pieces, (bytes) => {
    read += 1;
    return (JSON.parse(bytes.toString()) as (number | null)[]).map((number) => number ?? undefined);
  });
  return { map, read: () => read };
}

test('a map of which parts are on disk cannot be told from one that was always here', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(work, { maxLength: 20 }),
      (entries, size, works) => {
        const plain = new Map(entries);
        const { map } = cutUp(entries, size);
        for (const one of works) {
          if (one.do === 'set') expect(map.set(one.key, one.value)).toBe(map);
          if (one.do === 'set') plain.set(one.key, one.value);
          else if (one.do === 'get')
            expect([map.get(one.key), map.has(one.key)]).toEqual([plain.get(one.key), plain.has(one.key)]);
          else if (one.do === 'delete') expect(map.delete(one.key)).toBe(plain.delete(one.key));
          else if (one.do === 'all')
            expect([[...map], [...map.keys()], [...map.values()]]).toEqual([
              [...plain],
              [...plain.keys()],
              [...plain.values()],
            ]);
          else if (one.do === 'size') expect(map.size).toBe(plain.size);
          else [map, plain].forEach((each) => each.clear());
        }
        const told: unknown[] = [];
        map.forEach((number, name) => told.push([name, number]));
        expect(told).toEqual([...plain]);
        expect(map.size).toBe(plain.size);
      },
    ),
    { numRuns: 500 },
  );
});

test('only the piece that is asked for is read, and once', () => {
  const { map, read } = cutUp(
    Array.from({ length: 100 }, (_, index) => [`k${index}`, index] as const),
    10,
  );
  expect(map.size).toBe(100);
  expect([map.has('k55'), map.has('k100')]).toEqual([true, false]);
  map.set('k100', 100);
  expect(read()).toBe(0);
  expect([map.get('k55'), map.get('k51'), map.get('k100')]).toEqual([55, 51, 100]);
  map.set('k57', 0);
  expect(read()).toBe(1);
  expect([...map.parts()].map((part) => ('read' in part ? part.read.length : 'unread'))).toEqual([
    ...Array.from({ length: 5 }, () => 'unread'),
    10,
    ...Array.from({ length: 4 }, () => 'unread'),
    1,
  ]);
});

test('a piece that cannot be read throws each time, and everything else stays as it is', () => {
  const fails = pieceOf(['a'], () => {
    throw new Error('gone');
  });
  const map = new PiecedMap<string, number>(
    [fails, pieceOf(['b'], () => Buffer.from('[2]'))],
    (bytes) => JSON.parse(bytes.toString()) as number[],
  );
  map.set('c', 3);
  for (let turn = 0; turn < 2; turn += 1) expect(() => map.get('a')).toThrow('gone');
  expect([map.get('b'), map.get('c'), map.size]).toEqual([2, 3, 3]);
});
