import type { SessionStory } from '../../src/contract/session-story.js';
import type { Block } from '../../src/render/page.js';
import { type MarkdownToken, parseMarkdown } from '../../src/render/parse-markdown.js';
import { tellSession } from '../../src/render/tell-session.js';

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
    'head title style body div header main footer nav section article figure h1 h2 h3 h4 p span strong em del code pre blockquote ul li dl dt dd table thead tbody tr td br hr details summary desc'
      .split(' ')
      .map((element) => [element, common]),
  ),
};
const empty = new Set(['meta', 'br', 'hr', 'path', 'circle']);

interface Reading {
  readonly found: string[];
  readonly open: string[];
}

/** Reads HTML more strictly than any browser: whatever is not a whole tag of ours, well nested, or text, is a finding. */
export function strangersInHtml(html: string): readonly string[] {
  const reading: Reading = { found: [], open: [] };
  const style = /<style>([^<]*)<\/style>/u.exec(html);
  const rest = html.replace(/^<!doctype html>\n/u, '').replace(style?.[0] ?? '', '<style></style>');
  const unread = (at: number): void =>
    void reading.found.push(`cannot be read: ${JSON.stringify(rest.slice(at, at + 60))}`);
  let at = 0;
  for (const { index, 0: whole, 1: slash, 2: name = '', 3: attributes = '' } of rest.matchAll(
    /<(\/?)([A-Za-z][A-Za-z0-9]*)((?: [a-zA-Z-]+="[^"<>]*")*)\/?>|[^<]+/gu,
  )) {
    if (index !== at) unread(at);
    at = index + whole.length;
    if (slash === undefined) readText(whole, reading);
    else if (slash === '/') leave(name, reading);
    else enter(name, attributes, reading);
  }
  if (at !== rest.length) unread(at);
  if (reading.open.length > 0) reading.found.push(`left open: ${reading.open.join(' ')}`);
  return [...reading.found, ...strayAnchors(rest)];
}

function readText(text: string, { found }: Reading): void {
  if (/&(?!(?:amp|lt|gt|quot|#39);)/u.test(text)) found.push(`a bare & in ${JSON.stringify(text.slice(0, 60))}`);
}

function leave(name: string, { found, open }: Reading): void {
  if (open.pop() !== name) found.push(`</${name}> closes something else`);
}

function enter(name: string, attributes: string, { found, open }: Reading): void {
  if (!Object.hasOwn(allowed, name)) found.push(`<${name}>`);
  for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-zA-Z-]+)="([^"]*)"/gu)) {
    if (!(allowed[name] ?? []).includes(attribute)) found.push(`<${name} ${attribute}>`);
    if (attribute === 'href' && !/^(?:https?:\/\/|mailto:|#[\w-]+$)/iu.test(value)) found.push(`href ${value}`);
  }
  if (!empty.has(name)) open.push(name);
}

function strayAnchors(html: string): readonly string[] {
  const ids = [...html.matchAll(/ id="([^"]*)"/gu)].map(([, id = '']) => id);
  const anchors = [...html.matchAll(/ href="#([^"]*)"/gu)].map(([, anchor = '']) => anchor);
  return [
    ...(new Set(ids).size === ids.length ? [] : ['an id is used twice']),
    ...anchors.filter((anchor) => !ids.includes(anchor)).map((anchor) => `#${anchor} leads nowhere`),
  ];
}

const unseen = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;
/** Lines with a character in them that nobody sees, or that steers what shows them. */
export const hiddenIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => unseen.test(line.replaceAll('\t', ' ')));

const sectionsIn = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, block) =>
      sum + (block.is === 'section' ? 1 + sectionsIn(block.blocks) : 'blocks' in block ? sectionsIn(block.blocks) : 0),
    0,
  );

/** What a Markdown reader would make of a document that is not the document's own. */
export function strangersInMarkdown(markdown: string, story: SessionStory): readonly string[] {
  const tokens = parseMarkdown(markdown);
  const found = tokens.flatMap(({ type, start, end }) =>
    isStrange(type, markdown.slice(start.offset, end.offset))
      ? [`${type} ${markdown.slice(start.offset, end.offset)}`]
      : [],
  );
  const headings = tokens.filter(
    (token, index) => token.type === 'atxHeading' && rankOf(tokens.slice(index, index + 12)) <= 4,
  ).length;
  const expected = 1 + sectionsIn(tellSession(story).blocks);
  const opened = markdown.match(/^ *<details>$/gmu)?.length ?? 0;
  const closed = markdown.match(/^ *<\/details>$/gmu)?.length ?? 0;
  return [
    ...found,
    ...(headings === expected ? [] : [`${headings} headings where there should be ${expected}`]),
    ...(opened === closed ? [] : ['details are not closed']),
  ];
}

const ourHtml = /^\s*(?:<details>|<\/details>|<summary>(?:[^<]|<code>[^<]*<\/code>)*<\/summary>)$/u;

function isStrange(type: string, slice: string): boolean {
  if (['htmlText', 'image', 'definition', 'gfmFootnoteDefinition', 'gfmFootnoteCall', 'setextHeading'].includes(type))
    return true;
  // Readers differ on what is a tag: text may not look like one to any of them.
  if (type === 'data') return /<[a-z/!?]/iu.test(slice);
  if (type === 'htmlFlow') return !slice.split('\n').every((line) => ourHtml.test(line));
  if (type === 'resourceDestinationString')
    return !/^(?:https?:\/\/|mailto:)/iu.test(slice) && /[:&\\]/u.test(slice.split(/[/?#]/u)[0] ?? '');
  return type === 'autolink' && !/^<(?:https?:|mailto:|[^:]+@)/iu.test(slice);
}

function rankOf(tokens: readonly MarkdownToken[]): number {
  const sequence = tokens.find(({ type }) => type === 'atxHeadingSequence');
  return sequence === undefined ? 6 : sequence.end.offset - sequence.start.offset;
}
