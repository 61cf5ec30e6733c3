import { errorText } from '../base/error-text.js';
import { limits } from '../base/limits.js';
import type { JsonObject } from '../base/json-value.js';
import type { Rejection } from '../base/rejection.js';
import { err, type Result } from '../base/result.js';
import type { DurableTasks } from '../contract/durable-tasks.js';
import { offeredCall } from '../contract/offered-call.js';
import { parseRequest } from '../contract/parse-request.js';
import type { Reply } from '../contract/reply.js';
import type { RequestName, RequestOf } from '../contract/request-schemas.js';
import { rejectionReply } from '../render/answers/rejection-reply.js';
import type { Resource } from './workflows/agent-resources.js';
import { catalogResources } from './catalogs/catalog-resources.js';
import { authorResources, workflowResource } from './author/author-resources.js';
import { deleteWorkflow } from './author/delete-workflow.js';
import { getWorkflow } from './author/get-workflow.js';
import { planSteps, previewInputs, previewRendered, resolveInputs } from './author/preview-requests.js';
import { renameWorkflow } from './author/rename-workflow.js';
import { saveWorkflow } from './author/save-workflow.js';
import { validateWorkflow } from './author/validate-workflow.js';
import { configureCatalog, removeCatalogRequest, setCatalogEnabled } from './catalogs/change-catalog.js';
import { importOpenapi, previewOpenapi } from './catalogs/import-openapi.js';
import { listProviderValues } from './catalogs/list-provider-values.js';
import { listCatalogs } from './catalogs/list-catalogs.js';
import { listProviders, searchCommands } from './catalogs/search-commands.js';
import { cancelRun } from './runs/cancel-run.js';
import { getRun } from './runs/get-run.js';
import { listRuns } from './runs/list-runs.js';
import { purgeHistory } from './runs/purge-history.js';
import { runWorkflow } from './runs/run-workflow.js';
import { settleCommand } from './runs/settle-command.js';
import { createState } from './states/create-state.js';
import { readState, showSchema } from './states/read-state.js';
import { waiveState } from './states/waive-state.js';
import { patchState, updateState } from './states/write-state.js';
import { validateOpenapi } from './catalogs/validate-openapi.js';
import { checkpointWorkflow } from './steps/checkpoint-workflow.js';
import { answerTask, cancelTask, getTask, listTasks } from './tasks/durable-tasks.js';
import { continueWorkflow } from './steps/continue-workflow.js';
import { type PeopleRequests, openPeopleRequests } from './people-requests.js';
import { type Askable, type Environment, openEnvironment } from './world/environment.js';
import { applyRetention } from './care/retention.js';
import { inspectWorkflow } from './workflows/inspect-workflow.js';
import { listWorkflows } from './workflows/list-workflows.js';
import type { Keys } from '../machine/keys.js';
import type { RequestsOptions } from './world/requests-options.js';
import { atQuietMoments, type QuietMoments } from './world/quiet-moments.js';
import { resumeSession } from './steps/resume-session.js';
import { startSession } from './steps/start-session.js';
import { startWorkflow } from './steps/start-workflow.js';
import { faultToRejection } from './world/fault-to-rejection.js';
import { tracedLog } from './world/trace.js';

/** What agents call, on every door. A reply is always data: nothing is thrown at a caller. */
export interface AgentRequests {
  call(name: RequestName, raw: unknown, askable?: Askable): Promise<Reply>;
  /** Calls that wait for a person, by their handles. */
  readonly tasks?: DurableTasks;
  /** What can be read by whoever writes workflows. */
  readonly resources?: {
    readonly list: () => Promise<readonly Resource[]>;
    readonly read: (uri: string) => Promise<Resource | undefined>;
  };
  close(): Promise<void>;
}

export interface Requests extends AgentRequests {
  readonly tasks: DurableTasks;
  /** What people ask: the command line and the web page. */
  readonly people: PeopleRequests;
  /** Begins nothing further of any run here. What changes something outside and is under way is waited for, a while. */
  endRuns(): Promise<void>;
  /** Puts a new key in charge of new tokens; tokens of the ones before go on working. `notKept` says why it ends with this process, where it does. */
  rotateKey(): { readonly id: string; readonly notKept?: string };
}

type Handlers = {
  readonly [N in RequestName]: (env: Environment, request: RequestOf<N>) => Promise<Result<Reply, Rejection>>;
};

const handlers: Handlers = {
  list_workflows: listWorkflows,
  inspect_workflow: inspectWorkflow,
  start_workflow: startWorkflow,
  continue_workflow: continueWorkflow,
  checkpoint_workflow: checkpointWorkflow,
  start_session: startSession,
  resume_session: resumeSession,
  get_workflow: getWorkflow,
  validate_workflow: validateWorkflow,
  save_workflow: saveWorkflow,
  rename_workflow: renameWorkflow,
  delete_workflow: deleteWorkflow,
  preview_inputs: previewInputs,
  preview_rendered: previewRendered,
  plan_steps: planSteps,
  resolve_inputs: resolveInputs,
  run_workflow: runWorkflow,
  get_run: getRun,
  list_runs: listRuns,
  cancel_run: cancelRun,
  purge_history: purgeHistory,
  settle_command: settleCommand,
  state_create: createState,
  state_read: readState,
  state_update: updateState,
  state_patch: patchState,
  state_waive: waiveState,
  state_schema: showSchema,
  search_commands: searchCommands,
  list_providers: listProviders,
  list_provider_values: listProviderValues,
  list_catalogs: listCatalogs,
  validate_openapi: validateOpenapi,
  preview_openapi: previewOpenapi,
  import_openapi: importOpenapi,
  set_catalog_enabled: setCatalogEnabled,
  configure_catalog: configureCatalog,
  remove_catalog: removeCatalogRequest,
};

export function openRequests(given: RequestsOptions): Requests {
  const options = { ...given, log: tracedLog(given.log) };
  const env = openEnvironment(options);
  const quiet = given.watch === true ? retentionAtQuietMoments(env, given) : undefined;
  return {
    async call(name, raw, askable) {
      const answered = quiet?.begin();
      try {
        const refused = env.refusal();
        const result = refused === undefined ? await handle({ ...env, ...askable }, name, raw) : err(refused);
        if (result.ok) return result.value;
        return rejectionReply(result.error, correlated(env, options, result.error), env.offered);
      } catch (cause) {
        const rejection = faultToRejection(cause);
        options.log(`${rejection.code} in ${name}: ${errorText(cause)}`);
        return rejectionReply(rejection, correlated(env, options, rejection), env.offered);
      } finally {
        answered?.();
      }
    },
    tasks: keptTasks(env, options),
    resources: {
      list: () => resourcesOf(env),
      read: async (uri) =>
        (await resourcesOf(env)).find((one) => one.uri === uri) ?? (await workflowResource(env, uri)),
    },
    people: openPeopleRequests(env, given.log),
    endRuns: () => env.drivers.close(),
    rotateKey: () => {
      const { id } = env.keys.rotate();
      const { notKept } = env.keys;
      return { id, ...(notKept !== undefined && { notKept }) };
    },
    close: async () => {
      await env.drivers.close();
      await quiet?.close();
      await env.library.close();
      env.register.close();
      await env.calls.close();
      await env.store.close();
    },
  };
}

/** Calls by their handles, told from the log. */
function keptTasks(env: Environment, options: RequestsOptions): DurableTasks {
  const told = async <T>(ask: (env: Environment) => Promise<Result<T, Rejection>>): Promise<Result<T, Reply>> => {
    const refuse = (rejection: Rejection): Result<T, Reply> =>
      err(rejectionReply(rejection, correlated(env, options, rejection), env.offered));
    try {
      const refused = env.refusal();
      const asked = refused === undefined ? await ask({ ...env, keys: lookedUpOnce(env.keys) }) : err(refused);
      return asked.ok ? asked : refuse(asked.error);
    } catch (cause) {
      const rejection = faultToRejection(cause);
      options.log(`${rejection.code} of a task: ${errorText(cause)}`);
      return refuse(rejection);
    }
  };
  return {
    get: (taskId, forms) => told((world) => getTask(world, taskId, forms)),
    answer: (taskId, said) => told((world) => answerTask(world, taskId, said)),
    cancel: (taskId) => told((world) => cancelTask(world, taskId)),
    list: (cursor) => told((world) => listTasks(world, cursor)),
  };
}

/** A server that lives long lets old sessions go between the calls, where its user wants that. */
function retentionAtQuietMoments(env: Environment, { now, log }: RequestsOptions): QuietMoments {
  return atQuietMoments(limits.quietMs, (goOn) =>
    applyRetention(env, now(), goOn, log).catch((cause: unknown) => log(`retention: ${errorText(cause)}`)),
  );
}

async function handle<N extends RequestName>(
  env: Environment,
  name: N,
  raw: unknown,
): Promise<Result<Reply, Rejection>> {
  const request = parseRequest(name, raw ?? {});
  if (!request.ok) return request;
  const result = await handlers[name]({ ...env, keys: lookedUpOnce(env.keys) }, request.value);
  if (result.ok || result.error.again === undefined) return result;
  const sent = JSON.parse(JSON.stringify(request.value)) as JsonObject;
  return err({ ...result.error, nextCall: offeredCall(name, sent, result.error.again) });
}

/** One request sees one set of keys, and looks for them once. */
function lookedUpOnce(keys: Keys): Keys {
  let known: ReturnType<Keys['all']> | undefined;
  let unread: string | undefined;
  const all = (): ReturnType<Keys['all']> => {
    if (known === undefined) [known, unread] = [keys.all(), keys.unread];
    return known;
  };
  return {
    get saved() {
      return keys.saved;
    },
    get notKept() {
      return keys.notKept;
    },
    /** What kept the keys of this request from being read may have passed since. */
    get unread() {
      return unread ?? keys.unread;
    },
    all,
    current: () => all()[0]!,
    rotate: () => keys.rotate(),
  };
}

/** The same id in the answer and in the log, to find one by the other. */
function correlated(env: Environment, { log }: RequestsOptions, { code, message }: Rejection): string {
  const id = env.randomId();
  log(`${id} ${code}: ${message}`);
  return id;
}

const resourcesOf = async (env: Environment) => [...(await authorResources(env)), ...catalogResources(env)];
