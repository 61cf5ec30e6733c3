import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atQuietMoments } from './quiet-moments.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('works only when nobody has called for that long, and stops for a call', async () => {
  const seen: string[] = [];
  let goOn = (): boolean => false;
  let end = (): void => undefined;
  const quiet = atQuietMoments(1000, async (may) => {
    goOn = may;
    seen.push('work');
    await new Promise<void>((resolve) => (end = resolve));
  });
  // A server that has just begun has not been quiet yet.
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual([]);
  const answered = quiet.begin();
  await vi.advanceTimersByTimeAsync(5000);
  expect(seen).toEqual([]);
  answered();
  quiet.begin()();
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toEqual(['work']);
  expect(goOn()).toBe(true);
  // It is not begun twice at once.
  await vi.advanceTimersByTimeAsync(3000);
  expect(seen).toEqual(['work']);
  quiet.begin()();
  expect(goOn()).toBe(false);
  const closed = quiet.close();
  end();
  await closed;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen).toEqual(['work']);
});
