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
    const message = `--${clientOnly} goes with --client <${clients}>`;
    return Promise.resolve(printUsageError(message, 'init', parsed.has('json'), environment));
  }
  return initProject(parsed, environment, table);
};

const trustProject = withRequests('init', async ({ requests, parsed, environment, reject, tell }) => {
  const folder = path.resolve(environment.workingFolder, parsed.text('trust') ?? '.');
  const done = await requests.people.trustProject({ folder });
  if (!done.ok) return reject(done.error);
  return tell(done.value, (page, { trusted, file }) => {
    page.say(`${trusted} is used from now on, whoever it belongs to. That stands in ${file}, under trustedFolders.`);
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
        ? `${short} is there already, and is as it should be.`
        : `${made ? 'Made' : 'Completed'} ${style.bold(short)}:`,
    );
    for (const file of files)
      out(`  ${path.relative(folder, file).padEnd(16)} ${own(explained, path.basename(file)) ?? ''}`);
    out('');
    out('Sessions that agents begin here are now kept in it, one folder each, in place of your own data folder.');
    if (repository === undefined) out('It lies in no git repository; nothing else depends on one.');
    else {
      out(`Commit it with the code: git add ${path.relative(workingFolder, folder) || '.workrail'}`);
      out('Two clones that work on one session merge without a conflict.');
      page.command('Before a push, look for credentials in what agents wrote: ', ['doctor', '--secrets']);
    }
    out("The project's own workflows go into its folder workflows/.");
    page.command('Next: connect an agent, such as Claude Code: ', ['init', '--client', 'claude-code']);
  });
});

const explained: Readonly<Record<string, string>> = {
  '.gitignore': 'keeps caches, locks and set-aside damage out of git',
  '.gitattributes': 'keeps git from touching line ends; merges are unions',
};
