import path from 'node:path';
import { plural } from '../../base/plural.js';
import type { LeakTold, SecretsReport } from '../../contract/doctor-answers.js';
import type { RequestsContext } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { nearName } from '../shell/output-place.js';
import type { Page } from '../print/page.js';

/** `workrail doctor --secrets`: one finding a line, as compilers and hooks print them. */
export async function findSecrets({ requests, parsed, environment, reject, tell }: RequestsContext): Promise<ExitCode> {
  const { progress, interrupted, columns, workingFolder } = environment;
  const found = await requests.people.lookForSecrets({
    sessions: parsed.words,
    everywhere: parsed.has('everywhere'),
    except: parsed.list('except').flatMap((list) => list.split(',')),
    progress: (done, of) => progress(`scanning session ${done + 1} of ${of}`.slice(0, columns - 1)),
    signal: interrupted(),
  });
  progress('');
  if (!found.ok) return reject(found.error);
  return tell(found.value, (page, report) => printSecrets(page, report, workingFolder), exitCodeOf(found.value));
}

/** Where not all could be looked through, a hook must not let a commit go. */
const exitCodeOf = ({ secrets, unread }: SecretsReport): ExitCode =>
  secrets.length > 0 ? exitCodes.rejected : unread.length > 0 ? exitCodes.fault : exitCodes.done;

function printSecrets(
  page: Page,
  { sessions, lines, secrets, unread, excepted, passedOver }: SecretsReport,
  workingFolder: string,
): void {
  for (const leak of secrets)
    page.item(
      `${shownPath(leak, workingFolder)}: `,
      `${leak.name}: ${leak.sample}${leak.pointer === '' ? '' : `, in ${leak.pointer}`}${leak.event === undefined ? '' : ` of event ${leak.event}`}`,
    );
  for (const { folder, file, message, remedy } of unread)
    page.item(`${nearName(path.join(folder, file), workingFolder)}: `, `${message}; ${remedy}`);
  page.gap();
  const looked = `scanned ${plural(lines, 'line')} in ${plural(sessions, 'session')}${excepted > 0 ? `, ignored ${excepted} as you asked` : ''}`;
  if (unread.length > 0)
    page.say(`${plural(unread.length, 'file')} could not be read. Fix that, then scan again.`, page.style.bad);
  if (secrets.length === 0)
    page.say(
      `Nothing ${unread.length > 0 ? 'else ' : ''}looks like a credential (${looked}).`,
      unread.length > 0 ? page.style.dim : page.style.good,
    );
  else {
    page.say(`Found ${plural(secrets.length, 'possible credential')} (${looked}).`, page.style.bad);
    const [{ session, event }] = secrets as readonly [LeakTold, ...LeakTold[]];
    page.say('If it is real, revoke it first, then remove it. Preview the removal:');
    page.command('  ', ['redact', session, ...(event === undefined ? ['-'] : [event]), '--dry-run']);
    if (secrets.some(({ trash }) => trash !== undefined)) {
      page.say('Redacting a session also removes its copies in local/trash. To empty the trash:');
      page.command('  ', ['prune']);
    }
    page.say('If it is a false alarm, ignore that event:');
    page.command('  ', ['doctor', '--secrets', '--except', event ?? '<event>']);
  }
  for (const folder of passedOver)
    page.say(`Not scanned: ${folder}, which no repository carries (--everywhere scans it too).`, page.style.dim);
}

function shownPath({ folder, session, trash, file, line }: LeakTold, workingFolder: string): string {
  return `${nearName(path.join(folder, trash ?? `sessions/${session}`, file), workingFolder)}:${line}`;
}
