import { atDesk } from './at-desk.js';
import { exitCodes } from './exit-codes.js';
import { jsonLine } from './json-line.js';
import { openPage } from './page.js';

export const runSessionsKeep = atDesk(
  'sessions keep',
  async ({ requests, parsed, surroundings, json, reject, misused }) => {
    const [session] = parsed.words;
    if (session === undefined) return misused('which session? workrail sessions lists them');
    const kept = await requests.desk.labelSession({ session, keep: !parsed.has('off') });
    if (!kept.ok) return reject(kept.error);
    if (json) surroundings.out(jsonLine(kept.value));
    else {
      const { sessionId, keep, changed } = kept.value;
      openPage(surroundings, {}).say(
        `${sessionId} ${changed ? 'is' : 'was already'} ${keep ? 'marked to be kept: workrail prune leaves it alone' : 'like any other for workrail prune'}.`,
      );
    }
    return exitCodes.done;
  },
);
