import { describe, expect, it } from 'vitest';
import { whatChanged } from './what-changed.js';

const at = (status: 'in_progress' | 'blocked', blocks: number, done: number) =>
  ({ node: { status, blocks: Array.from({ length: blocks }) }, done: Array.from({ length: done }) }) as never;

describe('what changed at a step', () => {
  it.each([
    ['This step is waiting for you', at('in_progress', 0, 0), at('blocked', 1, 0)],
    ['This step is waiting for you', at('blocked', 1, 0), at('blocked', 2, 0)],
    ['This step is done', at('in_progress', 0, 0), at('in_progress', 0, 1)],
    ['This step is done', at('blocked', 1, 0), at('in_progress', 1, 1)],
    ['A new branch starts here', at('in_progress', 0, 1), at('in_progress', 0, 2)],
    ['This step was updated', at('blocked', 1, 0), at('blocked', 1, 0)],
    ['This step was updated', at('in_progress', 0, 0), at('in_progress', 0, 0)],
  ])('%s', (says, before, now) => {
    expect(whatChanged(before, now)).toBe(says);
  });
});
