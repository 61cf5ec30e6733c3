import { plural } from '../../base/plural.js';
import type { RetentionAnswer } from '../../contract/retention-answers.js';
import { retentionRule, retentionWords } from '../../render/retention-words.js';
import { readSpan } from '../../base/read-span.js';
import { byteWords } from '../print/byte-words.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import type { Page } from '../print/page.js';
import { whenFor } from '../print/print-story.js';
import { withRequests } from '../shell/with-requests.js';
import { entryLine, printWayBack } from './pruned-entries.js';

const day = 24 * 60 * 60 * 1000;

export const runRetention = withRequests('retention', async (command) => {
  const { requests, parsed, environment, misused, reject, tell } = command;
  const given = parsed.text('finished');
  const afterDays = given === undefined ? undefined : (readSpan(given) ?? Number.NaN) / day;
  if (afterDays !== undefined && !(Number.isInteger(afterDays) && afterDays >= 1))
    return misused(`--finished takes whole days, such as 90d, 12w or 1y, not ${JSON.stringify(given)}`);
  if (parsed.has('act') && parsed.has('off')) return misused('--act and --off are opposites; pass only one');
  const acts = parsed.has('act') || parsed.has('off') ? parsed.has('act') : undefined;
  const told = await requests.people.retention({ now: environment.now(), afterDays, acts });
  if (!told.ok) return reject(told.error);
  return tell(told.value, (page, answer) => printRetention(page, answer, environment));
});

function printRetention(page: Page, answer: RetentionAnswer, environment: CliEnvironment): void {
  const { acts, afterDays, changed, due, file, places } = answer;
  const words = retentionWords(answer, whenFor(environment));
  if (changed) page.say('Changed. Running servers pick it up.', page.style.good);
  page.say(words[0] ?? retentionRule(answer), page.style.bold);
  for (const line of words.slice(1)) page.say(line);
  const past = places.flatMap(({ folder, runs }) =>
    (runs[0]?.moved ?? []).map(({ sessionId }) => ({ folder, sessionId })),
  );
  if (past[0] !== undefined) {
    page.say('To restore one from the trash, move its folder back under its own name:');
    printWayBack(page, past[0]);
  }
  page.gap();
  const bytes = due.reduce((sum, entry) => sum + entry.bytes, 0);
  if (due.length === 0) page.say(`None due: no finished session has been inactive for ${plural(afterDays, 'day')}.`);
  else
    page.say(
      `${acts ? 'Due' : 'Would be pruned'}: ${plural(due.length, 'session')} (${byteWords(bytes)}), inactive for ${plural(afterDays, 'day')}.`,
    );
  for (const entry of due) environment.out(entryLine(environment, entry));
  for (const { folder, inGit } of places)
    if (inGit) page.item('  in a git repository, so use workrail prune: ', folder, page.style.dim);
  page.item('  saved in ', file, page.style.dim);
  page.gap();
  page.command(acts ? 'Turn off: ' : 'Turn on: ', [
    'retention',
    ...(acts ? ['--off'] : ['--finished', `${afterDays}d`, '--act']),
  ]);
}
