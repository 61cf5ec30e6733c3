import { toolCatalogue } from '../../contract/tool-catalogue.js';
import type { Rejection } from '../../base/rejection.js';
import { type Requests, openRequests } from '../../requests/requests.js';
import type { RunCommand } from './command.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { folderOptions } from './folder-options.js';
import { openPage } from '../print/page.js';
import { printRejection } from '../print/print-rejection.js';
import type { ParsedOptions } from './parse-options.js';
import { requestsOptions } from './requests-options.js';
import { rejectionPayload } from './rejection-payload.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { printUsageError } from './print-usage-error.js';

export interface RequestsContext {
  /** The command's. */
  readonly name: string;
  readonly requests: Requests;
  readonly parsed: ParsedOptions;
  readonly environment: CliEnvironment;
  readonly workspace: string;
  readonly json: boolean;
  /** Tells a rejection and gives the exit code that goes with it. */
  readonly reject: (rejection: Rejection) => ExitCode;
  /** A mistake in the command line. */
  readonly misused: (message: string) => ExitCode;
}

/** A command that makes requests: opens them where the options say, tells what is refused, and closes. */
export function withRequests(name: string, run: (command: RequestsContext) => Promise<ExitCode>): RunCommand {
  return async (parsed, environment) => {
    const { err, out, workingFolder } = environment;
    const json = parsed.has('json');
    const misused = (message: string): ExitCode => printUsageError(message, name, json, environment);
    const places = folderOptions(parsed, environment);
    if (!places.ok) return misused(places.error);
    const workspace = places.value.workspace ?? workingFolder;
    const quiet = {
      ...environment,
      err: (line: string): void => (line.startsWith('workrail: ') && !parsed.has('verbose') ? undefined : err(line)),
    };
    const requests = openRequests(
      requestsOptions(
        quiet,
        workspace,
        places.value.dataDir,
        new Set(toolCatalogue.map((tool) => tool.name)),
        openPage(environment, { given: parsed }).inline,
      ),
    );
    const reject = (rejection: Rejection): ExitCode => {
      if (json) out(JSON.stringify(rejectionPayload(rejection)));
      else printRejection(openPage(environment, { to: 'err', given: parsed }), name, rejection);
      return exitCodeOf(rejection);
    };
    try {
      return await run({ name, requests, parsed, environment, workspace, json, reject, misused });
    } finally {
      await requests.close();
    }
  };
}

export function exitCodeOf({ code }: { readonly code: unknown }): ExitCode {
  switch (code) {
    case 'STORAGE_FAULT':
    case 'INTERNAL':
      return exitCodes.fault;
    case 'SESSION_DAMAGED':
    case 'SESSION_NEWER_FORMAT':
      return exitCodes.damage;
    default:
      return exitCodes.rejected;
  }
}
