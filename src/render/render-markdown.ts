import type { SessionStory } from '../contract/session-story.js';
import { drawTree } from './draw-tree.js';
import { escapeHtml } from './escape-html.js';
import { codeSpan, fence, markdownText } from './markdown-text.js';
import { type Block, type Inline, type Line, writtenTime } from './page.js';
import { quoteNotes } from './quote-notes.js';
import { tellSession } from './tell-session.js';
import { visibleTitle } from './visible-text.js';

const treeWidth = 80;

/**
 * Session report as Markdown, in bytes that hang on nothing but the session. Piece by piece: notes by the
 * thousand take their time, and others may have theirs in between.
 */
export function* markdownPieces(story: SessionStory): Generator<string, void> {
  const { title, blocks } = tellSession(story);
  yield `# ${markdownText(title)}\n`;
  for (const lines of blockLines(blocks, 2)) yield lines.map((line) => `\n${line}`).join('');
  yield '\n';
}

/** Blocks with an empty line between them. */
function* blockLines(blocks: readonly Block[], level: number): Generator<readonly string[], void> {
  for (const [index, block] of blocks.entries()) {
    if (index > 0) yield [''];
    if (block.is === 'section') {
      yield [`${'#'.repeat(Math.min(4, level))} ${writeLine(block.title, inLine)}`, ''];
      yield* blockLines(block.blocks, level + 1);
    } else yield writeBlock(block, level);
  }
}

const writeBlocks = (blocks: readonly Block[], level: number): readonly string[] =>
  Array.from(blockLines(blocks, level)).flat();

function writeBlock(block: Exclude<Block, { is: 'section' }>, level: number): readonly string[] {
  switch (block.is) {
    case 'line':
      return writeLine(block.line, ownLine).split('\n');
    case 'facts':
      return block.facts.flatMap(({ name, value }) => writeFact(name, value));
    case 'notes':
      return quoteNotes(block.markdown);
    case 'list':
      return block.items.flatMap((lines) =>
        item(
          '- ',
          lines
            .map((line) => writeLine(line, ownLine))
            .join('\\\n')
            .split('\n'),
        ),
      );
    case 'table':
      return [
        tableRow(block.columns.map((column) => markdownText(column))),
        tableRow(block.columns.map(() => '---')),
        ...block.rows.map((row) => tableRow(row.map((line) => writeLine(line, { ...inLine, inTable: true })))),
      ];
    case 'code':
      return block.short === undefined ? fence(block.text, 'json') : fence(block.short);
    case 'folded':
      return [
        '<details>',
        `<summary>${block.summary.map(writeSummary).join('')}</summary>`,
        '',
        ...writeBlocks(block.blocks, level),
        '',
        '</details>',
      ];
    case 'aside':
      return writeAside(block.title, writeBlocks(block.blocks, level));
    case 'railway':
      return fence(
        drawTree(block.run, { width: treeWidth })
          .map(({ text }) => text)
          .join('\n'),
      );
  }
}

/** Another bullet than the lists before and after it, so that they stay lists of their own. */
function writeAside(title: Line, blocks: readonly string[]): readonly string[] {
  const first = writeLine(title, inLine);
  return item('* ', [
    ...(first === '' ? [] : [first]),
    ...(first === '' || blocks.length === 0 ? [] : ['']),
    ...blocks,
  ]);
}

function writeFact(name: string, value: readonly Line[]): readonly string[] {
  const [only] = value;
  if (value.length === 1 && only !== undefined)
    return item('- ', `**${markdownText(name)}:** ${writeLine(only, { ...ownLine, begins: false })}`.split('\n'));
  return item('- ', [
    `**${markdownText(name)}:**`,
    ...value.flatMap((line) => item('- ', writeLine(line, ownLine).split('\n'))),
  ]);
}

const item = (bullet: string, lines: readonly string[]): readonly string[] =>
  lines.map((line, index) =>
    index === 0 ? `${bullet}${line}` : line === '' ? '' : `${' '.repeat(bullet.length)}${line}`,
  );

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

interface LinePlace {
  readonly newline: string;
  /** The line is a line of the page, and not what follows a heading's mark, a name or a bullet's own text. */
  readonly begins: boolean;
  readonly inTable: boolean;
}

const inLine: LinePlace = { newline: ' ', begins: false, inTable: false };
const ownLine: LinePlace = { newline: '\\\n', begins: true, inTable: false };

const writeLine = (line: Line, place: LinePlace): string =>
  line
    .map((piece, index) => writeInline(piece, { ...place, begins: place.begins && index === 0 }))
    .join('')
    .trim();

function writeInline(piece: Inline, place: LinePlace): string {
  switch (piece.is) {
    case 'text':
    case 'quiet':
    case 'goto':
      return keepEnds(piece.text, markdownText(piece.text, place));
    case 'strong':
      return keepEnds(piece.text, marked('**', markdownText(piece.text)));
    case 'badge':
      return marked('*', markdownText(piece.text));
    case 'code':
      if (!place.inTable) return codeSpan(piece.text);
      // A bar with a backslash before it would end the cell inside of code, however it is written.
      return piece.text.includes(String.raw`\|`)
        ? markdownText(piece.text)
        : codeSpan(piece.text).replaceAll('|', String.raw`\|`);
    case 'time':
      return markdownText(writtenTime(piece.at), place);
    case 'apart':
      return ' · ';
  }
}

const marked = (mark: string, text: string): string => (text === '' ? '' : `${mark}${text}${mark}`);

/** Pieces of a line are set apart by the spaces at their ends. */
const keepEnds = (raw: string, written: string): string =>
  written === '' ? (raw === '' ? '' : ' ') : `${/^\s/u.test(raw) ? ' ' : ''}${written}${/\s$/u.test(raw) ? ' ' : ''}`;

/** HTML of our own around what is only text. */
function writeSummary(piece: Inline): string {
  if (piece.is === 'apart') return ' · ';
  if (piece.is === 'code') return `<code>${escapeHtml(visibleTitle(piece.text))}</code>`;
  const raw = piece.is === 'time' ? writtenTime(piece.at) : piece.text;
  return keepEnds(raw, escapeHtml(visibleTitle(raw)));
}
