import type { JsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CheckpointAnswer, ExecutionAnswer, InspectAnswer, ListAnswer } from '../../contract/answer.js';
import type { ResolveAnswer, WrittenAnswer } from '../../contract/author-answers.js';
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
import type { ResumeAnswer } from '../../contract/resume-answer.js';
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
}

/** Makes the call an agent would make. A refusal is told at once, and its exit code is all that is left of it. */
export async function ask<N extends keyof Answers>(
  command: RequestsContext,
  name: N,
  request: JsonObject,
): Promise<Result<Answers[N], ExitCode>> {
  const { rejection, answer } = await command.requests.call(name, request);
  const told: unknown = answer;
  if (rejection === undefined) return ok(told as Answers[N]);
  if (command.json) command.environment.out(JSON.stringify(answer));
  else
    printRejection(
      openPage(command.environment, { to: 'err', given: command.parsed }),
      command.name,
      rejection,
      answer['correlation_id'],
    );
  return err(exitCodeOf(rejection));
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
export async function askForAll<N extends 'list_workflows' | 'inspect_workflow' | 'list_catalogs'>(
  command: RequestsContext,
  name: N,
  request: JsonObject,
): Promise<Result<readonly Answers[N][], ExitCode>> {
  const pages: Answers[N][] = [];
  for (let cursor: string | undefined; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)?.nextCursor) {
    const page = await ask(command, name, { ...request, ...(cursor !== undefined && { cursor }) });
    if (!page.ok) return page;
    pages.push(page.value);
  }
  return ok(pages);
}
