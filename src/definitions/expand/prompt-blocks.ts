import { blockFields, type PromptBlocks } from '../source/workflow-format.js';

const headings = {
  goal: 'Goal',
  constraints: 'Constraints',
  procedure: 'Procedure',
  outputs: 'Outputs',
  verify: 'Verify',
} as const;

/** The blocks of a prompt as one Markdown text, always in the same order. */
export function renderBlocks(blocks: PromptBlocks): string {
  return blockFields
    .flatMap((field) => {
      const block = blocks[field];
      return block === undefined ? [] : [`## ${headings[field]}\n\n${blockText(block, field === 'procedure')}`];
    })
    .join('\n\n');
}

function blockText(block: string | readonly string[], numbered: boolean): string {
  if (typeof block === 'string') return block.trimEnd();
  return block.map((item, at) => listItem(numbered ? `${at + 1}.` : '-', item)).join('\n');
}

/** One item of a Markdown list; its further lines are set under the first, or they would end the list. */
export function listItem(mark: string, text: string): string {
  return `${mark} ${text.trimEnd().replaceAll(/\n(?=[^\n])/gu, `\n${' '.repeat(mark.length + 1)}`)}`;
}
