import type { JsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import { command } from '../../base/sentence.js';
import { confirm } from './confirm.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import type { RequestsContext } from './with-requests.js';

interface Confirmed {
  /** The call that is refused until somebody agrees. */
  readonly tool: 'delete_workflow' | 'remove_catalog';
  readonly args: JsonObject;
  readonly question: string;
  readonly nothingDone: string;
  /** The words of the command that does it without asking. */
  readonly sure: readonly string[];
}

/** The revision that a person agrees to take away, asked at their terminal; elsewhere `--yes` says so. */
export async function confirmedRevision(
  asked: RequestsContext,
  { tool, args, question, nothingDone, sure }: Confirmed,
): Promise<Result<string, ExitCode>> {
  const { parsed, reject, requests, environment, page, json } = asked;
  const { rejection } = await requests.call(tool, args);
  const revision = rejection?.context?.['revision'];
  if (rejection === undefined || rejection.code !== 'CONFIRMATION_REQUIRED' || typeof revision !== 'string') {
    if (rejection === undefined) throw new Error(`${tool} was done without being confirmed`);
    return err(reject(rejection));
  }
  if (parsed.has('yes')) return ok(revision);
  if (!environment.stdinIsTerminal || !environment.stdoutIsTerminal || json) {
    const { code, message } = rejection;
    return err(reject({ code, message, action: ['to do it: ', command(...sure, '--yes')] }));
  }
  page.say(`${rejection.message.split('; ').slice(0, -1).join('; ')}.`);
  if (await confirm(environment, question)) return ok(revision);
  page.say(nothingDone);
  return err(exitCodes.done);
}
