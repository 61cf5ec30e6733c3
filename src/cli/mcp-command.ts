import { Console } from 'node:console';
import path from 'node:path';
import { chooseTools } from '../mcp/choose-tools.js';
import { serveStdio } from '../mcp/serve-stdio.js';
import type { RunCommand } from './command.js';
import { exitCodes } from './exit-codes.js';
import { givenPlaces, isFolder } from './given-places.js';
import { requestsOptions } from './requests-options.js';
import type { Surroundings } from './surroundings.js';
import { toolSwitches } from './tool-switches.js';

export const runMcp: RunCommand = async (parsed, surroundings) => {
  const { env, err, stdinIsTerminal, version, workingFolder } = surroundings;
  const log = (line: string): void => err(`workrail: ${line}`);
  const places = givenPlaces(parsed, surroundings);
  const tools = chooseTools(toolSwitches(parsed, env));
  if (!places.ok || !tools.ok) {
    for (const result of [places, tools]) if (!result.ok) err(`workrail mcp: ${result.error}`);
    err('See: workrail help mcp');
    return exitCodes.usage;
  }
  keepStdoutClean();
  if (stdinIsTerminal)
    log(
      'waiting for an MCP client to speak on stdin; clients start this command themselves (README.md says how). Ctrl-D ends it.',
    );
  await serveStdio({
    version,
    tools: tools.value,
    legacyNames: parsed.has('legacy-tool-names'),
    structuredContent: parsed.has('structured-content'),
    workspace: places.value.workspace ?? projectFolder(surroundings, log),
    workingFolder,
    openRequests: async (workspace) => {
      const { openRequests } = await import('../requests/requests.js');
      return openRequests({
        ...requestsOptions(surroundings, workspace, places.value.dataDir, tools.value),
        watch: true,
      });
    },
    stdin: process.stdin,
    stdout: process.stdout,
    log,
    stop: surroundings.interrupted(),
  });
  return exitCodes.done;
};

/** Claude Code starts its servers anywhere and names the project in the environment. */
function projectFolder({ env, workingFolder }: Surroundings, log: (line: string) => void): string | undefined {
  const { CLAUDE_PROJECT_DIR: named = '' } = env;
  if (named === '') return undefined;
  const folder = path.resolve(workingFolder, named);
  if (isFolder(folder)) return folder;
  log(`CLAUDE_PROJECT_DIR names no folder: ${folder}`);
  return undefined;
}

/** stdout carries the protocol; whatever a dependency has to say goes to stderr. */
function keepStdoutClean(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
}
