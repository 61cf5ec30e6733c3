import { onTestFinished } from 'vitest';
import { limits } from '../../src/base/limits.js';

/** Other bounds until the test is over: the file after it runs in the same process. */
export function withinLimits(other: { readonly [name in keyof typeof limits]?: number }): void {
  const before = Object.fromEntries(Object.keys(other).map((name) => [name, limits[name as keyof typeof limits]]));
  onTestFinished(() => void Object.assign(limits, before));
  Object.assign(limits, other);
}
