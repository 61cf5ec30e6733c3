import type { JsonValue } from '../base/json-value.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import type { StateAnswer } from '../contract/state-answers.js';
import type { stateRoutes } from '../contract/state-routes.js';
import { rejected } from './api-error.js';
import { followState } from './live-sources.js';
import type { ApiHandlers } from './handler-of-route.js';
import type { ApiWorld } from './api-world.js';

/** What the routes of shared states and their schemas do. */
export function stateHandlers({
  people,
  about,
  log,
  live,
}: Pick<ApiWorld, 'people' | 'about' | 'log' | 'live'>): Pick<ApiHandlers, keyof typeof stateRoutes> {
  const write = async (
    request: Request,
    state: string,
    {
      expected_version: expected,
      ...what
    }: { readonly expected_version?: number | string; readonly data?: JsonValue; readonly operations?: JsonValue },
  ): Promise<Result<Response, Rejection>> => {
    const match = await ifMatch(people, request, state);
    if (match?.ok === false) return ok(rejected(match.error, { log, about }, 412));
    const wanted = match?.value ?? expected;
    const written = await people.writeState({
      stateId: state,
      ...what,
      ...(wanted !== undefined && { expected: wanted }),
    });
    if (written.ok) return ok(withTag(written.value));
    // A header that does not hold is a precondition; a field of the body is an argument.
    return written.error.code === 'STATE_CONFLICT' && match !== undefined
      ? ok(rejected(written.error, { log, about }, 412))
      : written;
  };
  const tagged = (read: Result<StateAnswer, Rejection>): Result<Response, Rejection> =>
    read.ok ? ok(withTag(read.value)) : read;
  return {
    addSchema: async ({ body: { name, json_schema: json, description } }) => {
      const added = await people.addSchema({ name, json, ...(description !== undefined && { description }) });
      return added.ok ? ok(Response.json(added.value, { status: added.value.isNew ? 201 : 200 })) : added;
    },
    schemas: () => people.listSchemas({}),
    schemaVersions: async ({ param }) => found(await people.listSchemas({ name: param('schema') }), param('schema')),
    schema: ({ param, query }) => people.showSchema({ name: param('schema'), version: query.version }),
    createState: async ({ body }) => {
      const made = await people.createState({
        schemaName: body.schema_name,
        initialData: body.initial_data,
        ...(body.schema_version !== undefined && { schemaVersion: body.schema_version }),
        ...(body.root_session !== undefined && { session: body.root_session }),
      });
      if (!made.ok) return made;
      const { answer, isNew } = made.value;
      return ok(withTag(answer, isNew ? 201 : 200, { location: `/workflow-states/${answer.state_id}` }));
    },
    states: ({ query: { root_session: session, ...asked } }) =>
      people.listStates({ ...asked, ...(session !== undefined && { session }) }),
    state: async ({ param, query }) => tagged(await people.readState({ stateId: param('state'), path: query.path })),
    stateVersion: async ({ param, query }) => {
      const version = named(param('version'));
      return tagged(await people.readState({ stateId: param('state'), version, path: query.path }));
    },
    stateVersions: ({ param, query }) => people.listVersions({ stateId: param('state'), ...query }),
    stateChanges: ({ request, param, query: { since, wait = 0 } }) =>
      people.changesOfState({
        stateId: param('state'),
        ...(since !== undefined && { since: named(since) }),
        waitMs: wait * 1000,
        signal: request.signal,
      }),
    stateStream: async ({ param, query, lastEventId }) => {
      const followed = await followState(people, param('state'), lastEventId ?? query.since);
      return followed.ok ? ok(live(followed.value)) : followed;
    },
    stateChange: ({ param }) => people.readChange({ stateId: param('state'), version: named(param('version')) }),
    stateSchema: ({ param, query: { version } }) =>
      people.stateSchema({ stateId: param('state'), version: version === undefined ? undefined : named(version) }),
    stateDiff: ({ param, query: { a, b } }) =>
      people.compareVersions({ stateId: param('state'), a: named(a), ...(b !== undefined && { b: named(b) }) }),
    mergeState: async ({ param }) => tagged(await people.mergeState({ stateId: param('state') })),
    settleState: async ({ param, body }) => tagged(await people.settleConflict({ stateId: param('state'), ...body })),
    forkState: async ({ param, body }) => tagged(await people.forkState({ stateId: param('state'), ...body })),
    migrateState: async ({ param, body: { schema_name: schemaName, schema_version: schemaVersion, operations } }) =>
      tagged(await people.migrateState({ stateId: param('state'), schemaName, schemaVersion, operations })),
    sessionStates: ({ param }) => people.statesOfSession({ session: param('session') }),
    sessionState: async ({ param }) => tagged(await people.readState({ session: param('session') })),
    replaceState: ({ request, param, body }) => write(request, param('state'), body),
    patchState: ({ request, param, body }) =>
      write(request, param('state'), 'operations' in body ? body : { operations: body }),
    closeState: async ({ request, param }) => {
      const match = await ifMatch(people, request, param('state'));
      if (match?.ok === false) return ok(rejected(match.error, { log, about }, 412));
      const closed = await people.closeState({
        stateId: param('state'),
        ...(match !== undefined && { expected: match.value }),
      });
      return match !== undefined && !closed.ok && closed.error.code === 'STATE_CONFLICT'
        ? ok(rejected(closed.error, { log, about }, 412))
        : tagged(closed);
    },
  };
}

/** The version that a write is made from: of several that are named the one that is served. */
async function ifMatch(
  people: ApiWorld['people'],
  { headers }: Request,
  stateId: string,
): Promise<Result<string, Rejection> | undefined> {
  const given = headers.get('if-match')?.trim();
  if (given === undefined || given === '*') return undefined;
  const labels = given.split(',').map((one) => /^\s*"(v\d+-[0-9a-f]{12})"\s*$/u.exec(one)?.[1]);
  const [first] = labels;
  if (first === undefined || labels.includes(undefined)) return err(noEtag(given));
  if (labels.length === 1) return ok(first);
  const read = await people.readState({ stateId });
  // Where there is none to compare with, the write says so.
  return ok(read.ok && labels.includes(read.value.etag) ? read.value.etag : first);
}

function withTag(answer: StateAnswer, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(answer, { status, headers: { etag: `"${answer.etag}"`, ...headers } });
}

const named = (version: string): number | string => (/^[1-9]\d{0,8}$/u.test(version) ? Number(version) : version);

type Listed = Awaited<ReturnType<ApiWorld['people']['listSchemas']>>;
const found = (listed: Listed, name: string): Listed =>
  listed.ok && listed.value.schemas.length === 0 ? err(noSchema(name)) : listed;

const noEtag = (given: string): Rejection => ({
  code: 'STATE_CONFLICT',
  message: `the header If-Match is no etag in quotes: ${JSON.stringify(given.slice(0, 60))}`,
  action: 'send the etag of the answer before as it came, such as "v3-0123456789ab"',
});

const noSchema = (name: string): Rejection => ({
  code: 'NOT_FOUND',
  message: `there is no schema ${JSON.stringify(name)} of that version`,
  action: 'see GET /workflow-schemas',
  context: { schema: name },
});
