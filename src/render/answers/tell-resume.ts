import type { ResumeAnswer, ResumeCandidate } from '../../contract/resume-answer.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply } from '../../contract/reply-with.js';
import { agentText } from './agent-text.js';
import { quote, type Reader, said, type Telling, type Told } from '../telling.js';
import { visibleTitle } from '../visible-text.js';

export const resumeReply = (answer: ResumeAnswer, asked: string): Reply =>
  lookupReply(agentText([tellResume(answer, asked, 'agent').flat()]), answer);

/** Earlier work that was found, each with the call that goes on with it. */
export function tellResume(answer: ResumeAnswer, asked: string, reader: Reader): Telling {
  const { candidates, found, warnings, nextCall, unknownWords = [] } = answer;
  const nowhere = unknownWords.length === 0 ? '' : ` (nothing here says ${visibleTitle(unknownWords.join(', '))})`;
  const head =
    candidates.length === 0
      ? `No work is recorded here${asked === '' ? '' : `, so none for “${asked}”`}.`
      : found === 0
        ? `Nothing${warnings.length > 0 ? ' that could be read' : ''} matches “${asked}”. The most recent work:`
        : found > candidates.length
          ? `${found} found${nowhere}; the best ${candidates.length} (more words, a branch or a sessionId find the others):`
          : `${found} found${nowhere}:`;
  return [
    [said(head)],
    ...candidates.map((candidate, index) => tellCandidate(candidate, `${index + 1}. `, reader)),
    warnings.map(({ message }) => said(`Warning: ${message}.`, 'bad')),
    nextCall === undefined
      ? []
      : [
          {
            kind: 'call',
            lead: nextCall.tool === 'list_workflows' ? 'To begin something new: ' : 'Next: ',
            call: nextCall,
          },
        ],
  ];
}

/** What can be gone on with is called open, and what cannot is called finished. */
const endings: ReadonlyMap<string, string> = new Map([
  ['complete', 'finished'],
  ['complete_with_gaps', 'finished, with critical gaps open'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
]);

function others({ otherBranches, otherRuns }: ResumeCandidate): readonly string[] {
  const told = (one: string, many: string, count: ResumeCandidate['otherRuns']): readonly string[] => {
    if (count === undefined) return [];
    const { open, finished } = count;
    const how = [open > 0 ? `${open} open` : '', finished > 0 ? `${finished} finished` : ''].filter(
      (part) => part !== '',
    );
    return [`${open + finished} other ${open + finished === 1 ? one : many} (${how.join(', ')})`];
  };
  return [...told('branch', 'branches', otherBranches), ...told('run', 'runs', otherRuns)];
}

const onward: { readonly [reader in Reader]: string } = { agent: '   Go on: ', person: '   Continue: ' };

function tellCandidate(candidate: ResumeCandidate, lead: string, reader: Reader): readonly Told[] {
  const { sessionId, title, workflowTitle, workflowId, status, pending, lastActivity, branch, whyMatched } = candidate;
  const where =
    pending === null || endings.has(status)
      ? (endings.get(status) ?? status)
      : `${status === 'blocked' ? 'open, waits for the user' : 'open'}, at “${pending}”`;
  const stands =
    workflowTitle !== undefined
      ? `“${workflowTitle}” (${workflowId ?? ''}), ${where}`
      : status === 'unreadable'
        ? 'its beginning cannot be read'
        : 'notes without a workflow';
  const worked = `last worked on ${lastActivity}${branch === undefined ? '' : `, branch ${visibleTitle(branch)}`}`;
  return [
    {
      kind: 'entry',
      lead,
      name: `session ${sessionId}${title === undefined ? '' : ` “${visibleTitle(title)}”`}`,
      facts: [stands, ...others(candidate), worked, `matched by ${whyMatched}`],
    },
    ...(candidate.snippet === '' ? [] : [quote(candidate.snippet)]),
    ...notedLines(candidate),
    ...(candidate.quotes ?? []).map((one): Told => ({
      kind: 'item',
      lead: '   ',
      text: `${one.words.join(', ')} in ${visibleTitle(one.where)}: “${visibleTitle(one.quote)}”`,
    })),
    ...(candidate.otherTip === undefined ? [] : [otherTip(candidate.otherTip)]),
    ...candidate.warnings.map(({ message }) => said(`   Warning: ${message}.`, 'bad')),
    ...(candidate.nextCall === undefined
      ? []
      : [
          {
            kind: 'call',
            lead: candidate.pending === null && candidate.stateToken !== undefined ? '   Look: ' : onward[reader],
            call: candidate.nextCall,
          } as const,
        ]),
  ];
}

const otherTip = ({ words, pending, status, nextCall }: NonNullable<ResumeCandidate['otherTip']>): Told => ({
  kind: 'call',
  lead: `   ${words.length === 0 ? 'What the token names' : `More of it (${words.join(', ')}) is on another branch`}, ${pending === null ? status : `at “${visibleTitle(pending)}”`}: `,
  call: nextCall,
});

function notedLines({ noted }: ResumeCandidate): readonly Told[] {
  if (noted === undefined) return [];
  const items = noted.entries.map(({ title, notes = 'no notes', cut }): Told => {
    const more = (cut?.after ?? 0) > 0 ? ' …' : '';
    return { kind: 'item', lead: '   ', text: `Noted at ${visibleTitle(title)}: “${visibleTitle(notes)}${more}”` };
  });
  return noted.omitted === 0 ? items : [...items, said(`   and ${noted.omitted} older, which a look shows`)];
}
