import { type AtDesk, atDesk } from './at-desk.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { givenValues } from './given-values.js';
import { inOwnWords } from './own-words.js';
import { givenAgain, openPage } from './page.js';

export const runNote = atDesk('note', note);

async function note({ parsed, misused, json, requests, reject, surroundings }: AtDesk): Promise<ExitCode> {
  const [session, said] = parsed.words;
  if (session === undefined || said === undefined)
    return misused('a note needs its session and its text: workrail note <session> "…"');
  const text = await givenValues(surroundings).text('<text>', said);
  if (!text.ok) return misused(text.error);
  const added = await requests.desk.addNote({ session, text: text.value, node: parsed.text('node') });
  if (!added.ok) return reject(added.error);
  if (json) {
    surroundings.out(JSON.stringify(added.value));
    return exitCodes.done;
  }
  const page = openPage(surroundings, { again: givenAgain(parsed) });
  const { sessionId, node, warnings, added: isNew } = added.value;
  const where = node === undefined ? `session ${sessionId}` : `${node.title} (${node.nodeId}) in session ${sessionId}`;
  page.say(
    isNew ? `Noted at ${where}.` : `The newest note at ${where} says just that; nothing was added.`,
    page.style.good,
  );
  for (const { message } of warnings) page.say(`Warning: ${inOwnWords(message)}.`, page.style.bad);
  page.command('Read it: ', ['workrail', 'show', sessionId]);
  return exitCodes.done;
}
