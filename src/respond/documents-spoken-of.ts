import { byteLength, firstWords } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { DocumentTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { documentPageName } from '../sessions/look-page.js';
import { outputsOf } from './outputs-of.js';

const linesTold = 1024;
const factsTold = 4;
const factBytes = 120;

/** The lists that a step speaks of ("your findings"), as they stand when it is told: whoever does it may have lost them. */
export function documentsSpokenOf(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  prompt: string,
): readonly DocumentTold[] {
  const contracts = outputsOf(workflow.steps);
  const isSpokenOf = (name: string): boolean => prompt.toLowerCase().includes(spoken(name));
  if (!contracts.some(({ documents = [] }) => documents.some(({ document }) => isSpokenOf(document)))) return [];
  return foldDocuments(session, node, contracts).flatMap((document): readonly DocumentTold[] => {
    const { name, fold } = document;
    if (fold === 'header' || !isSpokenOf(name)) return [];
    const entries = fold === 'table' ? document.rows : document.entries;
    if (entries.length === 0) return [];
    const about = { name, fold, size: entries.length, page: documentPageName(name, 0) };
    return [{ ...about, text: withinBudget(entries.map((entry, index) => `${index + 1}. ${inALine(entry)}`)) }];
  });
}

const spoken = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' ');

/** What is short in it, the shortest first: where, how grave, and what. */
function inALine(entry: JsonObject): string {
  return facts(entry)
    .toSorted((a, b) => byteLength(a) - byteLength(b))
    .slice(0, factsTold)
    .map((fact) => firstWords(fact, factBytes))
    .join(' · ');
}

const facts = (value: JsonValue): readonly string[] =>
  isJsonObject(value)
    ? Object.values(value).flatMap(facts)
    : typeof value === 'string' || typeof value === 'number'
      ? [String(value)]
      : [];

function withinBudget(lines: readonly string[]): string {
  let left = linesTold;
  const shown = lines.filter((line) => (left -= byteLength(line)) >= 0);
  return shown.join('\n');
}
