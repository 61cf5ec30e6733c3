import { text } from 'node:stream/consumers';
import { plural } from '../../base/plural.js';
import type { SessionRedacted } from '../../contract/redact-answers.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { confirm } from '../shell/confirm.js';
import { exitCodes } from '../shell/exit-codes.js';
import type { Page } from '../print/page.js';

const shownLines = 20;

export const runRedact = withRequests('redact', async (command) => {
  const { requests, parsed, environment, json, page, reject, misused } = command;
  const asked = await whatIsAsked(command);
  if (typeof asked === 'string') return misused(asked);
  const dryRun = parsed.has('dry-run');
  const sure = parsed.has('yes');
  if (dryRun || !sure) {
    const plan = await requests.people.redactSession({ ...asked, dryRun: true });
    if (!plan.ok) return reject(plan.error);
    if (json) environment.out(JSON.stringify(plan.value));
    else tellLines(plan.value, page);
    if (dryRun) {
      if (!json) tellElsewhere(plan.value, page);
      return exitCodes.done;
    }
    if (!(await confirm(environment, 'Take it out?'))) {
      page.say('Nothing was changed.');
      return exitCodes.done;
    }
  }
  const done = await requests.people.redactSession({ ...asked, dryRun: false });
  if (!done.ok) return reject(done.error);
  if (json) environment.out(JSON.stringify(done.value));
  else {
    if (sure) tellLines(done.value, page);
    else page.say('Taken out.', page.style.good);
    tellElsewhere(done.value, page);
  }
  return exitCodes.done;
});

/** The request, or what is wrong with the command line. */
async function whatIsAsked({
  parsed,
  environment: { stdin, stdinIsTerminal },
  json,
}: RequestsContext): Promise<
  { readonly session: string; readonly what: string | undefined; readonly secrets: boolean } | string
> {
  const [session, given] = parsed.words;
  const secrets = parsed.has('secrets');
  if (session === undefined) return 'name the session, and the event or the text to take out of it';
  if (secrets && given !== undefined)
    return '--secrets takes out what looks like a credential; a text or an event goes without it';
  if (!parsed.has('dry-run') && !parsed.has('yes') && (json || !stdinIsTerminal || given === '-'))
    return 'this changes the log for good; say --yes, or look first with --dry-run';
  // Typed as an argument it would stay in the history of the shell.
  const what = given === '-' ? (await text(stdin)).replace(/\r?\n$/u, '') : given;
  return what === '' ? 'there is no text to take out' : { session, what, secrets };
}

function tellLines({ session, dryRun, lines, returned, tails, scrubbed }: SessionRedacted, page: Page): void {
  const holding = lines.filter(({ places }) => places.length > 0);
  const along = lines.length - holding.length;
  page.say(`${dryRun ? 'Would be taken' : 'Taken'} out of ${session}:`, page.style.bold);
  if (lines.length > 0)
    page.item(
      '  ',
      `${plural(holding.length, 'event')} ${dryRun ? 'would be ' : ''}written anew with [redacted] in place of the text${along > 0 ? `, and ${plural(along, 'other event')} of the same append${holding.length === 1 ? '' : 's'} along with ${holding.length === 1 ? 'it' : 'them'}` : ''}:`,
    );
  for (const { file, line, event, kind, places } of holding.slice(0, shownLines))
    page.item(
      '    ',
      `${file} line ${line}: ${kind} ${event}, in ${places.slice(0, 4).join(', ')}${places.length > 4 ? ` and ${places.length - 4} more places` : ''}`,
    );
  if (holding.length > shownLines) page.item('    ', `and ${holding.length - shownLines} more; --json lists them`);
  if (returned > 0)
    page.item(
      '  ',
      `${plural(returned, 'line')} that ${returned === 1 ? 'was' : 'were'} redacted before and had come back`,
    );
  if (tails > 0)
    page.item('  ', `${plural(tails, 'unfinished write')} at the end of a file, which was never part of the session`);
  for (const file of scrubbed)
    page.item(
      '  ',
      /(?:^|\/)local\/trash\//u.test(file) ? `${file}, a copy that a move or a prune left: deleted` : file,
    );
  page.say('Runs, steps, tokens and their order stay as they are.');
}

function tellElsewhere({ folder, dryRun, stillIn, inGit }: SessionRedacted, page: Page): void {
  page.gap();
  if (stillIn.length > 0) {
    page.say(
      `It ${dryRun ? 'would still be' : 'is still'} here (names without a folder before them are of ${folder}):`,
      page.style.bad,
    );
    for (const file of stillIn.slice(0, shownLines)) page.item('  ', `${file}${hintFor(file, page)}`);
    if (stillIn.length > shownLines) page.item('  ', `and ${stillIn.length - shownLines} more`);
    page.gap();
  }
  page.say('Whoever has seen it knows it: a real credential must be revoked where it came from. It may also still be');
  if (inGit) {
    page.item('  - ', 'in the history of the repository, if these files were ever committed. Which commits:');
    page.shell('      ', "git log --all --oneline -S '<the text>' -- '*.ndjson'");
    page.item(
      '    ',
      'to take it out of all of them, with a line <the text>==>[redacted] in replace.txt (it rewrites the history; everybody clones anew):',
    );
    page.shell('      ', 'git filter-repo --replace-text replace.txt');
  }
  page.item(
    '  - ',
    `in other clones and copies of this folder${inGit ? '; a merge may bring the old lines back: no answer shows them, doctor tells of them, and redact without a text cuts them out again' : ''}`,
  );
  page.item(
    '  - ',
    'in bundles and pages that were made of this session: export or render them anew, and delete the old ones',
  );
  page.item(
    '  - ',
    'in the chat of the agent, in what its client and its maker keep, in the history of your shell, and in backups',
  );
}

function hintFor(file: string, page: Page): string {
  const [, session] = /(?:^|\/)sessions\/([^/]+)\/segments\//u.exec(file) ?? [];
  if (session !== undefined) return ` (${page.inline(['redact', session])})`;
  if (/(?:^|\/)sessions\/[^/]+\/pins\//u.test(file))
    return ' (a workflow that a run follows, named by its content: take the text out of the workflow file, and start anew)';
  if (/(?:^|\/)local\/trash\//u.test(file)) return ` (delete it for good: ${page.inline(['prune'])})`;
  return '';
}
