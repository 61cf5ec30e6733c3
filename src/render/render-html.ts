import { createHash } from 'node:crypto';
import type { SessionStory } from '../contract/session-story.js';
import { drawRailway } from './draw-railway.js';
import { escapeHtml } from './escape-html.js';
import { notesHtml } from './notes-html.js';
import { type Block, type Inline, type Line, type Page, writtenTime } from './page.js';
import { styleSheet } from './style-sheet.js';
import { tellSession } from './tell-session.js';
import { visibleTitle } from './visible-text.js';

const styleHash = createHash('sha256').update(styleSheet).digest('base64');
/** Nothing runs, nothing is loaded, nothing is sent; the one style sheet is named by its digest. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;

/**
 * Session report as one file of HTML, in bytes that hang on nothing but the session. Piece by piece: notes by
 * the thousand take their time, and others may have theirs in between.
 */
export function* htmlPieces(story: SessionStory): Generator<string, void> {
  const page = tellSession(story);
  const title = escapeHtml(visibleTitle(page.title));
  const first = page.blocks.findIndex(({ is }) => is === 'section');
  const about = first < 0 ? page.blocks : page.blocks.slice(0, first);
  const parts = first < 0 ? [] : page.blocks.slice(first);
  // Who has a minute reads so far.
  const short = parts.slice(0, parts.findIndex((block) => block.is === 'section' && block.anchor === 'summary') + 1);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${styleSheet}</style>
</head>
<body>
<div class="page">
<header>
<p class="kicker">Session report</p>
<h1 dir="auto">${title}</h1>
`;
  yield* blockPieces(about, 2);
  yield `
</header>
<main>
`;
  yield* blockPieces(short, 2);
  yield `${short.length === 0 ? '' : '\n'}${writeContents(page)}`;
  yield* blockPieces(parts.slice(short.length), 2);
  yield `
</main>
<footer>Written from the log of session <code>${escapeHtml(story.sessionId)}</code> by WorkRail. Times are in UTC.</footer>
</div>
</body>
</html>
`;
}

/** Parts of a run beyond these are branches upon branches; the picture leads there. */
const partsNamed = 9;

function writeContents({ blocks }: Page): string {
  const parts = blocks.filter(({ is }) => is === 'section');
  if (parts.length < 2) return '';
  return `<nav aria-labelledby="contents">\n<h2 id="contents">Contents</h2>\n${writeEntries(parts, parts.length)}\n</nav>\n`;
}

function writeEntries(blocks: readonly Block[], most: number): string {
  const entries = blocks.flatMap((block) => (block.is === 'section' ? [block] : []));
  if (entries.length === 0) return '';
  const left = entries.length - most;
  const items = entries
    .slice(0, most)
    .map(
      ({ anchor, title, kind, blocks: inside }) =>
        `<li><a href="#${escapeHtml(anchor)}">${writeLine(title)}</a>${kind === 'run' ? writeEntries(inside, partsNamed) : ''}</li>`,
    );
  return `<ul>\n${[...items, ...(left > 0 ? [`<li class="quiet">and ${left} more</li>`] : [])].join('\n')}\n</ul>`;
}

function* blockPieces(blocks: readonly Block[], level: number): Generator<string, void> {
  for (const [index, block] of blocks.entries()) {
    if (index > 0) yield '\n';
    if (block.is === 'section') yield* sectionPieces(block, level);
    else yield writeBlock(block, level);
  }
}

function* sectionPieces(
  { kind, anchor: name, title, blocks }: Extract<Block, { is: 'section' }>,
  level: number,
): Generator<string, void> {
  const heading = `h${Math.min(4, level)}`;
  const [element, anchor] = [kind === 'step' ? 'article' : 'section', escapeHtml(name)];
  yield `<${element} class="${kind}" id="${anchor}" aria-labelledby="${anchor}-heading">\n<${heading} id="${anchor}-heading">${writeLine(title)}</${heading}>\n`;
  yield* blockPieces(blocks, level + 1);
  yield `\n</${element}>`;
}

const writeBlocks = (blocks: readonly Block[], level: number): string =>
  Array.from(blockPieces(blocks, level)).join('');

function writeBlock(block: Exclude<Block, { is: 'section' }>, level: number): string {
  switch (block.is) {
    case 'line':
      return `<p class="said">${writeLine(block.line)}</p>`;
    case 'facts':
      return `<dl>\n${block.facts.map(({ name, value }) => `<dt>${escapeHtml(visibleTitle(name))}</dt><dd>${writeValue(value)}</dd>`).join('\n')}\n</dl>`;
    case 'notes':
      return `<div class="notes" dir="auto">\n${notesHtml(block.markdown).trim()}\n</div>`;
    case 'list':
      return `<ul>\n${block.items.map((lines) => `<li class="said">${lines.map(writeLine).join('<br>')}</li>`).join('\n')}\n</ul>`;
    case 'table':
      return `<table>\n<thead><tr>${block.columns.map((column) => `<th scope="col">${escapeHtml(visibleTitle(column))}</th>`).join('')}</tr></thead>\n<tbody>\n${block.rows.map((row) => `<tr>${row.map((line) => `<td>${writeLine(line)}</td>`).join('')}</tr>`).join('\n')}\n</tbody>\n</table>`;
    case 'code':
      return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
    case 'folded':
      return `<details>\n<summary>${writeLine(block.summary)}</summary>\n${writeBlocks(block.blocks, level)}\n</details>`;
    case 'aside':
      return `<div class="aside ${block.tone}">\n${block.title.length === 0 ? '' : `<p class="title">${writeLine(block.title)}</p>\n`}${writeBlocks(block.blocks, level)}\n</div>`;
    case 'railway':
      return `<figure>\n${drawRailway(block.run, block.anchors, block.anchor)}\n</figure>`;
  }
}

function writeValue(value: readonly Line[]): string {
  const [only] = value;
  if (value.length === 1 && only !== undefined) return writeLine(only);
  return `<ul>${value.map((line) => `<li>${writeLine(line)}</li>`).join('')}</ul>`;
}

const writeLine = (line: Line): string => line.map(writeInline).join('');

function writeInline(piece: Inline): string {
  switch (piece.is) {
    case 'text':
      return escapeHtml(piece.text);
    case 'strong':
      return `<strong>${escapeHtml(visibleTitle(piece.text))}</strong>`;
    case 'quiet':
      return `<span class="quiet">${escapeHtml(piece.text)}</span>`;
    case 'code':
      return `<code>${escapeHtml(visibleTitle(piece.text))}</code>`;
    case 'time':
      return `<time datetime="${escapeHtml(piece.at)}">${escapeHtml(visibleTitle(writtenTime(piece.at)))}</time>`;
    case 'goto':
      return `<a href="#${escapeHtml(piece.anchor)}">${escapeHtml(visibleTitle(piece.text))}</a>`;
    case 'badge':
      return `<span class="badge ${piece.tone}">${escapeHtml(visibleTitle(piece.text))}</span>`;
    case 'apart':
      return '<span class="apart"> · </span>';
  }
}
