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
    if (!(await confirm(environment, 'Remove it?'))) {
      page.say('Nothing was changed.');
      return exitCodes.done;
    }
  }
  const done = await requests.people.redactSession({ ...asked, dryRun: false });
  if (!done.ok) return reject(done.error);
  if (json) environment.out(JSON.stringify(done.value));
  else {
    if (sure) tellLines(done.value, page);
    else page.say('Removed.', page.style.good);
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
  if (session === undefined) return 'name the session, and the event or text to remove from it';
  if (secrets && given !== undefined)
    return '--secrets removes whatever looks like a credential; leave out the event or text';
  if (!parsed.has('dry-run') && !parsed.has('yes') && (json || !stdinIsTerminal || given === '-'))
    return 'this changes the log permanently; add --yes, or preview with --dry-run';
  // Typed as an argument it would stay in the history of the shell.
  const what = given === '-' ? (await text(stdin)).replace(/\r?\n$/u, '') : given;
  return what === '' ? 'the text to remove is empty' : { session, what, secrets };
}

function tellLines({ session, dryRun, lines, returned, tails, scrubbed }: SessionRedacted, page: Page): void {
  const holding = lines.filter(({ places }) => places.length > 0);
  const along = lines.length - holding.length;
  page.say(`${dryRun ? 'Would be removed' : 'Removed'} from ${session}:`, page.style.bold);
  if (lines.length > 0)
    page.item(
      '  ',
      `${plural(holding.length, 'event')} ${dryRun ? 'would be ' : ''}rewritten with [redacted] instead of the text${along > 0 ? `, along with ${plural(along, 'other event')} of the same write${holding.length === 1 ? '' : 's'}` : ''}:`,
    );
  for (const { file, line, event, kind, places } of holding.slice(0, shownLines))
    page.item(
      '    ',
      `${file} line ${line}: ${kind} ${event}, in ${places.slice(0, 4).join(', ')}${places.length > 4 ? ` and ${places.length - 4} more places` : ''}`,
    );
  if (holding.length > shownLines) page.item('    ', `and ${holding.length - shownLines} more; --json lists them`);
  if (returned > 0) page.item('  ', `${plural(returned, 'redacted line')} that a merge had brought back`);
  if (tails > 0)
    page.item('  ', `${plural(tails, 'unfinished write')} at the end of a file, never part of the session`);
  for (const file of scrubbed)
    page.item(
      '  ',
      /(?:^|\/)local\/trash\//u.test(file) ? `${file}: deleted this copy, left by a move or a prune` : file,
    );
  page.say('Runs, steps, tokens and their order stay the same.');
}

function tellElsewhere({ folder, dryRun, stillIn, inGit }: SessionRedacted, page: Page): void {
  page.gap();
  if (stillIn.length > 0) {
    page.say(
      `The text ${dryRun ? 'would still be' : 'is still'} in these files (relative to ${folder}):`,
      page.style.bad,
    );
    for (const file of stillIn.slice(0, shownLines)) page.item('  ', `${file}${hintFor(file, page)}`);
    if (stillIn.length > shownLines) page.item('  ', `and ${stillIn.length - shownLines} more`);
    page.gap();
  }
  page.say('If it is a real credential, revoke it: whoever has seen it knows it. It may also still be');
  if (inGit) {
    page.item('  - ', 'in the git history, if these files were ever committed. To find the commits:');
    page.shell('      ', "git log --all --oneline -S '<the text>' -- '*.ndjson'");
    page.item(
      '    ',
      'to remove it from all of them, put the line <the text>==>[redacted] into replace.txt (this rewrites history, so everybody has to clone again):',
    );
    page.shell('      ', 'git filter-repo --replace-text replace.txt');
  }
  page.item(
    '  - ',
    `in other clones and copies of this folder${inGit ? '; if a merge brings the old lines back, no answer shows them, doctor reports them, and redact without a text removes them again' : ''}`,
  );
  page.item('  - ', 'in bundles and reports made from this session: make them again, and delete the old ones');
  page.item('  - ', 'in the chat of the agent, the logs of its client and provider, your shell history, and backups');
}

function hintFor(file: string, page: Page): string {
  const [, session] = /(?:^|\/)sessions\/([^/]+)\/segments\//u.exec(file) ?? [];
  if (session !== undefined) return ` (${page.inline(['redact', session])})`;
  if (/(?:^|\/)sessions\/[^/]+\/pins\//u.test(file))
    return ' (the compiled workflow of a run: remove the text from the workflow file, and start a new run)';
  if (/(?:^|\/)local\/trash\//u.test(file)) return ` (delete it permanently: ${page.inline(['prune'])})`;
  return '';
}
