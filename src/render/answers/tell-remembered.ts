import type { BranchTold, ExecutionAnswer, RecapEntryTold, RecapTold } from '../../contract/answer.js';
import type { LedgerTold } from '../../contract/ledger-told.js';
import type { NextCall } from '../../base/rejection.js';
import { type Audience, listed, quote, quotedBelow, said, type Telling, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';
import { spokenLedger } from '../spoken-ledger.js';

/** A page holds the page: whoever asks for it has read the step. */
export function tellPage({ page, ...answer }: ExecutionAnswer, audience: Audience): Telling {
  const { known, recap, documents = [], stateToken } = answer;
  if (page === 'record') return tellRecord(known, stateToken);
  if (page === 'recap') return tellRecap(recap, stateToken, audience);
  if (page === 'branches') return [branchLines(answer, audience)];
  if (page === 'noted') return [notedLines(answer, audience)];
  return tellDocuments(
    documents.filter(({ text }) => text !== undefined),
    stateToken,
  );
}

/** What the step below speaks of, from what the session holds. */
export const tellSpokenOf = ({ spokenOf = [], stateToken }: ExecutionAnswer): Telling =>
  spokenOf.map(({ name, size, standing, text = '', page }) => [
    { kind: 'heading', text: `So far in ${name} (${standing ?? size})` },
    quote(text),
    ...pageLines('All of it: ', stateToken, page),
  ]);

export function branchLines(
  { branches = [], branchesOmitted, moreBranches, happened }: ExecutionAnswer,
  { reader }: Audience,
): readonly Told[] {
  const preferred = `where the work ${happened === 'forked' ? 'stood' : 'stands'}, `;
  const lines = branches.flatMap((branch): readonly Told[] =>
    reader === 'agent'
      ? [{ kind: 'item', lead: '- ', text: branchText(branch, preferred, `, ${branch.stateToken}.`) }]
      : [{ kind: 'item', lead: '- ', text: branchText(branch, preferred, '.') }, ...tipLines('  ', branch)],
  );
  if (branchesOmitted === undefined || moreBranches === undefined) return lines;
  const lead = `- and ${branchesOmitted} more branch${branchesOmitted === 1 ? '' : 'es'}: `;
  return [...lines, { kind: 'call', lead, call: moreBranches }];
}

function branchText(branch: BranchTold, where: string, end: string): string {
  const { name, steps, path, pending, newest, preferred } = branch;
  const stands = pending === null ? 'complete' : `pending “${pending}”`;
  return `branch ${name} (${preferred ? where : ''}${steps} step${steps === 1 ? '' : 's'} on): ${[...path, stands].join(' → ')}${end}${newest === undefined ? '' : ` Newest: “${visibleTitle(newest)}”`}`;
}

export const look = (stateToken: string, page?: string): NextCall => ({
  tool: 'continue_workflow',
  arguments: { stateToken, ...(page !== undefined && { page }) },
});

const tipLines = (lead: string, tip: { readonly stateToken: string } | undefined): readonly Told[] =>
  tip === undefined ? [] : [{ kind: 'call', lead, call: look(tip.stateToken) }];

/** To go there sounds like leaving, and whoever only wants to look has to know that nothing is left. */
export const placeLines = (
  lead: string,
  tip: { readonly stateToken: string } | undefined,
  { reader }: Audience,
): readonly Told[] =>
  tip === undefined
    ? []
    : [{ kind: 'call', lead, call: look(tip.stateToken), rest: reader === 'agent' ? onlyLooks : '' }];

const onlyLooks = ' (without ackToken: only looks; your tokens stay good)';

/** The other branches of the run, one line each. */
export function otherBranchLines(
  { otherBranches = [], otherBranchesOmitted = 0, preferredTip }: ExecutionAnswer,
  { reader }: Audience,
): readonly Told[] {
  const lines = otherBranches.map(({ status, pending, newest, look: call }, index): Told => {
    const stands = pending === null ? status : `at “${visibleTitle(pending)}”`;
    const words = newest === undefined ? '' : `, newest: “${visibleTitle(newest)}”`;
    const isFirst = index === 0 && preferredTip === undefined;
    const rest = reader === 'agent' && isFirst ? onlyLooks : '';
    return { kind: 'call', lead: `Another branch, ${stands}${words}: `, call, rest };
  });
  const left = otherBranchesOmitted;
  return left === 0 ? lines : [...lines, said(`and ${left} older branch${left === 1 ? '' : 'es'}.`)];
}

/** The other runs of the session that wait, so that none is forgotten over another. */
export const openRunLines = ({ openRuns = [] }: ExecutionAnswer, { reader }: Audience): readonly Told[] =>
  openRuns.map(({ workflow, pending, look: call }, index): Told => ({
    kind: 'call',
    lead: `Also open in this session, “${visibleTitle(workflow)}” at “${visibleTitle(pending)}”: `,
    call,
    rest: reader === 'agent' && index === 0 ? onlyLooks : '',
  }));

/** What was left beside the steps, which no step asks for. */
export const notedLines = ({ noted, stateToken }: ExecutionAnswer, audience: Audience): readonly Told[] =>
  noted === undefined
    ? []
    : [{ kind: 'heading', text: 'Noted beside the run' }, ...recapLines(noted, stateToken, audience)];

/** What was known and done on the way, for whoever comes back. */
export function remembered(answer: ExecutionAnswer, audience: Audience): Telling {
  const { known, ledgers = [], recap, documents = [], stateToken } = answer;
  return [
    known === undefined
      ? []
      : [
          ...listed('Inputs', known.inputs),
          ...listed('Context', known.context),
          ...pageLines(recordLead(answer), stateToken, known.page),
        ],
    ...ledgers.map(ledgerLines),
    ...tellRecap(recap, stateToken, audience),
    notedLines(answer, audience),
    ...tellDocuments(documents, stateToken),
  ];
}

/** Who is told all of it looks at no page of four kilobytes to see whether there is more. */
const recordLead = ({ known, recap }: ExecutionAnswer): string =>
  known?.isWhole === true && (recap === undefined || (recap.omitted === 0 && recap.entries.every(({ cut }) => !cut)))
    ? 'Nothing here is cut; where the very words of each output are wanted: '
    : 'All of it, with every output and artifact: ';

const pageLines = (lead: string, stateToken: string, name: string | undefined): readonly Told[] =>
  name === undefined ? [] : [{ kind: 'call', lead, call: look(stateToken, name) }];

const tellRecord = (known: ExecutionAnswer['known'], stateToken: string): Telling =>
  known?.text === undefined
    ? []
    : [
        [
          { kind: 'heading', text: 'The record' },
          quote(known.text),
          ...pageLines('… more: ', stateToken, known.nextPage),
        ],
      ];

const tellRecap = (recap: RecapTold | undefined, stateToken: string, audience: Audience): Telling =>
  recap === undefined ? [] : [[{ kind: 'heading', text: 'Done so far' }, ...recapLines(recap, stateToken, audience)]];

const tellDocuments = (documents: NonNullable<ExecutionAnswer['documents']>, stateToken: string): Telling => [
  documents.flatMap(({ name, size, fold, page: shown, text, nextPage }) => {
    const title = `Document ${name} (${size} ${fold === 'header' ? 'fields' : fold === 'table' ? 'rows' : 'entries'})`;
    if (text === undefined) return pageLines(`${title}: `, stateToken, shown);
    return [{ kind: 'heading', text: title } as const, quote(text), ...pageLines('… more: ', stateToken, nextPage)];
  }),
];

const kindWords: ReadonlyMap<string, string> = new Map([
  ['checkpoint', 'checkpoint'],
  ['late', 'came with a repeated ack'],
  ['note', 'note of a person'],
]);

/** The older entries are a call away where it is known from where. */
export function recapLines(
  { first, entries, omitted, olderPage }: RecapTold,
  stateToken: string | undefined,
  { reader }: Audience,
): readonly Told[] {
  const rest = entries.some(({ cut }) => (cut?.after ?? 0) > 0) ? ', and the rest of the next one' : '';
  const lead = `- ${omitted} older ${omitted === 1 ? 'entry' : 'entries'} left out${rest}`;
  const older = olderPage === undefined || stateToken === undefined ? undefined : look(stateToken, olderPage);
  const left: readonly Told[] =
    omitted === 0 && olderPage === undefined
      ? []
      : older === undefined
        ? [said(lead)]
        : reader === 'agent'
          ? [{ kind: 'call', lead: `${lead}: `, call: older }]
          : [said(lead), { kind: 'call', lead: '  ', call: older }];
  return [...(first === undefined ? [] : recapEntry(first)), ...left, ...entries.flatMap(recapEntry)];
}

function ledgerLines(ledger: LedgerTold): readonly Told[] {
  const { head, lines } = spokenLedger(ledger);
  return [{ kind: 'heading', text: head }, ...lines.map((text): Told => ({ kind: 'item', lead: '- ', text }))];
}

function recapEntry({ title, kind, confirmed, notes, artifacts, gaps, cut }: RecapEntryTold): readonly Told[] {
  const details = [
    ...[kindWords.get(kind) ?? []].flat(),
    ...(confirmed === true ? ['confirmed by the user'] : []),
    ...(artifacts === undefined ? [] : [`artifacts ${artifacts.join(', ')}`]),
    ...(cut === undefined
      ? []
      : [
          `${cut.before > 0 ? 'continued' : 'begins here'}${cut.after > 0 ? `, ${cut.after} more bytes follow on the next page` : ''}`,
        ]),
  ];
  const lead = visibleTitle(`${title}${details.length === 0 ? '' : ` (${details.join('; ')})`}`);
  return [
    ...quotedBelow(lead, notes ?? 'no notes'),
    ...(gaps ?? []).map((gap): Told => ({ kind: 'item', lead: '  - gap, ', text: visibleTitle(gap) })),
  ];
}

/** What is begun is neither done nor to be begun anew. */
export function halfDone({ notes, artifacts, cut }: RecapEntryTold): readonly Told[] {
  const more = [
    ...(artifacts === undefined ? [] : [`artifacts ${artifacts.join(', ')}`]),
    ...(cut === undefined ? [] : [`${cut.after} more bytes are in the record`]),
  ];
  const lead = visibleTitle(`Half done, checkpoint${more.length === 0 ? '' : ` (${more.join('; ')})`}`);
  return quotedBelow(lead, notes ?? 'no notes');
}
