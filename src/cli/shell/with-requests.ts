import { toolCatalogue } from '../../contract/tool-catalogue.js';
import type { Rejection } from '../../base/rejection.js';
import { type Requests, openRequests } from '../../requests/requests.js';
import type { RunCommand } from './command.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { folderOptions } from './folder-options.js';
import { openPage, type Page } from '../print/page.js';
import { printRejection } from '../print/print-rejection.js';
import { printSecrets } from '../print/print-secrets.js';
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
  readonly json: boolean;
  /** Where the command prints for people. */
  readonly page: Page;
  /** Prints what came of it, as JSON or for people, and gives the exit code. */
  readonly tell: <T>(
    value: T,
    print: (page: Page, value: T) => void,
    code?: ExitCode,
    asJson?: (value: T) => string,
  ) => ExitCode;
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
    const misused = (message: string): ExitCode => printUsageError(message, name, json, environment, parsed);
    const places = folderOptions(parsed, environment);
    if (!places.ok) return misused(places.error);
    const workspace = places.value.workspace ?? workingFolder;
    const quiet = {
      ...environment,
      err: (line: string): void => (line.startsWith('workrail: ') && !parsed.has('verbose') ? undefined : err(line)),
    };
    const page = openPage(environment, { given: parsed });
    const offered = new Set(toolCatalogue.map((tool) => tool.name));
    const requests = openRequests({
      ...requestsOptions(quiet, workspace, places.value.dataDir, offered, page.inline),
      person: 'terminal',
    });
    const tell: RequestsContext['tell'] = (value, print, code = exitCodes.done, asJson = JSON.stringify) => {
      if (json) out(asJson(value));
      else print(page, value);
      return code;
    };
    const reject = (rejection: Rejection): ExitCode => {
      if (json) out(JSON.stringify(rejectionPayload(rejection, (sentence) => page.words(sentence))));
      else {
        const errors = openPage(environment, { to: 'err', given: parsed });
        printSecrets(rejection, errors);
        printRejection(errors, name, rejection);
      }
      return exitCodeOf(rejection);
    };
    try {
      return await run({ name, requests, parsed, environment, json, page, tell, reject, misused });
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
