import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';

export const runSessionsKeep = withRequests(
  'sessions keep',
  async ({ requests, parsed, environment, json, reject, misused }) => {
    const [session] = parsed.words;
    if (session === undefined) return misused('which session? workrail sessions lists them');
    const kept = await requests.people.labelSession({ session, keep: !parsed.has('off') });
    if (!kept.ok) return reject(kept.error);
    if (json) environment.out(jsonLine(kept.value));
    else {
      const { sessionId, keep, changed } = kept.value;
      openPage(environment, {}).say(
        `${sessionId} ${changed ? 'is' : 'was already'} ${keep ? 'marked to be kept: workrail prune leaves it alone' : 'like any other for workrail prune'}.`,
      );
    }
    return exitCodes.done;
  },
);
