import { byteLength } from '../../base/byte-budget.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import { hole } from '../../base/hole.js';
import { either } from '../../base/sentence.js';
import type { NextCall, Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { operationShapeOf } from '../../catalogs/operation-shape-of.js';
import { fitSchemas } from '../../catalogs/fit-schemas.js';
import { exampleStep } from '../../catalogs/example-step.js';
import type { Operation, Parameter } from '../../catalogs/openapi-catalog.js';
import { closestNames } from '../../base/closest-name.js';
import type { CommandAnswer, FoundCommand, ProviderListed } from '../../contract/tools/catalog-answers.js';
import type { Reply } from '../../contract/reply.js';
import { asJson } from '../../contract/reply-with.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { isRepeatable } from '../../definitions/compiled/operation-shape.js';
import { commandParts } from '../../definitions/compiled/command-lookup.js';
import { addressOf, type OpenedCatalog } from '../../library/open-catalogs.js';
import {
  type CatalogsSearched,
  commandReply,
  commandsReply,
  providersReply,
} from '../../respond/catalogs/command-replies.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { listed } from './import-openapi.js';
import { unknownCatalog } from './catalog-folder.js';
import type { JsonObject } from '../../base/json-value.js';

/** The commands of all catalogs, and workflows, by what somebody would type; or one with all there is to know of it. */
export async function searchCommands(
  env: Environment,
  request: RequestOf<'search_commands'>,
): Promise<Result<Reply, Rejection>> {
  const { query = '', catalog, commandId, safety, cursor } = request;
  if (commandId !== undefined) return oneCommand(env, commandId, catalog);
  const from = readCursor(cursor);
  if (from === undefined) return err(wrongCursor('search_commands', cursor ?? ''));
  if (catalog !== undefined && env.catalogs.find(catalog) === undefined)
    return err(unknownCatalog(env, catalog, '/catalog'));
  const found = env.catalogs.search().find(query, { catalog, safety });
  const fitting = query.trim() === '' ? undefined : found.filter(({ fits }) => fits).length;
  const workflows = catalog === undefined && safety === undefined && from === 0 ? await workflowsFor(env, query) : [];
  const commands = found
    .slice(from, from + (fitting === 0 ? closestShown : limits.commandsShown))
    .map(({ catalog: id, operation }): FoundCommand => ({ kind: 'command', ...listed(id, operation) }));
  const shown = withinBytes([...commands, ...workflows]);
  const next = from + shown.filter(({ kind }) => kind === 'command').length;
  const [first] = shown;
  return ok(
    commandsReply(
      {
        commands: shown,
        total: found.length,
        ...(fitting !== undefined && { fitting }),
        ...(next < found.length && next > from && { nextCursor: String(next) }),
        ...(first !== undefined && { nextCall: callAfter(first, fitting) }),
      },
      request,
      catalogsSearched(env, catalog),
    ),
  );
}

function callAfter({ kind, command }: FoundCommand, fitting: number | undefined): NextCall {
  if (kind === 'workflow') return { tool: 'inspect_workflow', arguments: { workflowId: command } };
  const asked = fitting === 0 ? { query: hole('the same in other words') } : { commandId: command };
  return { tool: 'search_commands', arguments: asked };
}

/** Where nothing fits, these are for a look. */
const closestShown = 5;

/** A page of them fits into 8 KB. */
function withinBytes<T extends object>(all: readonly T[]): readonly T[] {
  let left = limits.commandsBytes;
  return all.filter((one, at) => {
    left -= byteLength(JSON.stringify(one));
    return at === 0 || left >= 0;
  });
}

/** Workflows are called by other workflows as commands are run. */
async function workflowsFor(env: Environment, query: string): Promise<readonly FoundCommand[]> {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word.length > 2);
  if (words.length === 0) return [];
  const all = await env.library.list();
  return all
    .flatMap(({ id, title, description, violations }) => {
      const text = `${id} ${title} ${description}`.toLowerCase();
      const hits = words.filter((word) => text.includes(word)).length;
      return violations.length === 0 && hits === words.length ? [{ id, title }] : [];
    })
    .slice(0, 3)
    .map(({ id, title }): FoundCommand => ({ kind: 'workflow', command: id, summary: title }));
}

function oneCommand(env: Environment, commandId: string, inCatalog: string | undefined): Result<Reply, Rejection> {
  const parts = commandParts(
    inCatalog !== undefined && !commandId.startsWith(`${inCatalog} `) ? `${inCatalog} ${commandId}` : commandId,
  );
  const bare =
    parts === undefined || env.catalogs.find(parts.catalog) === undefined ? byBareName(env, commandId) : undefined;
  const name = bare ?? parts;
  if (name === undefined) return err(unknownCommand(env, commandId));
  const entry = env.catalogs.find(name.catalog);
  if (entry === undefined) return err(unknownCommand(env, commandId));
  const opened = env.catalogs.open(entry);
  const why = entry.problem ?? (opened.ok ? undefined : opened.error);
  if (why !== undefined || !entry.settings.enabled) return err(notOffered(env, entry.id, why));
  const operation = opened.ok ? opened.value.operation(name.command) : undefined;
  return opened.ok && operation !== undefined
    ? ok(commandReply(commandTold(opened.value, operation)))
    : err(unknownCommand(env, commandId, opened.ok ? opened.value : undefined));
}

const notOffered = (env: Environment, id: string, why: string | undefined): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `the catalog ${id} ${why === undefined ? 'is disabled' : `cannot be used: ${why}`}`,
  action: why === undefined ? 'ask the user whether to enable it' : 'tell the user what is wrong with it',
  nextCall:
    why === undefined && env.offered.has('set_catalog_enabled')
      ? { tool: 'set_catalog_enabled', arguments: { catalogId: id, enabled: true } }
      : { tool: 'list_catalogs', arguments: {} },
  context: { catalogId: id },
});

/** Whoever leaves the catalog out means the one that has such a command. */
function byBareName(
  env: Environment,
  command: string,
): { readonly catalog: string; readonly command: string } | undefined {
  const [found, another] = env.catalogs
    .search()
    .find(command)
    .slice(0, 2)
    .filter(({ operation: { id, method, path } }) => id === command.trim() || `${method} ${path}` === command.trim());
  return found === undefined || another !== undefined
    ? undefined
    : { catalog: found.catalog, command: found.operation.id };
}

/** The first word names no catalog, and one is near, or has such a command. */
function unknownCatalogOf(env: Environment, commandId: string): Rejection | undefined {
  const parts = commandParts(commandId);
  if (parts === undefined || env.catalogs.find(parts.catalog) !== undefined) return undefined;
  const near = closestNames(
    parts.catalog,
    env.catalogs.list().map(({ id }) => id),
  );
  const withIt = near.find((id) => {
    const entry = env.catalogs.find(id);
    const opened = entry && env.catalogs.open(entry);
    return opened?.ok === true && opened.value.operation(parts.command) !== undefined;
  });
  const named = withIt === undefined ? byBareName(env, parts.command) : { catalog: withIt, command: parts.command };
  const [closest] = near;
  const meant = named === undefined ? closest : `${named.catalog} ${named.command}`;
  if (meant === undefined) return undefined;
  return {
    code: 'NOT_FOUND',
    message: `no catalog named \`${parts.catalog}\`; did you mean \`${meant}\`?`,
    action: named === undefined ? 'search in that catalog by what it does' : 'take the one that was meant',
    nextCall: {
      tool: 'search_commands',
      arguments:
        named === undefined
          ? { query: parts.command.replaceAll(/[/_.-]+/gu, ' ').slice(0, limits.query), catalog: meant }
          : { commandId: meant },
    },
    context: { catalogId: parts.catalog },
  };
}

function unknownCommand(env: Environment, commandId: string, within?: OpenedCatalog): Rejection {
  const elsewhere = within === undefined ? unknownCatalogOf(env, commandId) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const names = within?.catalog.operations.map(({ id }) => `${within.entry.id} ${id}`) ?? [];
  const bare = within === undefined ? commandId : commandId.replace(`${within.entry.id} `, '');
  const near = env.catalogs.search().find(bare.replaceAll(/[/_.-]+/gu, ' '), { catalog: within?.entry.id });
  const [closest] = [
    ...closestNames(commandId, names),
    ...near.slice(0, 1).map(({ catalog, operation }) => `${catalog} ${operation.id}`),
  ];
  return {
    code: 'NOT_FOUND',
    message: `no command ${JSON.stringify(commandId)}${closest === undefined ? '' : `; closest: ${closest}`}`,
    action:
      closest === undefined
        ? ['search for it by what it does', either(', as query', '')]
        : 'take the one that was meant, or search by what it does',
    ...(closest === undefined
      ? { nextCall: { tool: 'search_commands', arguments: { query: commandId.slice(0, limits.query) } } }
      : { nextCall: { tool: 'search_commands', arguments: { commandId: closest } } }),
  };
}

export function commandTold({ entry, catalog, providers }: OpenedCatalog, operation: Operation): CommandAnswer {
  const { description, parameters, body, answers, definitions, leftOut, safety } = operation;
  const { idempotencyHeader } = entry.settings;
  const shape = operationShapeOf(operation, {
    catalogHash: entry.digest,
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
  });
  const baseUrl = shape.baseUrl ?? addressOf({ entry, catalog });
  const places = [...new Set(parameters.map((one) => one.in))];
  const provider = own(providers, operation.id);
  const example = exampleStep(entry.id, operation);
  const whole = {
    ...listed(entry.id, operation),
    description,
    catalog: entry.id,
    ...(baseUrl !== undefined && { baseUrl }),
    safety,
    repeatable: isRepeatable(operation.id, shape) === true,
    parameters: Object.fromEntries(
      places.map((place) => [place, parameters.filter((one) => one.in === place).map(parameterTold)]),
    ),
    ...(body !== undefined && { body: asJson(body) }),
    ...(provider !== undefined && { provider: asJson(provider) }),
    example,
  };
  // However much there is to send, what comes back is told by its fields at least.
  const room = Math.max(limits.answer - 1024 - 2 * byteLength(JSON.stringify(whole)), limits.answer / 2);
  const schemas = {
    request: [...parameters, ...(body?.content ?? [])].flatMap(({ schema }) => schema ?? []),
    answers: answers.map(({ headers: _headers, ...one }) => asJson(one)),
    definitions,
  };
  const { shortened, leftOut: more, ...told } = fitSchemas(schemas, room);
  const missing = [...leftOut, ...more];
  return {
    ...whole,
    ...told,
    ...(shortened.length > 0 && { shortened }),
    ...(missing.length > 0 && { leftOut: missing }),
  };
}

const parameterTold = ({
  in: _in,
  style: _style,
  explode: _explode,
  allowReserved: _reserved,
  segments: _segments,
  ...told
}: Parameter): JsonObject => asJson(told);

/** The commands that offer choices: what each gives, and what it requires. Nothing is fetched. */
export async function listProviders(
  env: Environment,
  request: RequestOf<'list_providers'>,
): Promise<Result<Reply, Rejection>> {
  const { query = '', catalog, cursor } = request;
  const from = readCursor(cursor);
  if (from === undefined) return err(wrongCursor('list_providers', cursor ?? ''));
  if (catalog !== undefined && env.catalogs.find(catalog) === undefined)
    return err(unknownCatalog(env, catalog, '/catalog'));
  const opened = new Map(
    env.catalogs.list().flatMap((entry) => {
      const found = entry.settings.enabled ? env.catalogs.open(entry) : undefined;
      return found?.ok === true ? [[entry.id, found.value] as const] : [];
    }),
  );
  const all = env.catalogs
    .search()
    .find(query, { catalog, safety: 'safe' })
    .flatMap(({ catalog: id, operation }): ProviderListed[] => {
      const provider = own(opened.get(id)?.providers ?? {}, operation.id);
      if (provider === undefined) return [];
      return [
        {
          command: `${id} ${operation.id}`,
          summary: operation.summary,
          items: provider.items,
          select: provider.fields,
          required: provider.required,
        },
      ];
    });
  const shown = withinBytes(all.slice(from, from + limits.commandsShown));
  const next = from + shown.length;
  return ok(
    providersReply(
      {
        providers: shown,
        total: all.length,
        ...(next < all.length && { nextCursor: String(next) }),
        ...(shown[0] !== undefined && { example: providerExample(shown[0]) }),
      },
      request,
    ),
  );
}

export function providerExample({ command, items, select, required }: ProviderListed): JsonObject {
  return {
    type: 'string',
    required: true,
    provider: {
      run: command,
      ...(required.length > 0 && {
        with: Object.fromEntries(required.map((name) => [name, `\${{ inputs.${name.replaceAll(/\W/gu, '_')} }}`])),
      }),
      ...(items !== 'body' && { items }),
      value: select[0] === undefined ? 'item' : `item.${select[0]}`,
    },
  };
}

function catalogsSearched(env: Environment, asked: string | undefined): CatalogsSearched {
  const all = env.catalogs.list();
  const missed = all.filter(({ id, settings }) => !settings.enabled && (asked === undefined || id === asked));
  return {
    count: all.length,
    disabled: missed.map(({ id }) => id),
    canEnable: env.offered.has('set_catalog_enabled'),
  };
}
