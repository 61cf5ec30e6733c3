import { hole } from '../../base/hole.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { either, sentenceText } from '../../base/sentence.js';
import type { CallProblem } from '../../calls/call-problem.js';
import { buildRequest } from '../../catalogs/build-request.js';
import { operationOfShape } from '../../catalogs/operation-of-shape.js';
import { secretsIn, secretsNamed } from '../../catalogs/secrets-named.js';
import { knownRequests } from '../../decide/commands/known-requests.js';
import { takeInputs } from '../../decide/take-inputs.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { everyStep } from '../../definitions/compiled/visit-steps.js';
import { addressOf, type OpenedCatalog } from '../../library/open-catalogs.js';
import { agreeToAddresses, unagreedOf } from '../world/agree-to-addresses.js';
import { callSettingsOf } from '../world/called-catalog.js';
import type { Environment } from '../world/environment.js';

const nothingStarted = 'no run was started';

/** Why the commands of a workflow could not be sent from here, as far as that is known before a run begins. */
export function whyNotReady(env: Environment, workflow: CompiledWorkflow, context: JsonObject): Rejection | undefined {
  const asked = new Set<string>();
  for (const { step } of everyStep(workflow.steps)) {
    if (step.kind !== 'run') continue;
    const operation = own(workflow.operations ?? {}, commandKey(step));
    const entry = env.catalogs.find(step.catalog);
    const opened = entry && env.catalogs.open(entry);
    // A catalog that is not here is a violation of the file, and told as such.
    if (operation === undefined || opened?.ok !== true) continue;
    const baseUrl = operation.baseUrl ?? addressOf(opened.value);
    if (baseUrl === undefined) return withoutAddress(step.catalog);
    const secrets = secretsIn([step.with ?? {}, step.body ?? null]);
    const key = JSON.stringify([step.catalog, baseUrl, secrets]);
    if (asked.has(key)) continue;
    asked.add(key);
    const why = notAllowed(env, opened.value, baseUrl) ?? withoutSecret(env, opened.value, baseUrl, secrets);
    if (why !== undefined) return why;
  }
  return asked.size === 0 ? undefined : notBuilt(workflow, context);
}

const withoutAddress = (catalogId: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `the catalog ${catalogId} has no address, so nothing can be sent to it; ${nothingStarted}`,
  action: [
    either(
      'set its baseUrl with configure_catalog',
      `set it: workrail catalogs configure ${catalogId} --base-url <url>`,
    ),
  ],
  nextCall: { tool: 'configure_catalog', arguments: { catalogId, baseUrl: hole('the address of the API') } },
  context: { catalogId },
});

/** The file of a project may allow what nobody has allowed on this machine. */
function notAllowed(env: Environment, { entry }: OpenedCatalog, baseUrl: string): Rejection | undefined {
  const missing = env.allowed.missing(entry);
  if (missing.length === 0 || !URL.canParse(baseUrl)) return undefined;
  const { host, hostname } = new URL(baseUrl);
  const needed = missing.filter((one) => one === host || one === hostname);
  if (needed.length === 0) return undefined;
  const refused: Rejection = {
    code: 'ADDRESS_REFUSED',
    message: `nothing can be sent to ${host} yet, so no run was started`,
    action: '',
    context: { catalogId: entry.id },
  };
  return agreeToAddresses(refused, unagreedOf(entry, needed));
}

/** One that its steps name, or that the catalog is called with. */
function withoutSecret(
  env: Environment,
  opened: OpenedCatalog,
  baseUrl: string,
  ofSteps: readonly string[],
): Rejection | undefined {
  const { id, settings } = opened.entry;
  const { auth } = settings;
  const tokenUrl = auth?.kind === 'client_credentials' ? auth.tokenUrl : undefined;
  const forTokens = tokenUrl === undefined ? [] : secretsNamed({ ...settings, headers: {} });
  const forCalls = [
    ...ofSteps,
    ...secretsNamed(tokenUrl === undefined ? settings : { ...settings, auth: { kind: 'none' } }),
  ];
  const wanted = [
    { names: forCalls, at: baseUrl },
    { names: forTokens, at: tokenUrl ?? baseUrl },
  ];
  for (const { names, at } of wanted) {
    const filled = env.calls
      .of(callSettingsOf(opened, at, env.allowed))
      .fill(names.map((name) => `\${{ secrets.${name} }}`));
    if (!filled.ok) return lacking(id, filled.error);
  }
  return undefined;
}

function lacking(catalogId: string, { message, action }: CallProblem): Rejection {
  const does = action.replace(/\.$/u, '').replace(/^[A-Z](?=[a-z])/u, (first) => first.toLowerCase());
  return {
    code: 'PRECONDITION_FAILED',
    message: `${message.replace(/\.$/u, '').replace(/^The /u, 'the ')}; ${nothingStarted}`,
    action: [either(`${does}; then make the same call again`, does.replace(/^ask the user to set/u, 'set'))],
    context: { catalogId },
  };
}

/** A request that could not be sent with these inputs, whatever else happens in the run. */
function notBuilt(workflow: CompiledWorkflow, context: JsonObject): Rejection | undefined {
  const { inputs, violations } = takeInputs(workflow, context);
  if (violations.length > 0) return undefined;
  for (const { step, command: name, filled } of knownRequests(workflow, inputs)) {
    const why = 'lacking' in filled ? noValue(filled.lacking) : notTaken(workflow, step, filled);
    if (why === undefined) continue;
    return {
      code: 'VALIDATION_ERROR',
      message: `${name} (step ${step.id}) cannot be sent with these inputs: ${why}; ${nothingStarted}`,
      action: 'correct the inputs; if they are right, correct the step in the workflow file',
      nextCall: { tool: 'inspect_workflow', arguments: { workflowId: workflow.id, mode: 'preview' } },
      context: { workflowId: workflow.id, stepId: step.id },
    };
  }
  return undefined;
}

const noValue = ({ expression, message }: { readonly expression: string; readonly message: string }): string =>
  `\`${expression}\` has no value: ${message}`;

function notTaken(
  { operations = {} }: CompiledWorkflow,
  step: RunStep,
  given: { readonly with: JsonObject; readonly body?: JsonValue },
): string | undefined {
  const operation = own(operations, commandKey(step));
  if (operation === undefined) return undefined;
  const { content } = step;
  const asked = { ...given, ...(content !== undefined && { content }), baseUrl: 'https://address.example' };
  const built = buildRequest(operationOfShape(operation), asked);
  return built.ok ? undefined : built.error.map(({ message }) => sentenceText(message)).join('; ');
}
