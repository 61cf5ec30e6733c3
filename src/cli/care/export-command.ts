import path from 'node:path';
import { plural } from '../../base/plural.js';
import { commandLine } from '../../base/sentence.js';
import type { SessionExported } from '../../contract/bundle-answers.js';
import { withRequests } from '../shell/with-requests.js';
import { byteWords } from '../print/byte-words.js';
import { nearName, outputPlace } from '../shell/output-place.js';
import { openPage, type Page } from '../print/page.js';
import { showProgress } from '../print/show-progress.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { writeTo } from '../print/write-to.js';

export const runExport = withRequests(
  'export',
  async ({ requests, parsed, environment, json, reject, misused, tell }) => {
    const { workingFolder, stdout, stdoutIsTerminal, interrupted } = environment;
    const asked = parsed.text('output');
    if (asked === '-' && json) return misused('-o - writes the bundle to stdout, so it cannot be combined with --json');
    if (asked === '-' && stdoutIsTerminal)
      return misused('a bundle is binary and cannot be printed to a terminal; name a file with -o, or use a pipe');
    const { show, end } = showProgress(environment);
    const exported = await requests.people.exportSession({
      session: parsed.words[0],
      to: asked === '-' ? { write: writeTo(stdout) } : outputPlace(asked ?? '.', workingFolder),
      replace: parsed.has('force'),
      allowSecrets: parsed.has('allow-secrets'),
      progress: show,
      signal: interrupted(),
    });
    end();
    if (!exported.ok) return reject(exported.error);
    const besideBytes = asked === '-' ? openPage(environment, { to: 'err', given: parsed }) : undefined;
    return tell(exported.value, (page, answer) => printExported(besideBytes ?? page, answer, environment));
  },
);

function printExported(
  page: Page,
  { sessionId, file, size, bundle, secrets, warnings }: SessionExported,
  { workingFolder }: CliEnvironment,
): void {
  const shown = file === undefined ? undefined : nearName(file, workingFolder);
  page.say(
    `Exported ${sessionId}${shown === undefined ? '' : ` to ${shown}`}: ${byteWords(size)}, ${plural(bundle.lines, 'log line')}, ${plural(bundle.runs, 'run')}, ${plural(bundle.pins, 'workflow')}.`,
  );
  page.item('  bundle  ', bundle.bundleId);
  for (const warning of warnings) page.say(`Warning: ${warning}`, page.style.bad);
  if (secrets.length > 0)
    page.say(`Warning: it contains ${plural(secrets.length, 'possible credential')}, as you allowed.`, page.style.bad);
  page.gap();
  page.say('To import it:');
  // Their places are not ours.
  page.shell('  ', commandLine(['workrail'], ['import', shown === undefined ? '-' : path.basename(shown)]));
}
