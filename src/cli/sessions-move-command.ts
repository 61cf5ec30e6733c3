import type { SessionMoved } from '../contract/session-moved.js';
import { atDesk } from './at-desk.js';
import { exitCodes } from './exit-codes.js';
import { jsonLine } from './json-line.js';
import { givenAgain, openPage, type Page } from './page.js';
import { showProgress } from './show-progress.js';
import { tellSecrets } from './tell-secrets.js';

export const runSessionsMove = atDesk(
  'sessions move',
  async ({ requests, parsed, surroundings, json, reject, misused }) => {
    const [session] = parsed.words;
    const to = parsed.text('to');
    if (session === undefined) return misused('which session? workrail sessions lists them');
    if (to !== 'project' && to !== 'user')
      return misused(
        `--to takes project (the repository's .workrail) or user (your own data folder)${to === undefined ? '' : `, not ${JSON.stringify(to)}`}`,
      );
    const { show, end } = showProgress(surroundings);
    const moved = await requests.desk.moveSession({
      session,
      to,
      allowSecrets: parsed.has('allow-secrets'),
      now: surroundings.now(),
      progress: show,
      signal: surroundings.interrupted(),
    });
    end();
    const page = openPage(surroundings, { to: moved.ok ? 'out' : 'err', again: givenAgain(parsed) });
    if (!moved.ok) {
      if (!json) tellSecrets(moved.error, page);
      return reject(moved.error);
    }
    if (json) surroundings.out(jsonLine(moved.value));
    else tell(moved.value, page);
    return exitCodes.done;
  },
);

const places = {
  project: "the project's folder",
  user: 'your own data folder',
  given: 'the folder that was named',
} as const;

function tell({ sessionId, to, from, folder, outcome, inGit, leftGit, secrets }: SessionMoved, page: Page): void {
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
