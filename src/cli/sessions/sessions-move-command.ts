import type { SessionMoved } from '../../contract/session-moved.js';
import { plural } from '../../base/plural.js';
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
  if (outcome === 'already_there') page.say(`${sessionId} is already in ${places[to]}: ${folder}`);
  else {
    page.say(`${sessionId} is now in ${places[to]}: ${folder}`);
    page.say(
      `Its tokens still work. The original stays in the trash (local/trash) of ${places[from]} until the next workrail prune.`,
    );
  }
  if (inGit && outcome !== 'already_there') page.say('It is in a git repository: commit it to share it.');
  if (leftGit) page.say('It was in a git repository: commit its removal. Git still has what was committed before.');
  if (secrets.length > 0)
    page.say(`It contains ${plural(secrets.length, 'possible credential')}, as you allowed.`, page.style.bad);
}
