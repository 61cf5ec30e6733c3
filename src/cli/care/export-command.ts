import path from 'node:path';
import { commandLine } from '../../base/sentence.js';
import type { SessionExported } from '../../contract/bundle-answers.js';
import { withRequests } from '../shell/with-requests.js';
import { byteWords } from '../print/byte-words.js';
import { exitCodes } from '../shell/exit-codes.js';
import { isFolder } from '../shell/folder-options.js';
import { openPage, type Page } from '../print/page.js';
import { showProgress } from '../print/show-progress.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { printSecrets } from '../print/print-secrets.js';
import { writeTo } from '../print/write-to.js';

export const runExport = withRequests('export', async ({ requests, parsed, environment, json, reject, misused }) => {
  const { out, workingFolder, stdout, stdoutIsTerminal, interrupted } = environment;
  const asked = parsed.text('output');
  if (asked === '-' && json)
    return misused('with -o - the bundle itself goes to stdout, so there is no place for --json');
  if (asked === '-' && stdoutIsTerminal)
    return misused('a bundle is no text for a terminal; name a file with -o, or send it on with a pipe');
  const { show, end } = showProgress(environment);
  const exported = await requests.people.exportSession({
    session: parsed.words[0],
    to: asked === '-' ? { write: writeTo(stdout) } : targetOf(asked, workingFolder),
    replace: parsed.has('force'),
    allowSecrets: parsed.has('allow-secrets'),
    progress: show,
    signal: interrupted(),
  });
  end();
  const page = openPage(environment, { to: asked === '-' || !exported.ok ? 'err' : 'out', given: parsed });
  if (!exported.ok) {
    if (!json) printSecrets(exported.error, page);
    return reject(exported.error);
  }
  if (json) out(JSON.stringify(exported.value));
  else tell(exported.value, page, environment);
  return exitCodes.done;
});

function targetOf(
  asked: string | undefined,
  workingFolder: string,
): { readonly file: string } | { readonly folder: string } {
  const place = asked === undefined ? workingFolder : path.resolve(workingFolder, asked);
  return asked === undefined || asked.endsWith('/') || isFolder(place) ? { folder: place } : { file: place };
}

function tell(
  { sessionId, file, size, bundle, secrets, warnings }: SessionExported,
  page: Page,
  { workingFolder }: CliEnvironment,
): void {
  const near = file === undefined ? undefined : path.relative(workingFolder, file);
  const shown = near === undefined ? undefined : near.startsWith('..') ? file : near;
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  page.say(
    `Exported ${sessionId}${shown === undefined ? '' : ` to ${shown}`}: ${byteWords(size)}, ${counted(bundle.lines, 'line')} of its log, ${counted(bundle.runs, 'run')}, ${counted(bundle.pins, 'workflow')}.`,
  );
  page.item('  bundle  ', bundle.bundleId);
  for (const warning of warnings) page.say(`Warning: ${warning}`, page.style.bad);
  if (secrets.length > 0)
    page.say(`Warning: it holds ${secrets.length} of what looks like a credential, as you allowed.`, page.style.bad);
  page.gap();
  page.say('Whoever you give it to takes it in with:');
  // Their places are not ours.
  page.shell('  ', commandLine(['workrail'], ['import', shown === undefined ? '-' : path.basename(shown)]));
}
