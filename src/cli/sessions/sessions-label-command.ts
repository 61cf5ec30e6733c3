import { withRequests } from '../shell/with-requests.js';
import { jsonLine } from '../print/json-line.js';

export const runSessionsLabel = withRequests('sessions label', async ({ requests, parsed, reject, misused, tell }) => {
  const [session] = parsed.words;
  const [title, tags] = [parsed.text('title'), parsed.list('tag')];
  if (session === undefined) return misused('which session? `workrail sessions` lists them');
  if (parsed.has('no-tags') && tags.length > 0) return misused('--tag and --no-tags cannot be combined');
  if (title === undefined && tags.length === 0 && !parsed.has('no-tags')) return misused('pass a --title or a --tag');
  const labelled = await requests.people.labelSession({
    session,
    title,
    tags: parsed.has('no-tags') || tags.length > 0 ? tags : undefined,
  });
  if (!labelled.ok) return reject(labelled.error);
  const { sessionId, title: now, tags: all, changed } = labelled.value;
  const named = now === undefined ? 'without a title' : `“${now}”`;
  const tagged = all.length === 0 ? 'without tags' : `tags ${all.join(', ')}`;
  const said = `${sessionId}${changed ? ' is now' : ' was already'} ${named}, ${tagged}.`;
  return tell(labelled.value, (page) => page.say(said), undefined, jsonLine);
});
