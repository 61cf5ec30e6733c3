import { withRequests } from '../shell/with-requests.js';
import { jsonLine } from '../print/json-line.js';

export const runSessionsKeep = withRequests('sessions keep', async ({ requests, parsed, reject, misused, tell }) => {
  const [session] = parsed.words;
  if (session === undefined) return misused('which session? `workrail sessions` lists them');
  const kept = await requests.people.labelSession({ session, keep: !parsed.has('off') });
  if (!kept.ok) return reject(kept.error);
  const { sessionId, keep, changed } = kept.value;
  const stands = keep ? 'marked as never pruned' : 'not marked, so it may be pruned';
  const said = `${sessionId} ${changed ? 'is' : 'was already'} ${stands}.`;
  return tell(kept.value, (page) => page.say(said), undefined, jsonLine);
});
