import fc from 'fast-check';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { SessionStory } from '../../../src/contract/session-story.js';
import { drawTree } from '../../../src/render/draw-tree.js';
import type { PeopleRequests } from '../../../src/requests/people-requests.js';
import { grow } from '../../worlds/grown-sessions.js';
import { lives } from '../../worlds/lives.js';
import { makeRequestsWorld, type RequestsWorld, segmentTexts, sessionFolders } from '../../worlds/requests-world.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { playReview } from '../../worlds/story-of-a-review.js';
import {
  gap,
  type NodeSketch,
  renderHtml,
  renderMarkdown,
  sketchRun,
  sketchSession,
} from '../../worlds/story-world.js';
import { strangersInHtml, strangersInMarkdown } from '../../worlds/strict-readers.js';

const fixtures = join(import.meta.dirname, '../../../fixtures/renders');

async function reviewStory(): Promise<SessionStory> {
  const world = makeRequestsWorld({ seed: 212 });
  try {
    const { requests, session } = await playReview(world);
    const story = await requests.people.readStory({ session });
    if (!story.ok) throw new Error(story.error.message);
    return story.value;
  } finally {
    await world.close();
  }
}

describe('the story of a review', () => {
  it.each([
    ['review.md', renderMarkdown],
    ['review.html', renderHtml],
  ] as const)(
    'is %s, byte for byte',
    async (name, render) => {
      const rendered = render(await reviewStory());
      const file = join(fixtures, name);
      if (process.env['WORKRAIL_UPDATE_FIXTURES'] === '1') {
        mkdirSync(fixtures, { recursive: true });
        writeFileSync(file, rendered);
      }
      expect(rendered).toBe(readFileSync(file, 'utf8'));
    },
    patience,
  );

  it(
    'tells everything that was handed in',
    async () => {
      const story = await reviewStory();
      const [markdown, html] = [renderMarkdown(story), renderHtml(story)];
      for (const said of [
        'Half of the writer is read.',
        'The log speaks for it.',
        'UTF-8 without a mark, as the other exports.',
        'granted by the user',
        'refused; the log will do',
        'May I use the staging account?',
        'Posted the comments.',
        'Two exports at once share one file',
        'request_changes',
        'Who reads these files?',
        'The file is no longer shared.',
        'branch 2: waits for ',
      ]) {
        expect(markdown).toContain(said);
        expect(html.replaceAll(/<[^>]*>/gu, '')).toContain(said);
      }
    },
    patience,
  );
});

/** Segments come one by one, in any order, as a checkout brings them, and somebody renders all the while. */
async function renderedAsTheyCame(
  world: RequestsWorld,
  data: string,
  session: string,
  dice: Iterator<number>,
): Promise<readonly string[]> {
  const to = join(world.folder, `came-${dice.next().value}`);
  const [from, goal] = [join(data, 'sessions', session), join(to, 'sessions', session)];
  for (const part of ['segments', 'pins']) mkdirSync(join(goal, part), { recursive: true });
  cpSync(join(from, 'pins'), join(goal, 'pins'), { recursive: true });
  const { people } = world.open(to);
  const segments = segmentTexts(data, session)
    .map((segment) => ({ ...segment, place: dice.next().value as number }))
    .toSorted((a, b) => a.place - b.place);
  for (const { name, text } of segments) {
    writeFileSync(join(goal, 'segments', name), text);
    await people.renderSession({ session, format: 'md' });
  }
  return renderedBy(people, session);
}

async function renderedBy(people: PeopleRequests, session: string): Promise<readonly string[]> {
  const rendered: string[] = [];
  for (const format of ['md', 'html'] as const) {
    const { ok, ...answer } = await people.renderSession({ session, format });
    if (!ok || !('value' in answer)) throw new Error(JSON.stringify(answer));
    rendered.push(answer.value.text ?? '');
  }
  return rendered;
}

test(
  'a session gives the same bytes in whatever order its segments were read, and its structure stays ours',
  async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, fc.infiniteStream(fc.nat(1_000_000)), async (seed, life, dice) => {
        const { world, data } = await grow(seed, life);
        try {
          for (const session of sessionFolders(data)) {
            const { people } = world.open(data);
            const story = await people.readStory({ session });
            if (!story.ok) throw new Error(story.error.message);
            const [markdown = '', html = ''] = await renderedBy(people, session);
            expect(strangersInHtml(html)).toEqual([]);
            expect(strangersInMarkdown(markdown, story.value)).toEqual([]);
            expect(await renderedAsTheyCame(world, data, session, dice)).toEqual([markdown, html]);
            for (const run of story.value.runs) checkTree(run);
            told += story.value.runs.length;
          }
        } finally {
          await world.close();
        }
      }),
      runs(20),
    );
    console.log(`rendered ${told} runs`);
  },
  patience,
);

/** Every step once and every tip once when nothing is folded; always within the width; a fold hides no tip that it does not count. */
function checkTree(run: SessionStory['runs'][number]): void {
  const whole = drawTree(run, { width: 500, whole: true });
  const tips = whole.flatMap(({ kind, nodeId }) => (kind === 'tip' && nodeId !== undefined ? [nodeId] : []));
  const drawn = whole.flatMap(({ leadsTo }) => leadsTo ?? []);
  const acked = run.nodes.filter(({ cameBy }) => cameBy.kind === 'acked').map(({ nodeId }) => nodeId);
  expect(whole.filter(({ kind }) => kind === 'fold')).toEqual([]);
  if (whole.every(({ kind }) => kind !== 'more')) {
    expect([...tips].toSorted()).toEqual([...run.tips].toSorted());
    expect([...drawn].toSorted()).toEqual([...acked].toSorted());
  }
  for (const width of [40, 80, 200])
    for (const { text, parts } of drawTree(run, { width })) {
      expect([...text].length).toBeLessThanOrEqual(width);
      expect(
        parts
          .map((part) => part.text)
          .join('')
          .trimEnd(),
      ).toBe(text);
    }
}

const sketches = fc
  .array(fc.record({ parent: fc.nat(), complete: fc.boolean(), gap: fc.boolean(), straight: fc.boolean() }), {
    maxLength: 120,
  })
  .map((drawn): readonly NodeSketch[] => [
    { id: 'n0', pending: 'The first step' },
    ...drawn.map(({ parent, complete, gap: open, straight }, index): NodeSketch => ({
      id: `n${index + 1}`,
      parent: `n${straight ? index : parent % (index + 1)}`,
      pending: complete && !straight ? null : `Step ${index + 1}`,
      ...(open && { edge: { gaps: [gap({ id: `gap_${index}` })] } }),
    })),
  ]);

test(
  'every tip of any tree is drawn or counted, and every step told once',
  () => {
    fc.assert(
      fc.property(sketches, fc.nat(), (nodes, pick) => {
        const parents = new Set(nodes.map(({ parent }) => parent));
        const tips = nodes.map(({ id }) => id).filter((id) => !parents.has(id));
        const at = pick % tips.length;
        const run = sketchRun(nodes, [...tips.slice(at), ...tips.slice(0, at)]);
        checkTree(run);
        const story = sketchSession([run]);
        const html = renderHtml(story);
        expect(strangersInHtml(html)).toEqual([]);
        expect(html.match(/<article /gu)?.length).toBe(nodes.length - 1 + tips.length);
        const lines = drawTree(run, { width: 80 });
        if (lines.every(({ kind }) => kind !== 'more'))
          expect(lines.filter(({ kind }) => kind === 'tip')).toHaveLength(tips.length);
      }),
      runs(100),
    );
  },
  patience,
);

test(
  'a session of five thousand steps is told within seconds, and its picture stays small',
  () => {
    const notes = (index: number): string =>
      `## Step ${index}\n\nRead \`src/file-${index}.ts\` and **found** nothing; see [the issue](https://example.org/${index}).\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`;
    const nodes = Array.from({ length: 5001 }, (_, index): NodeSketch => ({
      id: `n${index}`,
      ...(index > 0 && { parent: `n${index - 1}` }),
      pending: `Step ${index}`,
      ...(index > 0 && { edge: { output: { notes: notes(index), artifacts: [{ kind: 'example', index }] } } }),
    }));
    const branches = Array.from({ length: 300 }, (_, index): NodeSketch => ({
      id: `b${index}`,
      parent: `n${index * 16 + 3}`,
      pending: null,
    }));
    const story = sketchSession([sketchRun([...nodes, ...branches], ['n5000', ...branches.map(({ id }) => id)])]);
    const began = performance.now();
    const html = renderHtml(story);
    const between = performance.now();
    const markdown = renderMarkdown(story);
    const ended = performance.now();
    const picture = html.slice(html.indexOf('<figure>'), html.indexOf('</figure>'));
    console.log(
      `5,000 steps: HTML ${(html.length / 1e6).toFixed(1)} MB in ${Math.round(between - began)} ms, Markdown ${(markdown.length / 1e6).toFixed(1)} MB in ${Math.round(ended - between)} ms, picture ${Math.round(picture.length / 1000)} kB`,
    );
    expect(html.match(/<article /gu)?.length).toBe(5000 + 300 + 301);
    expect(picture.match(/<text /gu)?.length).toBeLessThan(1000);
    expect(html.length).toBeLessThan(12e6);
  },
  patience,
);
