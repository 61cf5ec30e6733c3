import { withRequests } from '../shell/with-requests.js';
import { givenValues } from '../shell/given-values.js';

export const runNote = withRequests('note', async ({ parsed, misused, requests, reject, tell, environment }) => {
  const [session, said] = parsed.words;
  if (session === undefined || said === undefined) return misused('name the session, then the text of the note');
  const text = await givenValues(environment).text('<text>', said);
  if (!text.ok) return misused(text.error);
  const added = await requests.people.addNote({ session, text: text.value, node: parsed.text('node') });
  if (!added.ok) return reject(added.error);
  return tell(added.value, (page, { sessionId, node, warnings, added: isNew }) => {
    const where =
      node === undefined ? `session ${sessionId}` : `${node.title} (${node.nodeId}) in session ${sessionId}`;
    page.say(
      isNew ? `Added the note to ${where}.` : `The newest note of ${where} already says that; nothing was added.`,
      page.style.good,
    );
    for (const { message } of warnings) page.say(`Warning: ${message}.`, page.style.bad);
    page.command('Read it: ', ['show', sessionId]);
  });
});
