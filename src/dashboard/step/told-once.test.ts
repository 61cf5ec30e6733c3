import { describe, expect, it } from 'vitest';
import type { BlockStory, GapStory } from '../../contract/session-story.js';
import { toldOnce, type ToldOfStep } from './told-once.js';

const gap = (id: string, detail: string): GapStory => ({
  id,
  severity: 'warning',
  category: 'agent_disclosed',
  reason: 'not_run',
  detail,
  resolved: false,
  path: 'a',
});

const block = (notes: string, gaps: readonly GapStory[]): BlockStory => ({
  event: notes,
  at: '',
  output: { notes, artifacts: [] },
  context: {},
  gaps,
  blockers: [],
  answers: [],
});

interface Given {
  readonly blocks?: readonly BlockStory[];
  readonly done?: readonly { readonly notes: string; readonly gaps: readonly GapStory[] }[];
  readonly checkpointed?: readonly GapStory[];
  readonly openGaps?: readonly GapStory[];
}

const step = ({ blocks = [], done = [], checkpointed = [], openGaps = [] }: Given): ToldOfStep => ({
  node: { blocks, checkpoints: [{ gaps: checkpointed }], cameBy: { gaps: [] } },
  done: done.map(({ notes, gaps }) => ({ edge: { output: { notes, artifacts: [] }, gaps } })),
  openGaps,
});

describe('what a step tells once', () => {
  it('is a gap that its step or a checkpoint disclosed, and not what earlier steps left open', () => {
    const [own, noted, before] = [gap('1', 'own'), gap('2', 'noted'), gap('3', 'before')];
    const told = toldOnce(
      step({ done: [{ notes: 'n', gaps: [own] }], checkpointed: [noted], openGaps: [own, noted, before] }),
    );
    expect(told.openGaps).toEqual([before]);
  });

  it('is what waited for the user and was then taken, under whatever id', () => {
    const told = toldOnce(
      step({
        blocks: [block('same', [gap('1', 'waits')]), block('same', [gap('2', 'waits'), gap('3', 'left out')])],
        done: [{ notes: 'same', gaps: [gap('4', 'waits')] }],
      }),
    );
    expect(told.blocks.map(({ output, gaps }) => [output.notes, gaps.map(({ detail }) => detail)])).toEqual([
      [undefined, []],
      [undefined, ['left out']],
    ]);
  });

  it('is the newest attempt while none was taken', () => {
    const told = toldOnce(step({ blocks: [block('same', [gap('1', 'waits')]), block('same', [gap('2', 'waits')])] }));
    expect(told.blocks.map(({ output, gaps }) => [output.notes, gaps.length])).toEqual([
      [undefined, 0],
      ['same', 1],
    ]);
  });

  it('keeps work that was handed in otherwise', () => {
    const told = toldOnce(
      step({
        blocks: [block('first', [gap('1', 'other words')])],
        done: [{ notes: 'second', gaps: [gap('2', 'waits')] }],
      }),
    );
    expect(told.blocks.map(({ output, gaps }) => [output.notes, gaps.length])).toEqual([['first', 1]]);
  });
});
