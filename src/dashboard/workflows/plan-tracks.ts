import type { WorkflowDetail } from '../../contract/workflow-answers.js';
import type { JsonObjectTold } from '../step/json-told.js';
import { readJson } from '../api/read-json.js';

/** One step of a workflow, where it lies on the drawing of its tracks. */
export interface PlanRow {
  /** Index into the workflow's steps. */
  readonly index: number;
  readonly kind: 'prompt' | 'run' | 'fail' | 'loop' | 'group';
  /** How many loops it is inside of: each is a track further out. */
  readonly lane: number;
  /** Done only if something holds: it lies on a siding. */
  readonly conditional: boolean;
  /** The row at which it ends; its own for a step that holds none. */
  readonly last: number;
  /** How many loops end after this row. */
  readonly closing: number;
}

type Open = { -readonly [field in keyof PlanRow]: PlanRow[field] };

/** The rows of a preview: the same steps in the same order as they are told, each with the loops around it. */
export function planTracks({ steps, compiled }: Pick<WorkflowDetail, 'steps' | 'compiled'>): readonly PlanRow[] {
  const rows: Open[] = [];
  const walk = (siblings: readonly JsonObjectTold[], lane: number): void => {
    for (const step of siblings) {
      const index = rows.length;
      // What is told and what is drawn stand in one order; a step more or less would put every sign in the wrong place.
      if (readJson.text(steps[index], 'stepId') !== readJson.text(step, 'id')) return;
      const kind = kindOf(step);
      const conditional = readJson.text(step, 'if') !== undefined;
      const row: Open = { index, kind, lane, conditional, last: index, closing: 0 };
      rows.push(row);
      if (kind !== 'loop' && kind !== 'group') continue;
      walk(readJson.objects(step, 'steps'), kind === 'loop' ? lane + 1 : lane);
      row.last = rows.length - 1;
      const end = rows[row.last];
      if (kind === 'loop' && end !== undefined) end.closing += 1;
    }
  };
  walk(readJson.objects(compiled, 'steps'), 0);
  return rows;
}

function kindOf(step: JsonObjectTold): PlanRow['kind'] {
  const kind = readJson.text(step, 'kind');
  return kind === 'loop' || kind === 'group' || kind === 'run' || kind === 'fail' ? kind : 'prompt';
}
