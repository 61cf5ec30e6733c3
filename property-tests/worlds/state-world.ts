import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { serveRequests, type ServedWorld } from './http-world.js';
import { builtPage } from './page-world.js';
import { call, makeRequestsWorld, mergeInto, pairOf, type RequestsWorld, textOf } from './requests-world.js';

/** Sessions with shared states, and a server: one played by clones with a conflict and a fork, one with two heads, one that is large. */
export interface StateWorld {
  readonly world: RequestsWorld;
  readonly requests: Requests;
  readonly served: ServedWorld;
  readonly session: string;
  readonly stateId: string;
  /** Etag of the version whose change could not be merged. */
  readonly conflict: string;
  patch(operations: readonly JsonObject[], session?: string): Promise<JsonObject>;
  close(): Promise<void>;
}

export const stateSessions = { review: 'AUTH-1234', twoHeads: 'AUTH-1235', large: 'LARGE-1', none: 'NONE-1' } as const;

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['pending', 'in_progress', 'review', 'done'] },
    summary: { type: 'string' },
    tasks: { type: 'object', additionalProperties: { type: 'object', required: ['title', 'done'] } },
    findings: { type: 'array', items: { type: 'object', required: ['id', 'file', 'line', 'says'] } },
  },
};

const workflow = `workflow: team.auth_review
title: Review the authentication
description: D
steps:
  - { id: read, title: Read what has changed, prompt: p }
  - { id: check, title: Check how tokens are kept, prompt: p }
  - { id: tell, title: Tell the author, prompt: p }
`;

const begun = {
  status: 'pending',
  tasks: {
    tokens: { title: 'How are tokens kept?', done: false, owner: null },
    refresh: { title: 'Who refreshes them, and when?', done: false, owner: null },
  },
  findings: [],
};

const finding = (id: string, line: number, says: string): JsonObject => ({
  id,
  file: 'src/auth/token-store.ts',
  line,
  severity: 'high',
  says,
});

/** About 900 kB, in which one row of thousands is about to change. */
const largeDocument = (): JsonObject => ({
  status: 'in_progress',
  rows: Object.fromEntries(
    Array.from({ length: 9000 }, (_, index) => [
      `row-${String(index).padStart(4, '0')}`,
      { title: `What stands in row ${index} of them all`, done: index % 3 === 0, tries: index % 7 },
    ]),
  ),
});

export async function makeStateWorld(): Promise<StateWorld> {
  const world = makeRequestsWorld({ seed: 33, tick: 45_000 });
  world.writeWorkflow('auth', workflow);
  const requests = world.open(undefined, {}, 'terminal');
  const { review, twoHeads, large, none } = stateSessions;
  await requests.people.addSchema({ name: 'code-review', json: schema });
  await requests.people.addSchema({ name: 'any', json: { type: 'object' } });
  const patchBy = async (by: Requests, session: string, operations: readonly JsonObject[]): Promise<JsonObject> => {
    const { reply, answer } = await call(by, 'state_patch', { session, operations: [...operations] });
    if (reply.failed) throw new Error(reply.text);
    return { conflicts: answer['conflicts'] ?? [] };
  };
  const patch = (operations: readonly JsonObject[], session: string = review): Promise<JsonObject> =>
    patchBy(requests, session, operations);
  const create = async (session: string, schemaName: string, initialData: JsonValue): Promise<string> =>
    textOf((await call(requests, 'state_create', { session, schemaName, initialData })).answer['state_id']);

  const first = await call(requests, 'start_workflow', {
    workflowId: 'team.auth_review',
    session: review,
    mode: 'auto_never_stop',
  });
  await requests.people.labelSession({ session: review, title: 'Review of the authentication' });
  const stateId = await create(review, 'code-review', begun);
  await patch([
    { op: 'replace', path: '/status', value: 'in_progress' },
    { op: 'replace', path: '/tasks/tokens/owner', value: 'security' },
  ]);
  const second = await call(requests, 'continue_workflow', {
    ...pairOf(first.answer),
    output: { notesMarkdown: 'Two files hold tokens.' },
  });
  await patch([
    { op: 'add', path: '/findings/-', value: finding('plain-text', 41, 'The refresh token lies in the log as it is.') },
    { op: 'add', path: '/findings/-', value: finding('no-expiry', 88, 'Nothing ends a session that nobody uses.') },
  ]);
  await patch([
    { op: 'add', path: '/tasks/expiry', value: { title: 'When does a session end?', done: false } },
    { op: 'remove', path: '/tasks/refresh' },
    { op: 'replace', path: '/findings/0/line', value: 44 },
  ]);
  const conflict = await writeConflict(world, review, patch, patchBy);
  await call(requests, 'continue_workflow', {
    ...pairOf(second.answer),
    output: { notesMarkdown: 'They are kept in plain text.' },
  });
  await patch([{ op: 'replace', path: '/tasks/tokens/done', value: true }]);
  await requests.people.forkState({ stateId, version: 3 });

  await create(twoHeads, 'code-review', { status: 'pending', summary: 'Begun.' });
  await inClone(world, twoHeads, patchBy, async (there) => {
    await patch([{ op: 'replace', path: '/summary', value: 'Written here.' }], twoHeads);
    await there([{ op: 'replace', path: '/status', value: 'review' }]);
  });

  await create(large, 'any', largeDocument());
  await patch([{ op: 'replace', path: '/rows/row-4711/tries', value: 99 }], large);
  await call(requests, 'start_session', { session: none, title: 'Without a state' });

  const served = await serveRequests(requests, { pageFolder: builtPage });
  return {
    world,
    requests,
    served,
    session: review,
    stateId,
    conflict,
    patch,
    close: async () => {
      await served.close();
      await world.close();
    },
  };
}

type Patch = (operations: readonly JsonObject[]) => Promise<unknown>;
type PatchBy = (by: Requests, session: string, operations: readonly JsonObject[]) => Promise<JsonObject>;

/** What is written here and on a clone at the same time, and then brought together. */
async function inClone(
  world: RequestsWorld,
  session: string,
  patchBy: PatchBy,
  write: (there: Patch) => Promise<void>,
): Promise<void> {
  const clone = makeRequestsWorld({ seed: 34, tick: 45_000 });
  mergeInto(clone.data, world.data);
  const there = clone.open(undefined, {}, 'terminal');
  // Its clock begins where the other one stands, and not a day before.
  clone.turnClock(10 * 60_000);
  await write((operations) => patchBy(there, session, operations));
  mergeInto(world.data, clone.data);
  await clone.close();
}

/** Both change the summary; the next write cannot make one of the changes. */
async function writeConflict(world: RequestsWorld, session: string, patch: Patch, patchBy: PatchBy): Promise<string> {
  await inClone(world, session, patchBy, async (there) => {
    await patch([{ op: 'add', path: '/summary', value: 'Tokens are kept in plain text, and nothing ends a session.' }]);
    await there([
      { op: 'add', path: '/summary', value: 'Tokens have to be sealed before they are written.' },
      { op: 'replace', path: '/status', value: 'review' },
    ]);
  });
  const merged = (await patch([{ op: 'add', path: '/findings/1/severity', value: 'medium' }])) as JsonObject;
  return textOf((merged['conflicts'] as readonly JsonValue[])[0]);
}
