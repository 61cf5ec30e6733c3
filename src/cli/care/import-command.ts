import { plural } from '../../base/plural.js';
import { command } from '../../base/sentence.js';
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import type { BundleImported, LinesHidden } from '../../contract/bundle-answers.js';
import { confirm } from '../shell/confirm.js';
import { withRequests } from '../shell/with-requests.js';
import type { Page } from '../print/page.js';
import { showProgress } from '../print/show-progress.js';

export const runImport = withRequests('import', async (asked) => {
  const { requests, parsed, environment, json, page, reject, misused, tell } = asked;
  const { workingFolder, stdin, stdinIsTerminal, interrupted } = environment;
  const [word] = parsed.words;
  if (word === undefined) return misused('which file?');
  if (word === '-' && stdinIsTerminal) return misused('stdin is a terminal; name a file, or pipe a bundle in');
  const file = path.resolve(workingFolder, word);
  const stat = word === '-' ? undefined : statSync(file, { throwIfNoEntry: false });
  if (word !== '-' && stat?.isFile() !== true) {
    return reject({
      code: 'NOT_FOUND',
      message: `${file} ${stat === undefined ? 'does not exist' : 'is not a file'}`,
      action: ['name a file made by workrail export: ', command('import', '<file>')],
      context: { file },
    });
  }
  const { show, end } = showProgress(environment);
  const signal = interrupted();
  const imported = await requests.people.importBundle({
    bytes: addAbortSignal(signal, word === '-' ? (stdin as Readable) : createReadStream(file)) as AsyncIterable<Buffer>,
    size: stat?.size,
    merge: parsed.has('merge'),
    agree: async (hidden) => {
      if (parsed.has('hide-redacted')) return true;
      if (json || word === '-' || !stdinIsTerminal) return false;
      end();
      tellHidden(hidden, page);
      return confirm(environment, 'Merge and hide these lines?');
    },
    progress: show,
    signal,
  });
  end();
  return imported.ok ? tell(imported.value, printImported) : reject(imported.error);
});

const shownLines = 20;

function tellHidden({ sessionId, lines, count }: LinesHidden, page: Page): void {
  page.say(`The bundle marks ${plural(count, 'line')} in your copy of ${sessionId} as redacted:`);
  for (const { file, line, event, kind, at } of lines.slice(0, shownLines))
    page.item('  ', `${file} line ${line}: ${kind} of ${at}, ${event}`);
  if (count > shownLines) page.say(`  and ${count - shownLines} more`);
}

function printImported(page: Page, answer: BundleImported): void {
  const { sessionId, bundle, resume, warnings } = answer;
  page.say(outcomeOf(answer));
  if (bundle.title !== undefined) page.item('  title   ', bundle.title);
  page.item('  bundle  ', bundle.bundleId);
  for (const warning of warnings) page.say(`Warning: ${warning}`, page.style.bad);
  page.gap();
  page.say('Read what was done:');
  page.command('  ', ['show', sessionId]);
  page.say(`To continue with an agent: resume_session ${JSON.stringify(resume)}`);
}

function outcomeOf({ outcome, sessionId, bundle, merged, place }: BundleImported): string {
  const where =
    place === 'project' ? "the project's sessions" : place === 'user' ? 'your own sessions' : 'the folder you named';
  const holds = `${plural(bundle.lines, 'log line')}, ${plural(bundle.runs, 'run')}, ${plural(bundle.pins, 'workflow')}`;
  switch (outcome) {
    case 'imported':
      return `Imported ${sessionId} into ${where}: ${holds}.`;
    case 'imported_as_new':
      return `Imported as ${sessionId} into ${where}, because ${bundle.exportedAs} is another session: ${holds}. If it is the same work, --merge combines them.`;
    case 'merged':
      return `Merged into ${sessionId}: ${plural(merged?.added ?? 0, 'new segment')}, ${merged?.grown ?? 0} extended. If both sides continued, both branches are kept.`;
    case 'already_here':
      return `${sessionId} already has all of it; nothing changed.`;
  }
}
