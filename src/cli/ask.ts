import type { JsonObject } from '../base/json-value.js';
import { err, ok, type Result } from '../base/result.js';
import type { CheckpointAnswer, ExecutionAnswer, InspectAnswer, ListAnswer, ResumeAnswer } from '../contract/answer.js';
import { type AtDesk, exitCodeOf } from './at-desk.js';
import type { ExitCode } from './exit-codes.js';
import { givenAgain, openPage } from './page.js';
import { printRejection } from './print-rejection.js';

/** What each request answers with, once it is not refused. */
interface Answers {
  readonly list_workflows: ListAnswer;
  readonly inspect_workflow: InspectAnswer;
  readonly start_workflow: ExecutionAnswer;
  readonly continue_workflow: ExecutionAnswer;
  readonly checkpoint_workflow: CheckpointAnswer;
  readonly resume_session: ResumeAnswer;
}

/** Makes the call an agent would make. A refusal is told at once, and its exit code is all that is left of it. */
export async function ask<N extends keyof Answers>(
  desk: AtDesk,
  name: N,
  request: JsonObject,
): Promise<Result<Answers[N], ExitCode>> {
  const { failed, answer } = await desk.requests.call(name, request);
  const told: unknown = answer;
  if (!failed) return ok(told as Answers[N]);
  if (desk.json) desk.surroundings.out(JSON.stringify(answer));
  else printRejection(openPage(desk.surroundings, { to: 'err', again: givenAgain(desk.parsed) }), desk.name, answer);
  return err(exitCodeOf({ code: answer['error_code'] }));
}

/** The same for a look whose refusal is told by a later call. */
export async function look<N extends keyof Answers>(
  desk: AtDesk,
  name: N,
  request: JsonObject,
): Promise<Answers[N] | undefined> {
  const { failed, answer } = await desk.requests.call(name, request);
  const told: unknown = answer;
  return failed ? undefined : (told as Answers[N]);
}
