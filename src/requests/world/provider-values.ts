import { digestOf } from '../../base/digest.js';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { either } from '../../base/sentence.js';
import type { Operation } from '../../catalogs/openapi-catalog.js';
import type { InputProvider } from '../../definitions/compiled/compiled-workflow.js';
import type { Scope } from '../../definitions/expression/expression.js';
import { asText } from '../../definitions/expression/expression-values.js';
import { filledValue } from '../../definitions/expression/filled-value.js';
import { disabledCatalog, type OpenedCatalog } from '../../library/open-catalogs.js';
import { fetchedChoices, type FetchedChoices, type FetchWorld } from './fetched-choices.js';

export interface Choices extends FetchedChoices {
  readonly fromCache: boolean;
  /** They are older than they should be: asking again failed. */
  readonly stale?: Rejection;
}

/** Which inputs have to be given before. */
export interface NeedsInputs {
  readonly needs: readonly string[];
}

/** The choices of inputs, asked for once in a while. */
export interface ProviderValues {
  of(provider: InputProvider, inputs: JsonObject): Promise<Result<Choices | NeedsInputs, Rejection>>;
}

interface Kept {
  readonly at: number;
  readonly list: FetchedChoices;
}

export function openProviderValues(env: FetchWorld): ProviderValues {
  const kept = new Map<string, Kept>();
  let mark: string | undefined;
  const asking = new Map<string, Promise<Result<FetchedChoices, Rejection>>>();
  const keep = (key: string, list: FetchedChoices): void => {
    kept.delete(key);
    kept.set(key, { at: env.now().getTime(), list });
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.providersKept) break;
      kept.delete(oldest);
    }
  };
  return {
    async of(provider, inputs) {
      mark ??= env.secretMark();
      const asked = askedOf(env, provider, inputs, mark);
      if (!asked.ok || 'needs' in asked.value) return asked as Result<NeedsInputs, Rejection>;
      const { opened, operation, given } = asked.value;
      const { items = 'body', value, label = value, onError } = provider;
      const reading = { items, value, label };
      const key = digestOf({ revision: opened.entry.revision, command: operation.id, given, ...reading });
      const known = kept.get(key);
      if (known !== undefined && env.now().getTime() - known.at < limits.providerMs)
        return ok({ ...known.list, fromCache: true });
      let under = asking.get(key);
      if (under === undefined) {
        under = fetchedChoices(env, opened, { operation, given, reading, mark }).finally(() => asking.delete(key));
        asking.set(key, under);
      }
      const found = await under;
      if (found.ok) {
        keep(key, found.value);
        return ok({ ...found.value, fromCache: false });
      }
      return onError === 'stale' && known !== undefined
        ? ok({ ...known.list, fromCache: true, stale: found.error })
        : found;
    },
  };
}

interface Asked {
  readonly opened: OpenedCatalog;
  readonly operation: Operation;
  /** Its parameters; secrets stand in them by their names. */
  readonly given: JsonObject;
}

/** The command that a provider names, as it is now, with what it is given. */
function askedOf(
  env: FetchWorld,
  { catalog, command, with: given = {} }: InputProvider,
  inputs: JsonObject,
  mark: string,
): Result<Asked | NeedsInputs, Rejection> {
  const unusable = (why: string): Result<never, Rejection> =>
    err({
      code: 'CATALOG_INVALID',
      message: `${catalog} ${command} cannot be called: ${why}`,
      action: [
        either(
          'ask the user for the value, or have the catalog mended',
          'enter the value yourself, or fix the catalog',
        ),
      ],
      context: { catalogId: catalog },
    });
  const entry = env.catalogs.find(catalog);
  if (entry === undefined) return unusable(`there is no catalog \`${catalog}\``);
  if (!entry.settings.enabled) return unusable(entry.problem ?? disabledCatalog(catalog));
  const opened = env.catalogs.open(entry);
  if (!opened.ok) return unusable(opened.error);
  const operation = opened.value.operation(command);
  if (operation === undefined) return unusable('there is no such command');
  // A provider is asked again and again, before anybody agreed to anything.
  if (operation.safety !== 'safe') return unusable('it changes something');
  const scope: Scope = { inputs, context: {}, outputs: {}, names: {} };
  const filled = filledValue(given, scope, (source) =>
    /^secrets\.\w+$/u.test(source) ? `\${{ ${source} ${mark} }}` : undefined,
  );
  const needs = [...new Set(filled.problems.flatMap(({ expression }) => namesIn(expression, inputs)))];
  if (needs.length > 0) return ok({ needs });
  const [problem] = filled.problems;
  if (problem !== undefined) return unusable(`\`${problem.expression}\` has no value: ${problem.message}`);
  return ok({ opened: opened.value, operation, given: isJsonObject(filled.value) ? filled.value : {} });
}

/** The inputs that an expression reads and that are not given yet. */
const namesIn = (expression: string, inputs: JsonObject): readonly string[] =>
  [...expression.matchAll(/\binputs\.([A-Za-z_]\w*)/gu)].flatMap(([, name = '']) =>
    own(inputs, name) === undefined ? [name] : [],
  );

/** Choices whose label or value has the words. */
export function matchingChoices({ choices }: FetchedChoices, query: string): FetchedChoices['choices'] {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const text = ({ label, value }: FetchedChoices['choices'][number]): string =>
    `${label} ${asText(value)}`.toLowerCase();
  return words.length === 0 ? choices : choices.filter((one) => words.every((word) => text(one).includes(word)));
}
