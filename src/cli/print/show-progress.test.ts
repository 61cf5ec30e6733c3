import { expect, test } from 'vitest';
import { byteWords } from './byte-words.js';
import { showProgress } from './show-progress.js';

test('progress says what is done, how far and of how much, ten times a second at most', () => {
  const lines: string[] = [];
  let clock = 1000;
  const { show, end } = showProgress({ progress: (line) => void lines.push(line), now: () => new Date(clock) });
  show({ doing: 'reading', bytes: 0, of: 2_000_000 });
  for (let bytes = 0; bytes < 1_000_000; bytes += 1000) show({ doing: 'reading', bytes, of: 2_000_000 });
  clock += 100;
  show({ doing: 'reading', bytes: 1_000_000, of: 2_000_000 });
  clock += 100;
  show({ doing: 'reading', bytes: 2_100_000, of: 2_000_000 });
  clock += 100;
  show({ doing: 'checking', bytes: 12_345 });
  clock += 100;
  show({ doing: 'checking', bytes: 0, of: 0 });
  end();
  expect(lines).toEqual([
    'reading 0 bytes of 2.0 MB (0 %)',
    'reading 1.0 MB of 2.0 MB (50 %)',
    'reading 2.1 MB of 2.0 MB (100 %)',
    'checking 12 KB',
    'checking 0 bytes',
    '',
  ]);
});

test.each([
  [0, '0 bytes'],
  [312, '312 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [4096, '4.1 KB'],
  [9_940, '9.9 KB'],
  [9_951, '10 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [17_300_000, '17 MB'],
  [1_073_741_824, '1.1 GB'],
  [5_000_000_000_000, '5000 GB'],
])('%d is %s', (bytes, words) => {
  expect(byteWords(bytes)).toBe(words);
});
