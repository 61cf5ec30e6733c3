import { firstWords } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import type { Event } from '../events/event.js';
import { foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { outputsOf } from './outputs-of.js';

const rowsTold = 6;

/** Whoever hands back a row anew, elsewhere, where several are alike: which of them it is, nobody else can say. */
export function rowsAlike(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  record: Event<'step_acked'>,
): readonly WarningTold[] {
  const { sum, data } = record;
  const contracts = outputsOf(workflow.steps);
  const moving = contracts.filter(({ documents = [] }) => documents.some(({ moves = [] }) => moves.length > 0));
  if (!(data.output?.artifacts ?? []).some((artifact) => moving.some(({ kind }) => kind === artifact['kind'])))
    return [];
  return foldDocuments(session, node, contracts, record).flatMap((document) => {
    if (document.fold !== 'table') return [];
    const { name, doubts } = document;
    return doubts
      .filter((doubt) => doubt.sum === sum)
      .map(({ rows }) => ({
        code: 'ROWS_ALIKE',
        message: `${name} has ${rows.length} rows alike: ${rows.slice(0, rowsTold).map(shortly).join(', ')}${rows.length > rowsTold ? ` and ${rows.length - rowsTold} more` : ''}; hand back as dismissed, as it stands there, each that is another one moved`,
      }));
  });
}

const shortly = ({ title, location }: JsonObject): string =>
  `“${firstWords(wordOf(title), 60)}” at ${placeOf(location ?? null)}`;

const wordOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function placeOf(location: JsonValue): string {
  const { file, line } = isJsonObject(location) ? location : {};
  return firstWords(
    [file, line]
      .map(wordOf)
      .filter((word) => word !== '')
      .join(':'),
    80,
  );
}
