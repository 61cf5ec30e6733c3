import type { SessionMoved } from '../../contract/session-moved.js';
import { withRequests } from '../shell/with-requests.js';
import { jsonLine } from '../print/json-line.js';
import type { Page } from '../print/page.js';
import { showProgress } from '../print/show-progress.js';

export const runSessionsMove = withRequests('sessions move', async (command) => {
  const { requests, parsed, environment, reject, misused, tell } = command;
  const [session] = parsed.words;
  const to = parsed.text('to');
  if (session === undefined) return misused('which session? `workrail sessions` lists them');
  if (to !== 'project' && to !== 'user')
    return misused(
      `--to takes project (the repository's .workrail) or user (your own data folder)${to === undefined ? '' : `, not ${JSON.stringify(to)}`}`,
    );
  const { show, end } = showProgress(environment);
  const moved = await requests.people.moveSession({
    session,
    to,
    allowSecrets: parsed.has('allow-secrets'),
    now: environment.now(),
    progress: show,
    signal: environment.interrupted(),
  });
  end();
  return moved.ok ? tell(moved.value, printMoved, undefined, jsonLine) : reject(moved.error);
});

const places = {
  project: "the project's folder",
  user: 'your own data folder',
  given: 'the folder that was named',
} as const;

function printMoved(page: Page, { sessionId, to, from, folder, outcome, inGit, leftGit, secrets }: SessionMoved): void {
  if (outcome === 'already_there') page.say(`${sessionId} lies in ${places[to]} already: ${folder}`);
  else {
    page.say(`${sessionId} lies in ${places[to]} now: ${folder}`);
    page.say(
      `It goes on there with the tokens it had. The copy in ${places[from]} is in its trash, local/trash, until the next workrail prune.`,
    );
  }
  if (inGit && outcome !== 'already_there')
    page.say('It lies in a git repository: commit it, and everybody who pulls has it.');
  if (leftGit)
    page.say(
      'It lay in a git repository: its removal is a change to commit, and git still holds what was committed of it.',
    );
  if (secrets.length > 0)
    page.say(`It holds ${secrets.length} of what looks like a credential, as you allowed.`, page.style.bad);
}
