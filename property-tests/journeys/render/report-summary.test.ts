import { describe, expect, it } from 'vitest';
import type { RunStory } from '../../../src/contract/session-story.js';
import {
  gap,
  minute,
  type NodeSketch,
  renderHtml,
  renderMarkdown,
  sketchRun,
  sketchSession,
} from '../../worlds/story-world.js';

/** From its heading to the next of the same rank. */
const summaryOf = (runs: readonly RunStory[]): string =>
  renderMarkdown(sketchSession(runs)).split('## Summary\n')[1]?.split('\n## ')[0] ?? '';

const answered = (index: number): NonNullable<NonNullable<NodeSketch['node']>['blocks']>[number] => ({
  event: `block-${index}`,
  at: minute(index),
  output: { artifacts: [] },
  context: {},
  gaps: [],
  blockers: [{ code: 'needs_user', message: 'm', fix: 'f' }],
  answers: [
    {
      question: '/confirmed',
      answer: 'agreed',
      says: `the user agreed to plan ${index}`,
      at: minute(index),
      door: 'page',
    },
  ],
});

describe('the summary of a report', () => {
  it('says what the work was about, how it stands, what came of it and who decided what', () => {
    const summary = summaryOf([
      sketchRun(
        [
          { id: 'n0', pending: 'Look' },
          {
            id: 'n1',
            parent: 'n0',
            pending: 'Decide',
            edge: { output: { notes: 'Found it.', artifacts: [] } },
            node: { blocks: [answered(2), { ...answered(3), answers: [], refused: 'too risky' }] },
          },
          {
            id: 'n2',
            parent: 'n1',
            pending: null,
            edge: { confirmed: true, output: { notes: 'Shipped *it*.', artifacts: [] } },
          },
          {
            id: 'b1',
            parent: 'n0',
            pending: 'Decide',
            edge: { output: { notes: 'Another way.\n\nMore.', artifacts: [] } },
          },
        ],
        ['n2', 'b1'],
        {
          about: 'The export of `orders`',
          status: 'complete',
          openBranches: 1,
          waited: 60_000,
          usage: { reports: 2, models: ['some-model-1'], inputTokens: 108_400, costUsd: 0.3 },
          gaps: [gap({ severity: 'critical' })],
          documents: [
            { name: 'verdict', fold: 'header', header: { verdict: 'ship it' }, from: ['decide'], leftOut: 0 },
          ],
        },
      ),
    ]);
    for (const said of [
      '**About:** The export of `orders`',
      '*complete*, 1 branch open · 2 steps done · 2 branches',
      '4 min, 1 min of it waiting for a person',
      '**Used:** $0.30 · tokens: 108,400 in · some-model-1',
      'Verdict: ',
      'ship it',
      '1 gap, all critical',
      '> Shipped *it*.',
      'The user agreed to plan 2.',
      'The agent passed on that the user said no: too risky',
      'Agreed to “Decide” · step 2',
      'Branch 2, from step 1, waits at Decide · Another way.',
    ])
      expect(summary).toContain(said);
  });

  it('stays a page, however much there is', () => {
    const nodes = Array.from({ length: 400 }, (_, index): NodeSketch => ({
      id: `n${index}`,
      ...(index > 0 && { parent: `n${index - 1}` }),
      pending: `Step ${index}`,
      edge: { output: { notes: `${'Some words. '.repeat(20)}\n\n`.repeat(40), artifacts: [] } },
      node: { blocks: [answered(index)] },
    }));
    const branches = Array.from({ length: 60 }, (_, index): NodeSketch => ({
      id: `b${index}`,
      parent: `n${index}`,
      pending: null,
      edge: { output: { notes: 'word '.repeat(500), artifacts: [] } },
    }));
    const run = sketchRun([...nodes, ...branches], ['n399', ...branches.map(({ id }) => id)]);
    const summary = summaryOf(Array.from({ length: 9 }, () => run));
    expect(summary).toContain('6 earlier runs below.');
    expect(summary).toContain('and 392 more');
    expect(summary).toContain('and 54 more');
    expect(summary.split('\n').length).toBeLessThan(120);
    expect(summary.length).toBeLessThan(15_000);
  });

  it('stands before the contents of a page, and large artifacts are told in short where nothing folds', () => {
    const artifact = {
      kind: 'team.rows',
      rows: Array.from({ length: 90 }, (_, index) => ({ index, mark: `row-${index}` })),
    };
    const story = sketchSession([
      sketchRun(
        [
          { id: 'n0', pending: 'Look' },
          { id: 'n1', parent: 'n0', pending: null, edge: { output: { artifacts: [artifact] } } },
        ],
        ['n1'],
      ),
    ]);
    const html = renderHtml(story);
    expect(html.indexOf('id="summary"')).toBeLessThan(html.indexOf('<nav'));
    expect(html).toContain('row-89');
    const markdown = renderMarkdown(story);
    expect(markdown).toContain('rows: [{"index":0,"mark":"row-0"}');
    expect(markdown).not.toContain('row-89');
    expect(markdown).toContain('the HTML report has all of it');
  });
});
