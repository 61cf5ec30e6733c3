import { describe, expect, it } from 'vitest';
import type { NodeId, RunId } from '../../../src/base/ids.js';
import { emptySession, type FoldedSession, type Run, type RunNode } from '../../../src/sessions/folded-session.js';
import { slowestSteps, timeWorked } from '../../../src/sessions/time-worked.js';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** A session of runs, each from one minute to another. */
function sessionOf(...spans: readonly (readonly [from: number, until: number])[]): FoldedSession {
  const session = emptySession();
  for (const [index, [from, until]] of spans.entries()) {
    const id = `run_${index}` as RunId;
    session.runs.set(id, { id, started: { at: at(from) }, lastAt: at(until) } as unknown as Run);
  }
  return session;
}

/** A run of steps, each done after so many minutes; of some a person kept it waiting. */
function stepsOf(...minutes: readonly (readonly [took: number, waited: number])[]): FoldedSession {
  const session = sessionOf([0, 100]);
  let now = 0;
  for (const [index, [took, waited]] of minutes.entries()) {
    const id = `n_${index}` as NodeId;
    const attempt = `a_${index}`;
    const blocks = waited === 0 ? [] : [{ at: at(now + took - waited), sum: id, data: { attempt, blockers: [] } }];
    session.nodes.set(id, {
      id,
      run: 'run_0',
      pending: { id, path: id, title: `Step ${index}`, frames: [] },
      madeBy: { at: at(now) },
      acks: [
        { at: at(now + took), data: { attempt } },
        { at: at(now + took + 1000), data: { attempt: 'later' } },
      ],
      blocks,
    } as unknown as RunNode);
    if (waited > 0) session.asked.add(id);
    now += took;
  }
  return session;
}
const longest = (session: FoldedSession) => slowestSteps(session)[0];
const minute = 60_000;

describe('how long the work of a session took', () => {
  it('is the time of its runs, where two ran at once, once, and no time between them', () => {
    expect(timeWorked(sessionOf([0, 10]))).toEqual({ took: 10 * minute, waited: 0 });
    expect(timeWorked(sessionOf([20, 30], [0, 10]))).toEqual({ took: 20 * minute, waited: 0 });
    expect(timeWorked(sessionOf([0, 10], [5, 15], [6, 8]))).toEqual({ took: 15 * minute, waited: 0 });
    // A clock that went back.
    expect(timeWorked(sessionOf([10, 5]))).toEqual({ took: 0, waited: 0 });
    expect(timeWorked(sessionOf())).toBeUndefined();
  });

  it('tells apart what it waited for a person', () => {
    expect(timeWorked(stepsOf([5, 0], [30, 20]))).toEqual({ took: 100 * minute, waited: 20 * minute });
  });
});

describe('the step that took longest', () => {
  it('is the one with most work until it was first done, what it waited for a person apart', () => {
    expect(longest(stepsOf([5, 0], [8, 0], [6, 0]))).toMatchObject({ step: { title: 'Step 1' }, took: 8 * minute });
    expect(longest(stepsOf([5, 0], [60, 58], [6, 0]))?.step.title).toBe('Step 2');
    expect(longest(stepsOf([5, 0], [60, 40]))).toMatchObject({ took: 60 * minute, waited: 40 * minute });
  });

  it('is none where no step took a second', () => {
    expect(longest(stepsOf([0, 0], [0, 0]))).toBeUndefined();
    expect(longest(sessionOf([0, 10]))).toBeUndefined();
    expect(longest(stepsOf([5, 0]))?.step.title).toBe('Step 0');
  });

  it('comes before those that took less; of two that took as long the first that was begun', () => {
    const session = stepsOf([5, 0], [8, 0], [6, 0], [8, 0]);
    const titles = (most: number): readonly string[] =>
      slowestSteps(session, session.runs.values(), most).map(({ step }) => step.title);
    expect(titles(3)).toEqual(['Step 1', 'Step 3', 'Step 2']);
    expect(titles(9)).toEqual(['Step 1', 'Step 3', 'Step 2', 'Step 0']);
  });

  it('says whether it is on the way to the preferred tip', () => {
    const session = stepsOf([5, 0], [8, 0], [6, 0]);
    const at = (place: number): RunNode => session.nodes.get(`n_${place}` as NodeId)!;
    const run = session.runs.get('run_0' as RunId)!;
    // Both others come after the first.
    for (const place of [0, 1, 2]) Object.assign(at(place), { depth: Math.min(place, 1) });
    for (const place of [1, 2]) Object.assign(at(place), { parent: at(0).id });
    Object.assign(run, { preferredTip: at(2).id });
    const beside = slowestSteps(session, [run], 3).map(({ step, isBeside }) => [step.title, isBeside]);
    expect(beside).toEqual([
      ['Step 1', true],
      ['Step 2', false],
      ['Step 0', false],
    ]);
  });
});
