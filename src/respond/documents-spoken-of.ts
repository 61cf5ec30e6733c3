import { byteLength, firstWords } from '../base/byte-budget.js';
import { canonicalJson } from '../base/canonical-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { DocumentTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { promptStep } from '../definitions/compiled/place.js';
import { type Document, foldDocuments } from '../sessions/documents.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { documentPageName } from '../sessions/look-page.js';
import { entriesByWeight, standingWords, type WeighedEntry } from './entries-by-weight.js';
import { worthNaming } from './handed-back.js';
import { outputsOf } from './outputs-of.js';

const linesTold = 1024;
const factsTold = 6;
const factBytes = 120;

export interface ToldAs {
  /** The answer to what led there, which is given again: from what was there then, and not from what came since. */
  readonly isAnswer: boolean;
  /** Whoever reads it has what was handed back before them. */
  readonly knowsWhatCame: boolean;
}

/**
 * The lists that a step speaks of ("your findings"), as they stand when it is told: whoever does it may have lost them.
 * Whoever has just handed back what led there has not: what they sent, and what the step before listed, is named alone.
 */
export function documentsSpokenOf(
  session: FoldedSession,
  workflow: CompiledWorkflow,
  node: RunNode,
  prompt: string,
  { isAnswer, knowsWhatCame }: ToldAs,
): readonly DocumentTold[] {
  const contracts = outputsOf(workflow.steps);
  if (!contracts.some(({ documents = [] }) => documents.some(({ document }) => isSpokenOf(document, prompt))))
    return [];
  return foldDocuments(session, node, contracts, isAnswer ? node.madeBy : undefined).flatMap(
    (document): readonly DocumentTold[] => {
      const { name, fold, from } = document;
      if (fold === 'header' || !isSpokenOf(name, prompt)) return [];
      const entries = entriesByWeight(document);
      if (entries.length === 0) return [];
      const standing = standingWords(entries);
      const isLong = knowsWhatCame && byteLength(linesOf(entries).join('')) > worthNaming;
      const sent = isLong ? entries.filter(({ index }) => from[index]?.sum === node.madeBy.sum).length : 0;
      const others = entries.filter(({ index }) => sent === 0 || from[index]?.sum !== node.madeBy.sum);
      const text =
        isLong && sent === 0 && wasListed(session, workflow, node, document)
          ? 'as listed with the step before'
          : withinBudget(others, sent);
      const about = { name, fold, size: entries.length, ...(standing !== undefined && { standing }) };
      return [{ ...about, page: documentPageName(name, 0), text }];
    },
  );
}

/** Whether the step before listed it as it is: not where that may itself have pointed to one before. */
function wasListed(session: FoldedSession, workflow: CompiledWorkflow, node: RunNode, document: Document): boolean {
  const above = (one: RunNode | undefined): RunNode | undefined =>
    one?.parent === undefined ? undefined : session.nodes.get(one.parent);
  const before = above(node);
  const isFirstRound = before?.pending?.frames.every(({ iteration }) => iteration === 1) === true;
  return isFirstRound && isListedAt(before) && !isListedAt(above(before));

  /** It speaks of it, and what is in it was there before it was come to. */
  function isListedAt(one: RunNode | undefined): boolean {
    return (
      one?.pending !== undefined &&
      isSpokenOf(document.name, promptStep(workflow, one.pending.id).prompt) &&
      !document.from.some(({ sum }) => sum === one.madeBy.sum) &&
      foldDocuments(session, one, outputsOf(workflow.steps), node.madeBy).some(
        (there) => there.name === document.name && canonicalJson(there as never) === canonicalJson(document as never),
      )
    );
  }
}

const isSpokenOf = (name: string, prompt: string): boolean => prompt.toLowerCase().includes(spoken(name));

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

const linesOf = (entries: readonly WeighedEntry[]): readonly string[] =>
  entries.map(({ entry }, index) => `${index + 1}. ${inALine(entry)}`);

/** As many as fit, the weightiest first; the rest is counted. */
function withinBudget(entries: readonly WeighedEntry[], sent: number): string {
  let left = linesTold;
  const lines = linesOf(entries);
  const over = lines.findIndex((line) => (left -= byteLength(line)) < 0);
  const shown = over < 0 ? lines : lines.slice(0, over);
  const rest = entries.length - shown.length;
  return [
    ...shown,
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(sent > 0
      ? [`${entries.length > 0 ? 'and ' : ''}the ${sent} that you have just handed back, told whole by a look`]
      : []),
  ].join('\n');
}
