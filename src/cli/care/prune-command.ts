import { plural } from '../../base/plural.js';
import type { PruneAnswer } from '../../contract/prune-answers.js';
import { readSpan } from '../../base/read-span.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { byteWords } from '../print/byte-words.js';
import { confirm } from '../shell/confirm.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { jsonLine } from '../print/json-line.js';
import type { Page } from '../print/page.js';
import { entryLine, printWayBack } from './pruned-entries.js';

export const runPrune = withRequests('prune', prune);

async function prune(command: RequestsContext): Promise<ExitCode> {
  const { requests, parsed, environment, json, page, reject, misused } = command;
  const wrong = misuse(command);
  if (wrong !== undefined) return misused(wrong);
  const given = parsed.text('older-than');
  const olderThanMs = given === undefined ? undefined : readSpan(given);
  const sessions = parsed.list('session');
  const dryRun = parsed.has('dry-run');
  const asked = {
    now: environment.now(),
    olderThanMs,
    keep: parsed.list('keep'),
    unsound: parsed.has('damaged'),
    inUse: parsed.has('in-use'),
    sessions,
  };
  const plan = await requests.people.pruneSessions({ ...asked, dryRun: true });
  if (!plan.ok) return reject(plan.error);
  if (!json) printPlan(command, page, plan.value);
  if (dryRun) {
    if (json) environment.out(jsonLine(plan.value));
    return exitCodes.done;
  }
  if (!(await agreed(command, plan.value))) {
    page.say('Nothing was pruned.');
    return exitCodes.done;
  }
  const done = await requests.people.pruneSessions({ ...asked, dryRun: false, only: plan.value.pruned });
  if (!done.ok) return reject(done.error);
  // What the plan left out was not asked for again.
  const spared = [...plan.value.spared, ...done.value.spared];
  if (json) environment.out(jsonLine({ ...done.value, spared } satisfies PruneAnswer));
  else printDone(page, done.value);
  if (spared.some(({ why }) => why === 'failed')) return exitCodes.fault;
  // Whoever names a session wants it gone, and it is not.
  return sessions.length > 0 && spared.length > 0 ? exitCodes.rejected : exitCodes.done;
}

function misuse(command: RequestsContext): string | undefined {
  const { parsed } = command;
  const given = parsed.text('older-than');
  const named = parsed.list('session').length > 0;
  if (given !== undefined && readSpan(given) === undefined)
    return `--older-than takes a span such as 90d, 12w or 1y, not ${JSON.stringify(given)}`;
  if (named && given !== undefined) return '--session prunes whatever the age; leave out --older-than';
  if (!named && parsed.has('in-use')) return '--in-use needs --session: name the session to prune';
  return parsed.has('dry-run') || mayAsk(command) || parsed.has('yes')
    ? undefined
    : 'this moves sessions to the trash; add --yes, or preview with --dry-run';
}

const mayAsk = ({ environment: { stdinIsTerminal, stdoutIsTerminal }, json }: RequestsContext): boolean =>
  stdinIsTerminal && stdoutIsTerminal && !json;

/** Where nothing is to be taken away there is nothing to agree to. */
async function agreed({ parsed, environment }: RequestsContext, { pruned }: PruneAnswer): Promise<boolean> {
  if (parsed.has('yes') || pruned.length === 0) return true;
  const bytes = pruned.reduce((sum, entry) => sum + entry.bytes, 0);
  return confirm(environment, `Prune ${plural(pruned.length, 'session', 'sessions')} (${byteWords(bytes)})?`);
}

function printPlan(command: RequestsContext, page: Page, { before, pruned, spared, trash, inGit }: PruneAnswer): void {
  const { parsed } = command;
  const day = before.slice(0, 10);
  if (parsed.has('session')) page.say(pruned.length === 0 ? 'Nothing to prune.' : 'To prune:', page.style.bold);
  else if (pruned.length === 0)
    page.say(`Nothing to prune${spared.length > 0 ? '' : `: no session was last active before ${day}`}.`);
  else page.say(`Last active before ${day}:`, page.style.bold);
  for (const entry of pruned) command.environment.out(entryLine(command.environment, entry));
  if (spared.length > 0) page.say('Kept:', page.style.bold);
  for (const entry of spared) {
    command.environment.out(entryLine(command.environment, entry));
    page.item(
      '      ',
      entry.why === 'unsound'
        ? `${entry.message}; --damaged prunes it too; for details: ${page.inline(['doctor', entry.sessionId])}`
        : entry.message,
      page.style.dim,
    );
  }
  if (trash.sessions > 0)
    page.say(
      `The trash holds ${plural(trash.sessions, 'session', 'sessions')} from before (${byteWords(trash.bytes)}); ${parsed.has('dry-run') ? 'without --dry-run, this' : 'this run'} deletes ${trash.sessions === 1 ? 'it' : 'them'} permanently.`,
    );
  if (inGit) page.say('Some are in a git repository: commit their removal; git still has what was committed.');
}

function printDone(page: Page, { pruned, spared, trash }: PruneAnswer): void {
  const bytes = pruned.reduce((sum, entry) => sum + entry.bytes, 0);
  if (trash.sessions > 0)
    page.say(
      `Deleted permanently: ${plural(trash.sessions, 'session', 'sessions')} from the trash (${byteWords(trash.bytes)}).`,
    );
  if (pruned.length > 0)
    page.say(
      `Pruned: ${plural(pruned.length, 'session', 'sessions')} (${byteWords(bytes)}). ${pruned.length === 1 ? 'It stays' : 'They stay'} in the trash of ${pruned.length === 1 ? 'its' : 'their'} data folder until the next workrail prune. To restore one, move its folder from local/trash to sessions, under its own name:`,
    );
  if (pruned[0] !== undefined) printWayBack(page, pruned[0]);
  for (const { sessionId, message } of spared) page.say(`Kept: ${sessionId}, ${message}.`);
}
