import { describe, expect, it } from 'vitest';
import { tipsToCompare } from './tips-to-compare.js';

const node = (id: string, up: number | undefined, seq: number) => ({ id, ...(up !== undefined && { up }), seq, at: 0 });

/** `a` is the trunk, `old` and `new` leave it at its first step. */
const run = {
  nodes: [node('root', undefined, 1), node('fork', 0, 2), node('a', 1, 3), node('old', 1, 4), node('new', 1, 5)],
  tips: ['a', 'new', 'old'],
};

describe('tipsToCompare', () => {
  it('never compares a branch with itself', () => {
    for (const { id } of run.nodes) {
      const found = tipsToCompare(run, id);
      expect(found?.a).not.toBe(found?.b);
      expect(run.tips).toEqual(expect.arrayContaining([found?.a, found?.b]));
    }
  });

  it('begins with the branch of the selected step, and the newest work beside it', () => {
    expect(tipsToCompare(run, 'root')).toEqual({ a: 'a', b: 'new' });
    expect(tipsToCompare(run, 'old')).toEqual({ a: 'old', b: 'a' });
    expect(tipsToCompare(run, 'new')).toEqual({ a: 'new', b: 'a' });
  });

  it('has nothing to compare in a run with one branch', () => {
    expect(tipsToCompare({ nodes: run.nodes.slice(0, 3), tips: ['a'] }, 'root')).toBeUndefined();
  });
});
