import { command as commandTerm } from '../../base/sentence.js';
import { ask } from '../shell/ask.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { openPage } from '../print/page.js';
import { tellResume } from '../../render/tell-resume.js';
import { printTelling } from '../print/print-telling.js';

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
  const asked = [query, branch, commit, session].filter((part) => part !== undefined && part !== '').join(', ');
  // How each goes on stands beside it.
  const { candidates, found, warnings } = answer.value;
  const told = candidates.length > 0 ? { candidates, found, warnings } : answer.value;
  if (json) environment.out(JSON.stringify(answer.value));
  else printTelling(openPage(environment, { given: parsed }), tellResume(told, asked));
  return exitCodes.done;
}
