import { Console } from 'node:console';
import path from 'node:path';
import { chooseTools } from '../../mcp/choose-tools.js';
import { serveStdio } from '../../mcp/serve-stdio.js';
import type { RunCommand } from '../shell/command.js';
import { exitCodes } from '../shell/exit-codes.js';
import { folderOptions, isFolder } from '../shell/folder-options.js';
import { requestsOptions } from '../shell/requests-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { askingSwitches, toolSwitches } from './tool-switches.js';

export const runMcp: RunCommand = async (parsed, environment) => {
  const { env, err, stdinIsTerminal, version, workingFolder } = environment;
  const log = (line: string): void => err(`workrail: ${line}`);
  const places = folderOptions(parsed, environment);
  const tools = chooseTools(toolSwitches(parsed, env), parsed.has('read-only'));
  if (!places.ok || !tools.ok) {
    const wrong = [places, tools].flatMap((result) => (result.ok ? [] : [result.error]));
    const { printUsageError } = await import('../shell/print-usage-error.js');
    return printUsageError(wrong.join('; '), 'mcp', false, environment);
  }
  keepStdoutClean();
  if (stdinIsTerminal)
    log('waiting for an MCP client on stdin. Clients start this command themselves (see README.md). Ctrl-D stops it.');
  await serveStdio({
    version,
    tools: tools.value,
    legacyNames: parsed.has('legacy-tool-names'),
    structuredContent: parsed.has('structured-content'),
    ...askingSwitches(parsed),
    workspace: places.value.workspace ?? projectFolder(environment, log),
    workingFolder,
    openRequests: async (workspace) => {
      const { openRequests } = await import('../../requests/requests.js');
      return openRequests({
        ...requestsOptions(environment, workspace, places.value.dataDir, tools.value),
        watch: true,
      });
    },
    stdin: process.stdin,
    stdout: process.stdout,
    log,
    stop: environment.interrupted(),
  });
  return exitCodes.done;
};

/** Claude Code starts its servers anywhere and names the project in the environment. */
function projectFolder({ env, workingFolder }: CliEnvironment, log: (line: string) => void): string | undefined {
  const { CLAUDE_PROJECT_DIR: named = '' } = env;
  if (named === '') return undefined;
  const folder = path.resolve(workingFolder, named);
  if (isFolder(folder)) return folder;
  log(`CLAUDE_PROJECT_DIR is not a folder: ${folder}`);
  return undefined;
}

/** stdout carries the protocol; whatever a dependency has to say goes to stderr. */
function keepStdoutClean(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}
