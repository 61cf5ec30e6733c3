import { printUsageError } from '../shell/print-usage-error.js';
import path from 'node:path';
import { withRequests } from '../shell/with-requests.js';
import { clientTable } from './client-table.js';
import type { RunCommand } from '../shell/command.js';
import { printableLine } from '../print/printable.js';
import { initClient } from './init-client.js';
import { own } from '../../base/own.js';

/** Without a client, the project's own folder; with one, that client's configuration. */
export const runInit: RunCommand = (parsed, environment, table) => {
  const name = parsed.text('client');
  const clientOnly = ['write', 'undo', 'project', 'npx', 'force'].find((option) => parsed.has(option));
  if (name !== undefined) return Promise.resolve(initClient(name, parsed, environment));
  if (parsed.has('trust')) return trustProject(parsed, environment, table);
  if (clientOnly !== undefined) {
    const clients = clientTable.map((client) => client.name).join('|');
    const message = `--${clientOnly} needs --client <${clients}>`;
    return Promise.resolve(printUsageError(message, 'init', parsed.has('json'), environment));
  }
  return initProject(parsed, environment, table);
};

const trustProject = withRequests('init', async ({ requests, parsed, environment, reject, tell }) => {
  const folder = path.resolve(environment.workingFolder, parsed.text('trust') ?? '.');
  const done = await requests.people.trustProject({ folder });
  if (!done.ok) return reject(done.error);
  return tell(done.value, (page, { trusted, file }) => {
    page.say(`${trusted} is now trusted, whoever owns it. It is listed in ${file}, under trustedFolders.`);
  });
});

const initProject = withRequests('init', async ({ requests, parsed, environment, reject, tell }) => {
  const { style, workingFolder } = environment;
  const out = (line: string): void => environment.out(printableLine(line));
  const initialized = await requests.people.initWorkspace({ here: parsed.has('here') });
  if (!initialized.ok) return reject(initialized.error);
  return tell(initialized.value, (page, { folder, files, repository, made }) => {
    const short = path.relative(workingFolder, folder) || folder;
    out(
      files.length === 0
        ? `${short} already exists; nothing to do.`
        : `${made ? 'Created' : 'Completed'} ${style.bold(short)}:`,
    );
    for (const file of files)
      out(`  ${path.relative(folder, file).padEnd(16)} ${own(explained, path.basename(file)) ?? ''}`);
    out('');
    out('New sessions from here are now kept in it, one folder each, instead of in your own data folder.');
    if (repository === undefined) out('It is not in a git repository. That is fine: nothing depends on one.');
    else {
      out(`Commit it with the code: git add ${path.relative(workingFolder, folder) || '.workrail'}`);
      out('Two clones that work on one session merge without conflicts.');
      page.command('Before you push, scan what agents wrote for credentials: ', ['doctor', '--secrets']);
    }
    out("Put the project's own workflows into its folder workflows/.");
    page.command('Next: connect an agent, such as Claude Code: ', ['init', '--client', 'claude-code']);
  });
});

const explained: Readonly<Record<string, string>> = {
  '.gitignore': 'keeps caches, locks and quarantined files out of git',
  '.gitattributes': 'keeps line endings as they are, and merges without conflicts',
};
