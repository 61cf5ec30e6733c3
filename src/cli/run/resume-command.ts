import { command as commandTerm } from '../../base/sentence.js';
import { ask } from '../shell/ask.js';
import { withRequests } from '../shell/with-requests.js';
import { tellResume } from '../../render/answers/tell-resume.js';
import { printTelling } from '../print/print-telling.js';

export const runResume = withRequests('resume', async (command) => {
  const { parsed, misused, reject, tell } = command;
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
      message: `no session named ${JSON.stringify(session)}`,
      action: ['list sessions: ', commandTerm('sessions')],
      context: { session },
    });
  const asked = [query, branch, commit, session].filter((part) => part !== undefined && part !== '').join(', ');
  // How each goes on stands beside it.
  const { candidates, found, warnings } = answer.value;
  const told = candidates.length > 0 ? { candidates, found, warnings } : answer.value;
  return tell(answer.value, (page) => printTelling(page, tellResume(told, asked, 'person')));
});
