import { command as commandTerm } from '../../base/sentence.js';
import type { ResumeAnswer, ResumeCandidate } from '../../contract/answer.js';
import { ask } from '../shell/ask.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { openPage, type Page } from '../print/page.js';
import { printCall } from '../print/print-telling.js';

export const runResume = withRequests('resume', resume);

async function resume(command: RequestsContext): Promise<ExitCode> {
  const { parsed, misused, reject, json, environment } = command;
  const query = parsed.words.join(' ');
  const limit = parsed.text('limit');
  if (limit !== undefined && !/^[1-5]$/u.test(limit)) return misused(`--limit is 1 to 5, not ${JSON.stringify(limit)}`);
  const [branch, commit, session] = [parsed.text('branch'), parsed.text('commit'), parsed.text('session')];
  const answer = await ask(command, 'resume_session', {
    ...(query !== '' && { query }),
    ...(branch !== undefined && { gitBranch: branch }),
    ...(commit !== undefined && { gitHead: commit }),
    ...(session !== undefined && { sessionId: session }),
    ...(limit !== undefined && { limit: Number(limit) }),
  });
  if (!answer.ok) return answer.error;
  if (session !== undefined && answer.value.found === 0)
    return reject({
      code: 'NOT_FOUND',
      message: `no session here is called ${JSON.stringify(session)}`,
      action: ['see what is here: ', commandTerm('sessions')],
      context: { session },
    });
  const asked = [query, branch, commit, session].some((part) => part !== undefined && part !== '');
  if (json) environment.out(JSON.stringify(answer.value));
  else printCandidates(openPage(environment, { given: parsed }), answer.value, asked);
  return exitCodes.done;
}

function printCandidates(page: Page, { candidates, found, warnings, nextCall }: ResumeAnswer, asked: boolean): void {
  if (candidates.length === 0) page.say('No work is recorded here.');
  else if (asked && found === 0) page.say('Nothing matches. The work that was done last:');
  else if (found > candidates.length) page.say(`${found} found, the best ${candidates.length}:`);
  for (const [index, candidate] of candidates.entries()) printCandidate(page, candidate, index + 1);
  for (const { message } of warnings) page.say(`Warning: ${message}.`, page.style.bad);
  if (candidates.length > 0) return;
  page.gap();
  printCall(page, 'Begin something: ', nextCall);
}

function printCandidate(page: Page, candidate: ResumeCandidate, number: number): void {
  const {
    sessionId,
    title,
    workflowTitle,
    workflowId,
    status,
    pending,
    lastActivity,
    branch,
    whyMatched,
    snippet,
    nextCall,
    warnings,
  } = candidate;
  page.gap();
  page.item(`${number}. `, `${sessionId}${title === undefined ? '' : ` “${title}”`}`, page.style.bold);
  const what =
    workflowTitle === undefined
      ? status === 'unreadable'
        ? 'its beginning cannot be read'
        : 'notes without a workflow'
      : `“${workflowTitle}” (${workflowId ?? ''})`;
  page.item('   ', `${what}, ${pending === null ? status.replaceAll('_', ' ') : `at “${pending}”`}`);
  page.item(
    '   ',
    `last worked on ${lastActivity}${branch === undefined ? '' : `, branch ${branch}`}; matched by ${whyMatched}`,
  );
  if (snippet.trim() !== '') page.item('   ', snippet.trim());
  for (const { message } of warnings) page.item('   ', `Warning: ${message}.`);
  printCall(page, '   Go on: ', nextCall);
}
