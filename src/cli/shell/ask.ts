import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CheckpointAnswer, ExecutionAnswer, InspectAnswer, ListAnswer } from '../../contract/answer.js';
import type { PlanAnswer, RenderedAnswer, ResolveAnswer, WrittenAnswer } from '../../contract/author-answers.js';
import type {
  CatalogChanged,
  CatalogsAnswer,
  CommandAnswer,
  CommandsAnswer,
  DocumentTold,
  ImportAnswer,
  ImportPreview,
  ProvidersAnswer,
  ProviderValuesAnswer,
} from '../../contract/tools/catalog-answers.js';
import type { Reply } from '../../contract/reply.js';
import type { ResumeAnswer } from '../../contract/resume-answer.js';
import type { RunAnswer, RunsAnswer } from '../../contract/run-answers.js';
import { type RequestsContext, exitCodeOf } from './with-requests.js';
import type { ExitCode } from './exit-codes.js';
import { openPage } from '../print/page.js';
import { printRejection } from '../print/print-rejection.js';

/** What each request answers with, once it is not refused. */
interface Answers {
  readonly list_workflows: ListAnswer;
  readonly inspect_workflow: InspectAnswer;
  readonly start_workflow: ExecutionAnswer;
  readonly continue_workflow: ExecutionAnswer;
  readonly checkpoint_workflow: CheckpointAnswer;
  readonly resume_session: ResumeAnswer;
  readonly resolve_inputs: ResolveAnswer;
  readonly list_provider_values: ProviderValuesAnswer;
  readonly save_workflow: WrittenAnswer;
  readonly rename_workflow: WrittenAnswer;
  readonly delete_workflow: WrittenAnswer;
  readonly list_catalogs: CatalogsAnswer;
  readonly validate_openapi: DocumentTold;
  readonly preview_openapi: ImportPreview;
  readonly import_openapi: ImportAnswer;
  readonly set_catalog_enabled: CatalogChanged;
  readonly configure_catalog: CatalogChanged;
  readonly remove_catalog: CatalogChanged;
  readonly search_commands: CommandsAnswer | CommandAnswer;
  readonly list_providers: ProvidersAnswer;
  readonly plan_steps: PlanAnswer;
  readonly preview_rendered: RenderedAnswer;
  readonly run_workflow: RunAnswer;
  readonly get_run: RunAnswer;
  readonly list_runs: RunsAnswer;
  readonly cancel_run: RunAnswer;
  readonly settle_command: RunAnswer;
}

/** Makes the call an agent would make. A refusal is told at once, and its exit code is all that is left of it. */
export async function ask<N extends keyof Answers>(
  command: RequestsContext,
  name: N,
  request: JsonObject,
): Promise<Result<Answers[N], ExitCode>> {
  const reply = await watched(command, name, request);
  const told: unknown = reply.answer;
  return reply.rejection === undefined ? ok(told as Answers[N]) : err(tellRefused(command, reply, reply.rejection));
}

/** The same, where what is refused is still to be told. */
export async function tryToAsk<N extends keyof Answers>(
  command: RequestsContext,
  name: N,
  request: JsonObject,
): Promise<Result<Answers[N], Rejection>> {
  const { rejection, answer } = await command.requests.call(name, request, follows);
  const told: unknown = answer;
  return rejection === undefined ? ok(told as Answers[N]) : err(rejection);
}

/** Whoever stands at the command line watches what this process does. */
const follows = { follows: true };

/** Steps that take long are shown while they do. */
async function watched(
  { requests, environment }: RequestsContext,
  name: keyof Answers,
  request: JsonObject,
): Promise<Reply> {
  let isShown = false;
  const progress = (_: number, message: string): void => {
    isShown = true;
    environment.progress(`Running: ${message}`);
  };
  const shows = name === 'start_workflow' || name === 'continue_workflow';
  const reply = await requests.call(name, request, shows ? { ...follows, progress } : follows);
  if (isShown) environment.progress('');
  return reply;
}

function tellRefused(command: RequestsContext, { answer }: Reply, rejection: Rejection): ExitCode {
  if (command.json) command.environment.out(JSON.stringify(answer));
  else
    printRejection(
      openPage(command.environment, { to: 'err', given: command.parsed }),
      command.name,
      rejection,
      answer['correlation_id'],
    );
  return exitCodeOf(rejection);
}

/** The same for a look whose refusal is told by a later call. */
export async function look<N extends keyof Answers>(
  command: RequestsContext,
  name: N,
  request: JsonObject,
): Promise<Answers[N] | undefined> {
  const { failed, answer } = await command.requests.call(name, request);
  const told: unknown = answer;
  return failed ? undefined : (told as Answers[N]);
}

/** Every page of an answer: an agent reads page by page, what the command line prints is whole. */
export async function askForAll<
  N extends 'list_workflows' | 'inspect_workflow' | 'list_catalogs' | 'plan_steps' | 'preview_rendered',
>(command: RequestsContext, name: N, request: JsonObject): Promise<Result<readonly Answers[N][], ExitCode>> {
  const pages: Answers[N][] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    const page = await ask(command, name, { ...request, ...(cursor !== undefined && { cursor }) });
    if (!page.ok) return page;
    pages.push(page.value);
  }
  return ok(pages);
}
