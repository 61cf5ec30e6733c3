import { byteLength, firstWords } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { DocumentTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { documentPageName } from '../sessions/look-page.js';
import { outputsOf } from './outputs-of.js';

const linesTold = 1024;
const factsTold = 6;
const factBytes = 120;

/** The lists that a step speaks of ("your findings"), as they stand when it is told: whoever does it may have lost them. */
export function documentsSpokenOf(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  prompt: string,
): readonly DocumentTold[] {
  const contracts = outputsOf(workflow.steps);
  const said = prompt.toLowerCase();
  const isSpokenOf = (name: string): boolean => said.includes(spoken(name));
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

/** `finding` of `review.findings`: a step may speak of each. */
const spoken = (name: string): string =>
  name
    .slice(name.lastIndexOf('.') + 1)
    .replaceAll('_', ' ')
    .replace(/s$/u, '');

/** What a reader knows an entry by, in the order in which it is told. */
const telling = [
  'severity',
  'risk',
  'file',
  'path',
  'line',
  'title',
  'name',
  'text',
  'summary',
  'status',
  'preExisting',
];

function inALine(entry: JsonObject): string {
  const all = facts(entry);
  const known = telling.flatMap((name) => all.filter((fact) => fact.name === name));
  return (known.length === 0 ? all : known)
    .slice(0, factsTold)
    .map(({ value }) => firstWords(value, factBytes))
    .join(' · ');
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

const facts = (value: JsonValue, name = ''): readonly Fact[] =>
  isJsonObject(value)
    ? Object.entries(value).flatMap(([inner, one]) => facts(one, inner))
    : typeof value === 'string' || typeof value === 'number'
      ? [{ name, value: String(value) }]
      : value === true
        ? [{ name, value: name }]
        : [];

function withinBudget(lines: readonly string[]): string {
  let left = linesTold;
  const shown = lines.filter((line) => (left -= byteLength(line)) >= 0);
  return shown.join('\n');
}
