import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { either } from '../../base/sentence.js';
import { buildRequest } from '../../catalogs/build-request.js';
import type { BuiltRequest } from '../../catalogs/built-request.js';
import { type NextPage, nextPage, withLargePages } from '../../catalogs/next-page.js';
import type { Operation } from '../../catalogs/openapi-catalog.js';
import type { AnsweredCall, CallOutcome } from '../../calls/call-outcome.js';
import type { CallProblem } from '../../calls/call-problem.js';
import type { Calls, CatalogCalls } from '../../calls/open-calls.js';
import { agreeToAddresses, type Unagreed, unagreedOf } from './agree-to-addresses.js';
import type { AllowedAddresses } from './allowed-addresses.js';
import { baseUrlOf, callSettingsOf, noAddress } from './called-catalog.js';
import { evaluate, type Scope } from '../../definitions/expression/expression.js';
import { asText } from '../../definitions/expression/expression-values.js';
import type { Catalogs, OpenedCatalog } from '../../library/open-catalogs.js';

/** One value that an input may take, and what a person chooses it by. */
export interface Choice {
  readonly value: JsonValue;
  readonly label: string;
}

export interface FetchedChoices {
  readonly choices: readonly Choice[];
  /** Whether these are all there are. */
  readonly complete: boolean;
  readonly fetchedAt: string;
}

export interface FetchWorld {
  readonly catalogs: Catalogs;
  readonly calls: Calls;
  readonly allowed: AllowedAddresses;
  readonly now: () => Date;
  /** Drawn when it is first needed. */
  readonly secretMark: () => string;
}

interface Asked {
  readonly operation: Operation;
  readonly given: JsonObject;
  /** Stands in the holes for secrets that the author wrote: whoever gives inputs does not know it. */
  readonly mark: string;
  /** Expressions: where the list is, and what an item has to choose by. */
  readonly reading: { readonly items: string; readonly value: string; readonly label: string };
}

/** Asks a command for its list, page by page. */
export async function fetchedChoices(
  env: FetchWorld,
  opened: OpenedCatalog,
  { operation, given, reading, mark }: Asked,
): Promise<Result<FetchedChoices, Rejection>> {
  const command = `${opened.entry.id} ${operation.id}`;
  const baseUrl = baseUrlOf(opened, operation);
  if (baseUrl === undefined) return err(noAddress(opened.entry.id));
  const calls = env.calls.of(callSettingsOf(opened, baseUrl, env.allowed));
  const notAllowed = (): Unagreed => unagreedOf(opened.entry, env.allowed.missing(opened.entry));
  const choices = new Map<string, Choice>();
  let page: NextPage | undefined = { with: withLargePages(operation, given) };
  for (let count = 0; page !== undefined && count < limits.providerPages; count += 1) {
    const asked: NextPage = page;
    const built: Result<BuiltRequest, Rejection> =
      'url' in asked
        ? ok({ method: operation.method, url: asked.url, headers: [['accept', 'application/json']] })
        : requestOf(mark, calls, { operation, given: asked.with, baseUrl, command });
    if (!built.ok) return built;
    const answer = answered(command, await calls.send(built.value), calls, notAllowed);
    if (!answer.ok) return answer;
    const read = choicesIn(command, answer.value, reading);
    if (!read.ok) return read;
    const before = choices.size;
    for (const choice of read.value) {
      const key = JSON.stringify(choice.value);
      // Of two with the same value the first one stays: a person could not tell them apart by what they get.
      if (choices.size < limits.providerItems && !choices.has(key)) choices.set(key, choice);
    }
    const { url, headers, body } = answer.value;
    const parsed = body.kind === 'json' ? body.value : null;
    const next = nextPage(operation, 'with' in asked ? asked.with : given, {
      url,
      headers,
      body: parsed,
      items: read.value.length,
    });
    // A server that gives the same page again gives it for ever.
    page = choices.size === before ? undefined : next;
  }
  const complete = page === undefined && choices.size < limits.providerItems;
  return ok({ choices: [...choices.values()], complete, fetchedAt: env.now().toISOString() });
}

function requestOf(
  mark: string,
  calls: CatalogCalls,
  asked: {
    readonly operation: Operation;
    readonly given: JsonObject;
    readonly baseUrl: string;
    readonly command: string;
  },
): Result<BuiltRequest, Rejection> {
  const { operation, given, baseUrl, command } = asked;
  const filled = calls.fill(given, mark);
  if (!filled.ok) return err(rejectionOf(command, filled.error));
  const built = buildRequest(operation, { with: isJsonObject(filled.value) ? filled.value : {}, baseUrl });
  if (built.ok) return built;
  return err({
    code: 'VALIDATION_ERROR',
    message: `${command} does not take what the provider gives it`,
    action: 'correct `with` of the provider, or the inputs that it reads',
    violations: built.error,
  });
}

const rejectionOf = (command: string, { code, message, action }: CallProblem): Rejection => ({
  code,
  message: `${command}: ${message.replace(/\.$/u, '')}`,
  action: action.replace(/\.$/u, ''),
});

function answered(
  command: string,
  outcome: CallOutcome,
  calls: CatalogCalls,
  notAllowed: () => Unagreed,
): Result<AnsweredCall, Rejection> {
  if (outcome.kind !== 'answered') {
    const { problem } = outcome;
    const rejection = rejectionOf(command, problem);
    return err(problem.code === 'ADDRESS_REFUSED' ? agreeToAddresses(rejection, notAllowed()) : rejection);
  }
  const { status, body } = outcome;
  if (status >= 200 && status < 300) return ok(outcome);
  const said = body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'text' ? body.text : '';
  return err({
    code: 'COMMAND_FAILED',
    message: `${command} answered ${status}${said === '' ? '' : `: ${calls.mask(said).slice(0, limits.echo)}`}`,
    action:
      status === 401 || status === 403
        ? [
            either(
              'ask the user for the value, and whether the catalog has the right secret',
              'check the secrets of the catalog, or enter the value yourself',
            ),
          ]
        : [either('ask the user for the value', 'enter the value yourself')],
    context: { command, status },
  });
}

function choicesIn(
  command: string,
  { body, status, headers }: AnsweredCall,
  { items, value, label }: Asked['reading'],
): Result<readonly Choice[], Rejection> {
  const failed = (why: string): Result<never, Rejection> =>
    err({
      code: 'COMMAND_FAILED',
      message: `the answer of ${command} cannot be read: ${why}`,
      action: [
        'correct `items`, `value` or `label` of the provider, or ',
        either('ask the user for the value', 'enter the value yourself'),
      ],
      context: { command },
    });
  if (body.kind !== 'json') return failed('it is not JSON');
  const scope = (names: JsonObject): Scope => ({ inputs: {}, context: {}, outputs: {}, names });
  const list = evaluate(items, scope({ body: body.value, status, headers }));
  if (!list.ok) return failed(list.message);
  if (!Array.isArray(list.value)) return failed(`\`${items}\` is not a list`);
  const choices: Choice[] = [];
  for (const item of (list.value as readonly JsonValue[]).slice(0, limits.providerItems)) {
    const found = evaluate(value, scope({ item, body: body.value }));
    if (!found.ok) return failed(found.message);
    if (found.value === null) continue;
    const told = label === value ? found : evaluate(label, scope({ item, body: body.value }));
    choices.push({ value: found.value, label: asText(told.ok && told.value !== null ? told.value : found.value) });
  }
  return ok(choices);
}
