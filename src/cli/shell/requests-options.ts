import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestsOptions } from '../../requests/world/requests-options.js';
import { randomPool } from './random-pool.js';
import type { CliEnvironment } from '../print/cli-environment.js';

/** What requests are opened with. Here the clock and the randomness come in, and nowhere else. */
export function requestsOptions(
  environment: CliEnvironment,
  workspace: string,
  dataDir: string | undefined,
  offered: NonNullable<RequestsOptions['offered']>,
  commandLine?: RequestsOptions['commandLine'],
): RequestsOptions {
  const { env, home, packageFolder, version, err } = environment;
  return {
    workspace,
    dataDir,
    env,
    home,
    bundledWorkflows: path.join(packageFolder, 'workflows'),
    // Beside the bundled program, and nowhere else: loose modules may be newer than what was compiled with them.
    compiledWorkflows: fileURLToPath(new URL('compiled-workflows.json', import.meta.url)),
    version,
    now: () => new Date(),
    randomBytes: randomPool(),
    offered,
    ...(commandLine !== undefined && { commandLine }),
    log: (line) => err(`workrail: ${line}`),
  };
}
