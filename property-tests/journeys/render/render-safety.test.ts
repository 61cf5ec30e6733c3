import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { GapStory, SessionStory } from '../../../src/contract/session-story.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { naughtyText, payloads } from '../../worlds/naughty-texts.js';
import { gap, minute, renderHtml, renderMarkdown, sketchRun, sketchSession } from '../../worlds/story-world.js';
import { hiddenIn, strangersInHtml, strangersInMarkdown } from '../../worlds/strict-readers.js';

/** A story with a text of somebody's in every place that has one. */
function storyOf(say: () => string): SessionStory {
  const aGap = (id: string, besides: Partial<GapStory> = {}): GapStory =>
    gap({ id, reason: say(), detail: say(), assumption: say(), path: say(), ...besides });
  const artifacts = [{ kind: say(), [say()]: say(), nested: { [say()]: [say(), { [say()]: say() }] } }];
  const output = { notes: say(), artifacts };
  const run = sketchRun(
    [
      { id: 'a', pending: say(), path: say() },
      {
        id: 'b',
        parent: 'a',
        pending: say(),
        edge: {
          output,
          context: { [say()]: say(), gone: null },
          confirmed: true,
          changedSinceDraft: [say()],
          gaps: [aGap('gap_1'), aGap('gap_2', { resolves: 'gap_1', severity: say() })],
          warnings: [{ code: 'X', message: say(), path: say() }],
          skipped: [{ path: say(), title: say(), reason: say() }],
        },
        node: {
          notes: [{ event: 'n', at: minute(1), text: say() }],
          checkpoints: [{ event: 'c', at: say(), output, gaps: [aGap('gap_3')], late: true }],
          blocks: [
            {
              event: 'b',
              at: minute(2),
              output: { notes: say(), artifacts: [{ kind: say(), [say()]: say() }] },
              context: { [say()]: say() },
              gaps: [aGap('gap_4')],
              blockers: [{ code: 'X', message: say(), fix: say() }],
              refused: say(),
              answers: [{ question: say(), answer: 'refused', says: say(), at: minute(3), door: 'page' }],
            },
          ],
        },
      },
      { id: 'c', parent: 'b', pending: null },
      { id: 'd', parent: 'b', pending: say(), edge: { output: { notes: say(), artifacts: [] } } },
      { id: 'z', parent: 'nowhere', pending: say() },
    ],
    ['c', 'd', 'z'],
    {
      workflow: { id: say(), title: say(), version: say(), hash: say() },
      inputs: { [say()]: say() },
      context: { [say()]: [say(), { [say()]: say() }] },
      gaps: [aGap('gap_1'), aGap('gap_3', { resolved: true })],
      documents: [
        {
          name: say(),
          fold: 'header',
          header: { [say()]: say(), list: [say(), say()] },
          from: [say(), say()],
          leftOut: 2,
        },
        {
          name: say(),
          fold: 'table',
          rows: [
            { severity: say(), title: say(), location: { file: say(), line: 3 }, [say()]: say() },
            { severity: 'Critical', status: say() },
          ],
          from: [say(), say()],
          leftOut: 0,
        },
        {
          name: say(),
          fold: 'table',
          rows: [{ [say()]: say(), b: say() }, { b: say() }],
          from: [say(), say()],
          leftOut: 1,
        },
        { name: say(), fold: 'log', entries: [{ text: say() }, { text: say() }], from: ['b', say()], leftOut: 0 },
        {
          name: say(),
          fold: 'list',
          entries: [{ [say()]: say() }, { name: say(), more: { [say()]: say() } }],
          from: [say(), say()],
          leftOut: 0,
        },
      ],
    },
  );
  return sketchSession([run, sketchRun([{ id: 'one', pending: say() }], ['one'])], {
    sessionId: say(),
    key: say(),
    title: say(),
    tags: [say(), say()],
    observations: [{ branch: say(), commit: say(), repository: say(), remote: say() }],
    notes: [{ event: 'n', at: say(), text: say() }],
    checkpoints: [{ event: 'c', at: minute(3), output, gaps: [aGap('gap_9')], late: false }],
    findings: [{ level: 'damage', file: say(), line: 1, message: say(), remedy: say() }],
  });
}

const stories = fc.array(naughtyText, { minLength: 1, maxLength: 12 }).map((texts) => {
  let drawn = 0;
  return storyOf(() => texts[(drawn += 1) % texts.length] ?? '');
});

const everyPayload = payloads.map((payload): [string, SessionStory] => [payload, storyOf(() => payload)]);

describe('a page of HTML', () => {
  it.each(everyPayload)('has nothing of its texts in its structure: %j', (_, story) => {
    const html = renderHtml(story);
    expect(strangersInHtml(html)).toEqual([]);
    expect(hiddenIn(html)).toEqual([]);
  });

  test(
    'whatever the texts are',
    () => {
      fc.assert(
        fc.property(stories, (story) => {
          const html = renderHtml(story);
          expect(strangersInHtml(html)).toEqual([]);
          expect(hiddenIn(html)).toEqual([]);
          expect(renderHtml(structuredClone(story))).toBe(html);
        }),
        runs(120),
      );
    },
    patience,
  );

  it('names what may apply by its digest, and lets nothing else in', () => {
    const html = renderHtml(storyOf(() => 'x'));
    expect(html.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/u)?.[1]).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'$/u,
    );
    expect(html.match(/<style>/gu)).toHaveLength(1);
    expect(html).not.toMatch(/@import|url\(|@font-face/u);
  });

  it('would be found out: a reader that misses nothing catches each of these', () => {
    const page = (body: string): string => `<!doctype html>\n<html lang="en"><style>a</style>${body}</html>`;
    expect(strangersInHtml(page('<p class="a">x</p>'))).toEqual([]);
    for (const bad of [
      '<script>a</script>',
      '<p onclick="a">x</p>',
      '<p style="a">x</p>',
      '<a href="javascript:a">x</a>',
      '<img src="x">',
      '<p>x',
      '</p>',
      '<p><strong>x</p></strong>',
      '<p class=a>x</p>',
      'a < b',
      '<!-- x -->',
      '&rlm;',
      '<p id="a">x</p><p id="a">y</p>',
      '<a href="#no">x</a>',
    ])
      expect(strangersInHtml(page(bad)), bad).not.toEqual([]);
  });
});

describe('a Markdown document', () => {
  it.each(everyPayload)('has nothing of its texts in its structure: %j', (_, story) => {
    const markdown = renderMarkdown(story);
    expect(strangersInMarkdown(markdown, story)).toEqual([]);
    expect(hiddenIn(markdown)).toEqual([]);
  });

  test(
    'whatever the texts are',
    () => {
      fc.assert(
        fc.property(stories, (story) => {
          const markdown = renderMarkdown(story);
          expect(strangersInMarkdown(markdown, story)).toEqual([]);
          expect(hiddenIn(markdown)).toEqual([]);
          expect(renderMarkdown(structuredClone(story))).toBe(markdown);
        }),
        runs(120),
      );
    },
    patience,
  );

  it('would be found out: a reader that misses nothing catches each of these', () => {
    const story = sketchSession([]);
    const markdown = renderMarkdown(story);
    expect(strangersInMarkdown(markdown, story)).toEqual([]);
    for (const bad of [
      '# x',
      '<b>x</b>',
      '<div>',
      '![x](y)',
      '[x](javascript:a)',
      '[x]: y',
      '[^a]: y',
      '<javascript:a>',
      'x\n===',
      '<details>',
    ])
      expect(strangersInMarkdown(`${markdown}\n${bad}\n`, story), bad).not.toEqual([]);
  });
});
