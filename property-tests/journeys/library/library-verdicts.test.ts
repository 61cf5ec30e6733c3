import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { bundledPlays } from '../../worlds/bundled-plays.js';
import type { Play } from '../../worlds/workflow-play.js';

/** Bundled workflows whose result is a text or a verdict: what of the way there is told again, and what is not. */
const { play } = bundledPlays();

describe('what was found', () => {
  const checked = {
    kind: 'wr.claims.checked',
    against: 'main',
    claims: [
      { claim: 'It is fast.', result: 'wrong', seen: 'bench.ts:1', instead: 'It takes a second.' },
      { claim: 'It is blue.', result: 'holds', seen: 'a.css:1' },
    ],
  };
  const asked = (depth: string, mayCorrect = true): Play => ({
    id: 'wr.research',
    inputs: { question: 'Is it fast?', depth },
    day: {
      question: () => ({ context: { questions: [{ text: 'one' }, { text: 'two' }, { text: 'three' }] } }),
      answer_some: (time) => ({ context: { questions: time === 1 ? [{ text: 'three' }] : [] } }),
      'check-check': () => ({ context: { mayCorrect }, artifacts: [checked] }),
    },
  });

  it('stands in the last step as it was corrected, and one reading answers several questions', async () => {
    const { paths, texts } = await play(asked('thorough'));
    expect(paths).toEqual([
      'question',
      'answers@1/answer_some',
      'answers@2/answer_some',
      'doubt@1/doubt_round',
      'check/check',
      'check/correct',
      'answer',
    ]);
    expect(texts.get('doubt@1/doubt_round')).toMatch(/The answers so far:\n\n- Does it sync .*\n- Does it sync/u);
    expect(texts.get('answer')).toContain('- wrong: It takes a second. (not: It is fast.)\n- holds: It is blue.\n');
    expect(texts.get('answer')).not.toContain('Does it sync the directory');
  });

  it('is told as it was answered where nobody doubted it, and corrected only where it may be', async () => {
    const { paths, texts } = await play(asked('quick'));
    expect(paths.slice(3)).toEqual(['answer']);
    expect(texts.get('answer')).toMatch(/The answers:\n\n- Does it sync .*\n- Does it sync/u);
    expect((await play(asked('thorough', false))).paths).not.toContain('check/correct');
  });
});

describe('a design', () => {
  it('goes round for what can be found out, and tells with the verdict what only a person can answer', async () => {
    const { paths, texts } = await play({
      id: 'wr.design_review',
      inputs: { design: 'DESIGN.md' },
      day: {
        requirements: () => ({ context: { complexity: 'Large' } }),
        weigh: () => ({ context: { openQuestions: ['one', 'two', 'three'], askAuthor: ['Who may see it?'] } }),
        settle_some: (time) => ({
          context: { openQuestions: time === 1 ? ['three'] : [], askAuthor: ['At what cost?'] },
        }),
      },
    });
    expect(paths.slice(3)).toEqual([
      'attack',
      'weigh',
      'settle@1/settle_some',
      'settle@2/settle_some',
      'verdict',
      'report',
    ]);
    // Nobody said what its author is least sure of, so that nothing is told of it.
    expect(texts.get('requirements')).not.toContain('least sure');
    expect(texts.get('alternatives/choose')).toContain('The problem: Large exports time out');
    expect(texts.get('verdict')).toContain('\n- Who may see it?\n- At what cost?\n');
    expect(texts.get('verdict')).not.toContain('- confirmed');
  });
});

describe('a page', () => {
  it.each([
    [3, ['long/write_whole']],
    [9, Array.from({ length: 9 }, (_, at) => `long/write@${at + 1}/write_section`)],
  ])('of %i sections is written in as many steps as it needs', async (size, way) => {
    const sections = Array.from({ length: size }, (_, at) => ({ heading: `Section ${at + 1}` }));
    const { paths, refused } = await play({
      id: 'wr.documentation',
      inputs: { subject: 'README.md' },
      day: {
        reader: () => ({ context: { pageSize: 'Large' } }),
        outline: () => ({ context: { sections } }),
        agree: () => ({ without: ['sections'] }),
        fresh_eyes: () => ({ context: { stumbles: [] } }),
      },
    });
    // The outline is agreed to without being handed back again.
    expect(paths.slice(3)).toEqual(['long/agree', ...way, 'fresh_eyes', 'check/check', 'check/correct', 'hand_over']);
    expect(refused).toEqual([]);
  });
});

describe('a review', () => {
  const found = (file: string, title: string, more: JsonObject = {}): JsonObject => ({
    kind: 'mr_review.findings',
    findings: [
      { severity: 'Major', location: { file, line: 7 }, title, rationale: 'It is reached with none.', ...more },
    ],
  });

  it('of a small change takes three steps and asks nobody', async () => {
    const { paths, texts, last } = await play({
      id: 'wr.review_change',
      inputs: { change: 'branch x' },
      day: {
        read: () => ({ context: { complexity: 'Small', suspicions: ['Major a.ts:7 A suspicion: none'] } }),
        run: () => ({ artifacts: [found('a.ts', 'A suspicion', { evidence: 'Run with none: it throws.' })] }),
      },
    });
    expect(paths).toEqual(['read', 'run', 'report']);
    // A suspicion is a line, and what was tried is a finding: nothing is written twice.
    expect(texts.get('read')).not.toContain('mr_review.findings');
    expect(texts.get('run')).toContain('mr_review.findings (required)');
    // The size that the first step hands back decides the way, and the answer to it says so.
    expect(texts.get('run')).toContain('## Step 2 of about 3: ');
    expect(texts.get('report')).toContain('So far in review.findings (1)\n');
    expect(texts.get('report')).not.toContain('- confirmed');
    expect(last['status']).toBe('complete');
  });

  it('of a small change with eleven findings is told in less than nine kilobytes', async () => {
    const findings = Array.from({ length: 11 }, (_, at) => ({
      severity: 'Major',
      location: { file: 'store.js', line: at + 1 },
      title: `A defect that is told in half a line, number ${at + 1}`,
      rationale: 'It is reached.',
      evidence: 'Run: 100 of 100 fail, on main none.',
    }));
    const { texts } = await play({
      id: 'wr.review_change',
      inputs: { change: 'branch feature/take-all against main' },
      day: {
        read: () => ({
          context: {
            complexity: 'Small',
            suspicions: findings.map(({ title }, at) => `Major store.js:${at + 1} ${title}`),
          },
        }),
        run: () => ({ artifacts: [{ kind: 'mr_review.findings', findings }] }),
      },
    });
    expect([...texts.keys()]).toEqual(['read', 'run', 'report']);
    expect([...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThan(9_000);
  });

  it('lists the findings of all areas where it speaks of them, and asks before anything is posted', async () => {
    const { paths, texts } = await play({
      id: 'wr.review_change',
      inputs: { change: 'branch x', post: true },
      day: {
        read: () => ({ context: { complexity: 'Medium' } }),
        run: () => ({ artifacts: [found('0.ts', 'Seen on the way', { preExisting: true })] }),
        divide: () => ({ context: { areas: [{ name: 'a' }, { name: 'b' }] } }),
        read_area: (time) => ({ artifacts: [found(`${time}.ts`, `Finding ${time}`)] }),
      },
    });
    expect(paths).toEqual([
      'read',
      'run',
      'deep/divide',
      'deep/areas@1/read_area',
      'deep/areas@2/read_area',
      'deep/challenge',
      'report',
      'post/comments',
      'post/posted',
    ]);
    const challenge = texts.get('deep/challenge') ?? '';
    expect(challenge).toContain('So far in review.findings (2 open, 1 there before)\n> 1. ');
    for (const said of ['1.ts', 'Finding 1', '2.ts', 'Finding 2', 'Seen on the way · preExisting'])
      expect(challenge).toContain(said);
    expect(challenge).toMatch(/^All of it: continue_workflow \{.*"page":"document\.0\.review\.findings"\}$/mu);
    expect(texts.get('deep/areas@2/read_area')).not.toContain('So far in');
    expect(texts.get('report')).not.toContain('- confirmed');
    expect(texts.get('post/comments')).toContain('confirmed (required)');
    expect(texts.get('post/posted')).toContain('Posted:');
  });
});
