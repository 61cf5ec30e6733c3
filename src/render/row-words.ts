import type { RunStory } from '../contract/session-story.js';
import { own } from '../base/own.js';
import { plural } from '../base/plural.js';
import type { TreeRow } from './tree-rows.js';
import { visibleTitle } from './visible-text.js';

const tipWords: { readonly [status in RunStory['status']]?: string } = {
  blocked: 'blocked at',
  running: 'running',
  failed: 'failed at',
  canceled: 'canceled at',
};

export interface RowWords {
  /** Ours, before the title. */
  readonly says: string;
  /** What somebody called the step. */
  readonly title: string;
  /** The loops around a step and their turns: without them two steps of one loop look the same. */
  readonly around: string;
}

/** What a row of a drawn run says. Of branches it speaks only where there are several. */
export function rowWords(row: TreeRow, run: RunStory): RowWords {
  switch (row.kind) {
    case 'start':
      return { says: '', title: visibleTitle(run.workflow.title), around: '' };
    case 'lost':
      return {
        says: 'after missing steps: ',
        title: visibleTitle(row.next.cameBy.step?.title ?? ''),
        around: loopsIn(row.next.cameBy.step?.path ?? ''),
      };
    case 'switch':
      return { says: `branch ${row.number}`, title: '', around: '' };
    case 'step': {
      const { step } = row.next.cameBy;
      return { says: '', title: visibleTitle(step?.title ?? ''), around: loopsIn(step?.path ?? '') };
    }
    case 'tip': {
      const { node } = row;
      const branch = run.tips.length > 1 ? `${node.isPreferredTip ? 'preferred' : `branch ${row.number}`}: ` : '';
      if (node.pending === undefined)
        return {
          says: `${branch}${node.status === 'complete_with_gaps' ? 'complete, with gaps' : node.status}`,
          title: '',
          around: '',
        };
      return {
        says: `${branch}${own(tipWords, node.status) ?? 'waits for'} `,
        title: visibleTitle(node.pending.title),
        around: loopsIn(node.pending.path),
      };
    }
    case 'fold':
      return {
        says: `… ${row.steps} steps${row.branches === 0 ? '' : `, ${plural(row.branches, 'branch', 'branches')} more`}`,
        title: '',
        around: '',
      };
    case 'more':
      return { says: `… ${plural(row.branches, 'branch', 'branches')} more`, title: '', around: '' };
  }
}

const loopsIn = (path: string): string =>
  path.includes('@') ? visibleTitle(path.slice(0, path.lastIndexOf('/'))) : '';
