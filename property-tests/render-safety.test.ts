import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { GapStory, SessionStory } from '../src/contract/session-story.js';
import type { Block } from '../src/render/page.js';
import { parseMarkdown } from '../src/render/parse-markdown.js';
import { renderHtml } from '../src/render/render-html.js';
import { renderMarkdown } from '../src/render/render-markdown.js';
import { tellSession } from '../src/render/tell-session.js';
import { patience, runs } from './laws/runs-of-law.js';
import { naughtyText, payloads } from './naughty-texts.js';
import { gap, minute, sketchRun, sketchSession } from './story-world.js';

/** A story with a text of somebody's in every place that has one. */
function storyOf(say: () => string): SessionStory {
  const aGap = (id: string, besides: Partial<GapStory> = {}): GapStory => gap({ id, reason: say(), detail: say(), assumption: say(), path: say(), ...besides });
  const artifacts = [{ kind: say(), [say()]: say(), nested: { [say()]: [say(), { [say()]: say() }] } }];
  const output = { notes: say(), artifacts };
  const run = sketchRun(
    [
      { id: 'a', pending: say(), path: say() },
      {
        id: 'b',
        parent: 'a',
        pending: say(),
        edge: { output, context: { [say()]: say(), gone: null }, confirmed: true, gaps: [aGap('gap_1'), aGap('gap_2', { resolves: 'gap_1', severity: say() })], warnings: [{ code: 'X', message: say(), path: say() }], skipped: [{ path: say(), title: say(), reason: say() }] },
        node: { notes: [{ event: 'n', at: minute(1), text: say() }], checkpoints: [{ event: 'c', at: say(), output, gaps: [aGap('gap_3')], late: true }], blocks: [{ event: 'b', at: minute(2), blockers: [{ code: 'X', message: say(), fix: say() }] }] },
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
        { name: say(), fold: 'header', header: { [say()]: say(), list: [say(), say()] }, from: [say(), say()], leftOut: 2 },
        { name: say(), fold: 'table', rows: [{ severity: say(), title: say(), location: { file: say(), line: 3 }, [say()]: say() }, { severity: 'Critical', status: say() }], from: [say(), say()], leftOut: 0 },
        { name: say(), fold: 'table', rows: [{ [say()]: say(), b: say() }, { b: say() }], from: [say(), say()], leftOut: 1 },
        { name: say(), fold: 'log', entries: [{ text: say() }, { text: say() }], from: ['b', say()], leftOut: 0 },
        { name: say(), fold: 'list', entries: [{ [say()]: say() }, { name: say(), more: { [say()]: say() } }], from: [say(), say()], leftOut: 0 },
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

const common = ['class', 'id', 'dir', 'aria-labelledby'];
const allowed: { readonly [element: string]: readonly string[] } = {
  html: ['lang'],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  time: ['datetime'],
  th: ['scope', 'class'],
  a: ['href', 'rel'],
  ol: ['start'],
  svg: ['viewBox', 'role', 'class', 'aria-labelledby'],
  path: ['class', 'd'],
  circle: ['class', 'cx', 'cy', 'r'],
  text: ['x', 'y'],
  tspan: ['class', 'dx'],
  ...Object.fromEntries(
    'head title style body div header main footer nav section article figure h1 h2 h3 h4 p span strong em del code pre blockquote ul li dl dt dd table thead tbody tr td br hr details summary desc'.split(' ').map((element) => [element, common]),
  ),
};
const empty = new Set(['meta', 'br', 'hr', 'path', 'circle']);

/** Reads HTML more strictly than any browser: whatever is not a whole tag of ours, well nested, or text, is a finding. */
function findingsIn(html: string): readonly string[] {
  const found: string[] = [];
  const open: string[] = [];
  const style = /<style>([^<]*)<\/style>/u.exec(html);
  const rest = html.replace(/^<!doctype html>\n/u, '').replace(style?.[0] ?? '', '<style></style>');
  let at = 0;
  for (const match of rest.matchAll(/<(\/?)([A-Za-z][A-Za-z0-9]*)((?: [a-zA-Z-]+="[^"<>]*")*)(\/?)>|[^<]+/gu)) {
    if (match.index !== at) found.push(`cannot be read: ${JSON.stringify(rest.slice(at, at + 60))}`);
    at = match.index + match[0].length;
    const [whole, slash, name = '', attributes = ''] = match;
    if (slash === undefined) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/u.test(whole)) found.push(`a bare & in ${JSON.stringify(whole.slice(0, 60))}`);
    } else if (slash === '/') {
      if (open.pop() !== name) found.push(`</${name}> closes something else`);
    } else {
      if (!Object.hasOwn(allowed, name)) found.push(`<${name}>`);
      for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/gu)) {
        if (!(allowed[name] ?? []).includes(attribute)) found.push(`<${name} ${attribute}>`);
        if (attribute === 'href' && !/^(?:https?:\/\/|mailto:|#[\w-]+$)/iu.test(value)) found.push(`href ${value}`);
      }
      if (!empty.has(name)) open.push(name);
    }
  }
  if (at !== rest.length) found.push(`cannot be read: ${JSON.stringify(rest.slice(at, at + 60))}`);
  if (open.length > 0) found.push(`left open: ${open.join(' ')}`);
  const ids = [...rest.matchAll(/ id="([^"]*)"/gu)].map(([, id = '']) => id);
  if (new Set(ids).size !== ids.length) found.push('an id is used twice');
  for (const [, anchor = ''] of rest.matchAll(/ href="#([^"]*)"/gu)) if (!ids.includes(anchor)) found.push(`#${anchor} leads nowhere`);
  return found;
}

const unseen = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
const hidden = (text: string): readonly string[] => text.split('\n').filter((line) => unseen.test(line.replaceAll('\t', ' ')));

const sectionsIn = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + (block.is === 'section' ? 1 + sectionsIn(block.blocks) : 'blocks' in block ? sectionsIn(block.blocks) : 0), 0);

/** What a Markdown reader would make of the document that is not ours. */
function strangersIn(markdown: string, story: SessionStory): readonly string[] {
  const found: string[] = [];
  let headings = 0;
  const tokens = parseMarkdown(markdown);
  for (const [index, { type, start, end }] of tokens.entries()) {
    const slice = markdown.slice(start.offset, end.offset);
    if (type === 'htmlText' || (type === 'htmlFlow' && !slice.split('\n').every((line) => /^\s*(?:<details>|<\/details>|<summary>(?:[^<]|<code>[^<]*<\/code>)*<\/summary>)$/u.test(line)))) found.push(`${type} ${slice}`);
    if (['image', 'definition', 'gfmFootnoteDefinition', 'gfmFootnoteCall', 'setextHeading'].includes(type)) found.push(`${type} ${slice}`);
    if (type === 'atxHeading') {
      const sequence = tokens.slice(index).find((token) => token.type === 'atxHeadingSequence');
      if (sequence !== undefined && sequence.end.offset - sequence.start.offset <= 4) headings += 1;
    }
    if (type === 'resourceDestinationString' && !/^(?:https?:\/\/|mailto:)/iu.test(slice) && /[:&\\]/u.test(slice.split(/[/?#]/u)[0] ?? '')) found.push(`link to ${slice}`);
    if (type === 'autolink' && !/^<(?:https?:|mailto:|[^:]+@)/iu.test(slice)) found.push(`link to ${slice}`);
  }
  const expected = 1 + sectionsIn(tellSession(story).blocks);
  if (headings !== expected) found.push(`${headings} headings where there should be ${expected}`);
  const opened = markdown.match(/^ *<details>$/gmu)?.length ?? 0;
  if (opened !== (markdown.match(/^ *<\/details>$/gmu)?.length ?? 0)) found.push('details are not closed');
  return found;
}

describe('a page of HTML', () => {
  it.each(everyPayload)('has nothing of its texts in its structure: %j', (_, story) => {
    const html = renderHtml(story);
    expect(findingsIn(html)).toEqual([]);
    expect(hidden(html)).toEqual([]);
  });

  test('whatever the texts are', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const html = renderHtml(story);
        expect(findingsIn(html)).toEqual([]);
        expect(hidden(html)).toEqual([]);
        expect(renderHtml(structuredClone(story))).toBe(html);
      }),
      runs(120),
    );
  }, patience);

  it('names what may apply by its digest, and lets nothing else in', () => {
    const html = renderHtml(storyOf(() => 'x'));
    expect(html.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/u)?.[1]).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'$/u);
    expect(html.match(/<style>/gu)).toHaveLength(1);
    expect(html).not.toMatch(/@import|url\(|@font-face/u);
  });

  it('would be found out: a reader that misses nothing catches each of these', () => {
    const page = (body: string): string => `<!doctype html>\n<html lang="en"><style>a</style>${body}</html>`;
    expect(findingsIn(page('<p class="a">x</p>'))).toEqual([]);
    for (const bad of ['<script>a</script>', '<p onclick="a">x</p>', '<p style="a">x</p>', '<a href="javascript:a">x</a>', '<img src="x">', '<p>x', '</p>', '<p><strong>x</p></strong>', '<p class=a>x</p>', 'a < b', '<!-- x -->', '&rlm;', '<p id="a">x</p><p id="a">y</p>', '<a href="#no">x</a>']) expect(findingsIn(page(bad)), bad).not.toEqual([]);
  });
});

describe('a Markdown document', () => {
  it.each(everyPayload)('has nothing of its texts in its structure: %j', (_, story) => {
    const markdown = renderMarkdown(story);
    expect(strangersIn(markdown, story)).toEqual([]);
    expect(hidden(markdown)).toEqual([]);
  });

  test('whatever the texts are', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const markdown = renderMarkdown(story);
        expect(strangersIn(markdown, story)).toEqual([]);
        expect(hidden(markdown)).toEqual([]);
        expect(renderMarkdown(structuredClone(story))).toBe(markdown);
      }),
      runs(120),
    );
  }, patience);

  it('would be found out: a reader that misses nothing catches each of these', () => {
    const story = sketchSession([]);
    const markdown = renderMarkdown(story);
    expect(strangersIn(markdown, story)).toEqual([]);
    for (const bad of ['# x', '<b>x</b>', '<div>', '![x](y)', '[x](javascript:a)', '[x]: y', '[^a]: y', '<javascript:a>', 'x\n===', '<details>']) expect(strangersIn(`${markdown}\n${bad}\n`, story), bad).not.toEqual([]);
  });
});
