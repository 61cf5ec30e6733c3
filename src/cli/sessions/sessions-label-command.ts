import { withRequests } from '../shell/with-requests.js';
import { exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';

export const runSessionsLabel = withRequests(
  'sessions label',
  async ({ requests, parsed, environment, json, reject, misused }) => {
    const [session] = parsed.words;
    const [title, tags] = [parsed.text('title'), parsed.list('tag')];
    if (session === undefined) return misused('which session? workrail sessions lists them');
    if (parsed.has('no-tags') && tags.length > 0) return misused('--tag and --no-tags do not go together');
    if (title === undefined && tags.length === 0 && !parsed.has('no-tags'))
      return misused('give it a --title or a --tag');
    const labelled = await requests.people.labelSession({
      session,
      title,
      tags: parsed.has('no-tags') || tags.length > 0 ? tags : undefined,
    });
    if (!labelled.ok) return reject(labelled.error);
    if (json) environment.out(jsonLine(labelled.value));
    else {
      const { sessionId, title: now, tags: all, changed } = labelled.value;
      openPage(environment, {}).say(
        `${sessionId}${changed ? ' is now' : ' was already'} ${now === undefined ? 'without a title' : `“${now}”`}${all.length === 0 ? ', without tags' : `, tags ${all.join(', ')}`}.`,
      );
    }
    return exitCodes.done;
  },
);
