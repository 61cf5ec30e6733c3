import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import {
  apiError,
  type NodesCompared,
  type RunGraph,
  type StepDetail,
  type Timeline,
} from '../../../src/contract/http-api.js';
import { liveMessages } from '../../../src/contract/live-messages.js';
import { apiAnswers } from '../../../src/contract/api-answers.js';
import { type ApiRoute, type ApiRouteName, apiRoutes } from '../../../src/contract/api-routes.js';
import type { SessionHead } from '../../../src/contract/session-story.js';
import type { SessionsPage } from '../../../src/contract/session-list.js';
import { limits } from '../../../src/base/limits.js';
import { errorCodes } from '../../../src/base/rejection.js';
import { openApiDocument } from '../../../src/contract/openapi-document.js';
import type { Requests } from '../../../src/requests/requests.js';
import { listen, serveRequests, type ServedWorld } from '../../worlds/http-world.js';
import {
  call,
  makeRequestsWorld,
  mergeInto,
  pairOf,
  type RequestsWorld,
  sessionFolders,
  textOf,
} from '../../worlds/requests-world.js';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { writePick } from '../../worlds/pick-world.js';
import type { ScriptedServer } from '../../worlds/scripted-server.js';
import { catalogRevision, shopDocument, writeCatalog } from '../../worlds/shop-catalog.js';
import { playReview } from '../../worlds/story-of-a-review.js';

// A document is read in a thread, which is started from a file of the built program.
vi.mock(
  '../../../src/library/read-catalog.js',
  () => import(new URL('../../../dist/library/read-catalog.js', import.meta.url).href),
);

let world: RequestsWorld;
let requests: Requests;
let served: ServedWorld;
let session: string;
const waiting = 'W-1';
let head: SessionHead;
let graph: RunGraph;
let goneRevision: string;
let forge: ScriptedServer;
let state: string;
let conflict: string;
let fork: string;

const told = async <T>(path: string): Promise<T> => {
  const response = await served.get(path);
  const body: unknown = await response.json();
  expect({ path, status: response.status, body: response.status === 200 ? 'fine' : body }).toEqual({
    path,
    status: 200,
    body: 'fine',
  });
  return body as T;
};

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 7 });
  world.writeWorkflow(
    'waits',
    'workflow: wr.waits\ntitle: Waits\ndescription: D\nsteps:\n  - { id: agree, title: Agree, prompt: p, confirm: true }\n',
  );
  const before = world.open();
  const waits = await call(before, 'start_workflow', { workflowId: 'wr.waits', sessionKey: waiting });
  await call(before, 'continue_workflow', { ...pairOf(waits.answer), output: { notesMarkdown: 'Done.' } });
  writeCatalog(world.data, 'shop', shopDocument);
  writeCatalog(world.data, 'gone', shopDocument);
  forge = await writePick(world);
  goneRevision = catalogRevision(world.data, 'gone');
  ({ requests, session } = await playReview(world));
  await requests.people.addSchema({ name: 'any', json: { type: 'object' } });
  const shared = await call(requests, 'state_create', { schemaName: 'any', initialData: { a: 1 }, session: waiting });
  state = textOf(shared.answer['state_id']);
  conflict = await writeConflict(world, requests, waiting);
  const forked = await requests.people.forkState({ stateId: state, version: 2 });
  fork = forked.ok ? forked.value.state_id : '';
  served = await serveRequests(requests);
  head = await told<SessionHead>(`/api/sessions/${session}`);
  graph = await told<RunGraph>(`/api/sessions/${session}/runs/${head.runs[0]!.runId}`);
});

afterAll(async () => {
  await served.close();
  await forge.close();
  await world.close();
});

/** Two clones change the same; the next write merges them. Which change was set aside. */
async function writeConflict(here: RequestsWorld, by: Requests, of: string): Promise<string> {
  const clone = makeRequestsWorld({ seed: 8 });
  mergeInto(clone.data, here.data);
  const patch = (value: number): JsonObject => ({ session: of, operations: [{ op: 'replace', path: '/a', value }] });
  await call(by, 'state_patch', patch(2));
  await call(clone.open(), 'state_patch', patch(3));
  mergeInto(here.data, clone.data);
  await clone.close();
  const merged = await call(by, 'state_patch', { session: of, operations: [{ op: 'add', path: '/c', value: 1 }] });
  return textOf((merged.answer['conflicts'] as readonly JsonValue[])[0]);
}

/** How each route is asked so that all is well. A new route is not served untried: the table asks for its entry. */
const asked: { readonly [N in ApiRouteName]: () => { readonly path: string; readonly body?: object } } = {
  about: () => ({ path: '/api/about' }),
  sessions: () => ({ path: '/api/sessions?query=export&limit=10' }),
  session: () => ({ path: `/api/sessions/${session}` }),
  hits: () => ({ path: `/api/sessions/${session}/hits?query=export` }),
  graph: () => ({ path: `/api/sessions/${session}/runs/${head.runs[0]!.runId}` }),
  documents: () => ({ path: `/api/sessions/${session}/runs/${head.runs[0]!.runId}/documents` }),
  step: () => ({ path: `/api/sessions/${session}/nodes/${graph.nodes[0]!.id}` }),
  timeline: () => ({ path: `/api/sessions/${session}/timeline` }),
  events: () => ({ path: `/api/sessions/${session}/events?limit=5` }),
  live: () => ({ path: `/api/sessions/${session}/live?from=start` }),
  diff: () => ({ path: `/api/sessions/${session}/diff?a=${graph.tips[0]}&b=${graph.tips[1]}` }),
  resume: () => ({ path: `/api/sessions/${session}/resume` }),
  render: () => ({ path: `/api/sessions/${session}/render?format=html` }),
  export: () => ({ path: `/api/sessions/${session}/export?allowSecrets=true` }),
  waiting: () => ({ path: '/api/waiting' }),
  questions: () => ({ path: `/api/sessions/${waiting}/questions` }),
  answer: () => ({
    path: `/api/sessions/${waiting}/answers`,
    body: {
      block: world.lines().find(({ kind, session: at }) => kind === 'step_blocked' && at === waiting)!.sum,
      question: '/confirmed',
      answer: 'agreed',
    },
  }),
  notes: () => ({ path: `/api/sessions/${session}/notes`, body: { text: 'Seen by a person.' } }),
  labels: () => ({ path: `/api/sessions/${session}/labels`, body: { tags: ['seen'] } }),
  preferences: () => ({ path: '/api/preferences' }),
  choosePreferences: () => ({ path: '/api/preferences', body: { riskPolicy: 'balanced' } }),
  sessionPreferences: () => ({ path: `/api/sessions/${session}/preferences` }),
  chooseSessionPreferences: () => ({ path: `/api/sessions/${session}/preferences`, body: { mode: 'guided' } }),
  workflows: () => ({ path: '/api/workflows?query=review' }),
  workflow: () => ({ path: '/api/workflows/wr.review_story' }),
  choices: () => ({ path: '/api/workflows/team.bring_out/choices', body: { input: 'repo', inputs: { org: 'acme' } } }),
  catalogs: () => ({ path: '/api/catalogs' }),
  catalog: () => ({ path: '/api/catalogs/shop' }),
  commands: () => ({ path: '/api/commands?query=orders&catalog=shop&safety=safe' }),
  command: () => ({ path: `/api/catalogs/shop/commands/${encodeURIComponent('orders/list')}` }),
  addSchema: () => ({ path: '/workflow-schemas', body: { name: 'progress', json_schema: { type: 'object' } } }),
  schemas: () => ({ path: '/workflow-schemas' }),
  schema: () => ({ path: '/workflow-schemas/any' }),
  schemaVersions: () => ({ path: '/workflow-schemas/any/versions' }),
  createState: () => ({
    path: '/workflow-states',
    body: { schema_name: 'any', initial_data: { a: 2 }, root_session: session },
  }),
  states: () => ({ path: `/workflow-states?root_session=${session}&limit=5` }),
  state: () => ({ path: `/workflow-states/${state}` }),
  replaceState: () => ({ path: `/workflow-states/${state}`, body: { data: { a: 2 } } }),
  patchState: () => ({
    path: `/workflow-states/${state}`,
    body: { operations: [{ op: 'add', path: '/b', value: 1 }] },
  }),
  closeState: () => ({ path: `/workflow-states/${state}` }),
  stateVersion: () => ({ path: `/workflow-states/${state}/versions/1` }),
  stateVersions: () => ({ path: `/workflow-states/${state}/versions?limit=5` }),
  stateChanges: () => ({ path: `/workflow-states/${state}/changes?since=1&wait=1` }),
  stateStream: () => ({ path: `/workflow-states/${state}/stream` }),
  stateChange: () => ({ path: `/workflow-states/${state}/versions/2/change` }),
  stateSchema: () => ({ path: `/workflow-states/${state}/schema?version=1` }),
  sessionStates: () => ({ path: `/api/sessions/${waiting}/states` }),
  stateDiff: () => ({ path: `/workflow-states/${state}/diff?a=1` }),
  mergeState: () => ({ path: `/workflow-states/${fork}/merge`, body: {} }),
  settleState: () => ({ path: `/workflow-states/${state}/settle`, body: { conflict, how: 'leave' } }),
  forkState: () => ({ path: `/workflow-states/${state}/fork`, body: { version: 1 } }),
  migrateState: () => ({ path: `/workflow-states/${fork}/migrate`, body: { schema_name: 'any' } }),
  sessionState: () => ({ path: `/sessions/${waiting}/workflow-state` }),
  previewDocument: () => ({ path: '/api/documents/preview?name=shop.json' }),
  importDocument: () => ({ path: '/api/catalogs?name=shop.json&catalogId=market' }),
  enableCatalog: () => ({ path: '/api/catalogs/shop/enabled', body: { enabled: true } }),
  removeCatalog: () => ({ path: '/api/catalogs/gone/remove', body: { revision: goneRevision } }),
  doctor: () => ({ path: '/api/doctor' }),
  import: () => ({ path: '/api/import' }),
  prune: () => ({ path: '/api/prune', body: { olderThanDays: 36_500 } }),
  watch: () => ({ path: '/api/events' }),
  openapi: () => ({ path: '/api/openapi.json' }),
};

const routes = Object.entries<ApiRoute>(apiRoutes) as [ApiRouteName, ApiRoute][];

describe('every route', () => {
  test.each(routes)('%s answers as its schema says', async (name, { method, answer, body }) => {
    const { path, body: sent } = asked[name]();
    if (answer.kind === 'live') {
      const listener = await listen(`${served.origin}${path}`);
      await listener.until((heard) => heard.some(({ event }) => event === 'ready'));
      if (name === 'live') await listener.until((heard) => heard.some(({ event }) => event === 'events'));
      for (const { event, data } of listener.heard) {
        expect(answer.messages).toContain(event);
        liveMessages[event as keyof typeof liveMessages].parse(data);
      }
      listener.close();
      return;
    }
    const file =
      body === 'bundle'
        ? Buffer.from(await (await served.get(asked.export().path)).arrayBuffer())
        : body === 'document'
          ? Buffer.from(JSON.stringify(shopDocument))
          : undefined;
    const response = await fetch(`${served.origin}${path}`, {
      method,
      headers: { 'x-workrail': '1', ...(sent !== undefined && { 'content-type': 'application/json' }) },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
      ...(file !== undefined && { body: file }),
    });
    expect(response.status).toBe(name === 'addSchema' || name === 'createState' ? 201 : 200);
    const type = response.headers.get('content-type')?.split(';')[0];
    if (answer.kind === 'file') {
      expect(answer.types).toContain(type);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
      return;
    }
    expect(type).toBe('application/json');
    const { [name]: schema }: { readonly [name: string]: z.ZodType } = apiAnswers;
    const problem = schema!.safeParse(await response.json()).error;
    expect(problem?.issues ?? []).toEqual([]);
  });

  test.each(routes)('%s says in one form what is wrong with a request', async (name, { method, path, body, query }) => {
    const nowhere = path.replaceAll(/\{\w+\}/gu, 'nothing-is-called-so');
    const response = await fetch(`${served.origin}${nowhere}?no_such_parameter=1`, {
      method,
      headers: { 'x-workrail': '1', 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '[]' }),
    });
    expect(response.status).toBe(400);
    const error = apiError.parse(await response.json());
    expect(error.error_code).toBe('VALIDATION_ERROR');
    if (!path.includes('{') || name === 'workflow') return;
    const missing = await fetch(
      `${served.origin}${nowhere}${query !== undefined && (name === 'diff' || name === 'stateDiff') ? '?a=x&b=y' : ''}`,
      {
        method,
        headers: { 'x-workrail': '1', 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(asked[name]().body ?? {}) }),
      },
    );
    expect({ name, status: missing.status }).toEqual({ name, status: 404 });
    expect(errorCodes as readonly string[]).toContain(apiError.parse(await missing.json()).error_code);
  });

  test.each(routes)('%s is answered to its own method alone', async (_, { path }) => {
    const concrete = path.replaceAll(/\{\w+\}/gu, 'x');
    const own = routes.filter(([, route]) => route.path === path).map(([, { method }]) => method);
    for (const other of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (own.includes(other as ApiRoute['method'])) continue;
      const response = await fetch(`${served.origin}${concrete}`, { method: other, headers: { 'x-workrail': '1' } });
      expect({ other, status: response.status }).toEqual({ other, status: 405 });
      if (other !== 'HEAD') apiError.parse(await response.json());
    }
  });
});

describe('the OpenAPI document', () => {
  it('names what is served, each parameter, and nothing besides', async () => {
    const document = await told<{
      openapi: string;
      paths: Record<
        string,
        Record<string, { operationId: string; parameters: { name: string; in: string }[]; responses: object }>
      >;
    }>('/api/openapi.json');
    expect(document).toEqual(openApiDocument('0.0.0-test'));
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    );
    expect(operations.map(({ operationId, path, method }) => [operationId, method, path].join(' ')).toSorted()).toEqual(
      routes.map(([name, { method, path }]) => [name, method, path].join(' ')).toSorted(),
    );
    for (const { path, parameters, operationId } of operations) {
      expect(parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)).toEqual(
        [...path.matchAll(/\{\w+\}/gu)].map(([name]) => name),
      );
      const route: ApiRoute = apiRoutes[operationId as ApiRouteName];
      expect(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)).toEqual(
        Object.keys(route.query?.shape ?? {}),
      );
    }
    expect(JSON.stringify(document)).not.toContain('"$schema"');
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/gu)].map(([, at = '']) =>
      at.split('/'),
    );
    for (const at of references)
      expect(
        at.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document),
        at.join('/'),
      ).toBeDefined();
  });
});

/** Properties and parameters of which a client's author would have to guess what they are. */
function undescribed(part: unknown, at = ''): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, properties, parameters } = part as {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly parameters?: readonly { readonly name: string; readonly description?: string }[];
  };
  const named = [
    ...(type === 'object' ? Object.entries(properties ?? {}) : []),
    ...(Array.isArray(parameters) ? parameters.map((parameter) => [parameter.name, parameter] as const) : []),
  ];
  return [
    ...named.flatMap(([name, { description = '' }]) => (/\w/u.test(description) ? [] : [`${at}/${name}`])),
    ...Object.entries(part).flatMap(([name, inner]) => undescribed(inner, `${at}/${name}`)),
  ];
}

describe('what the OpenAPI document leaves unsaid', () => {
  it('is nothing: each property and each parameter is described', () => {
    expect(undescribed(openApiDocument(''))).toEqual([]);
  });

  it('would be seen, wherever it is', () => {
    const described = openApiDocument('');
    for (const text of ['ID of the session', 'ID of the first node', 'The position of an earlier answer']) {
      const bare = JSON.parse(JSON.stringify(described), (name, value: unknown) =>
        name === 'description' && typeof value === 'string' && value.startsWith(text) ? undefined : value,
      ) as unknown;
      expect(undescribed(bare).length, text).toBeGreaterThan(0);
    }
  });
});

describe('a session in parts', () => {
  it('is the session told whole', async () => {
    const whole = await requests.people.readStory({ session });
    if (!whole.ok) throw new Error(whole.error.message);
    // A report shows the documents themselves; the page asks for them by a route of their own.
    const { runs, ...besides } = { ...whole.value, sharedStates: undefined };
    const { runs: heads, folder, ...rest } = await told<SessionHead>(`/api/sessions/${session}`);
    expect(rest).toEqual(besides);
    expect(folder).toBe(world.data);
    for (const [index, run] of runs.entries()) {
      const { nodes, steps, tips, run: runHead } = await told<RunGraph>(`/api/sessions/${session}/runs/${run.runId}`);
      expect(runHead).toEqual(heads[index]);
      expect(tips).toEqual(run.tips);
      expect(nodes.map(({ id }) => id).toSorted()).toEqual(run.nodes.map(({ nodeId }) => nodeId).toSorted());
      for (const [at, node] of nodes.entries()) {
        const story = run.nodes.find(({ nodeId }) => nodeId === node.id)!;
        expect(node.up === undefined || node.up < at).toBe(true);
        expect(node.up === undefined ? undefined : nodes[node.up]!.id).toBe(story.parent);
        expect([steps[node.step!]]).toMatchObject([story.pending]);
        expect({
          status: node.status ?? 'in_progress',
          tip: node.tip ?? false,
          preferred: node.preferredTip ?? false,
          onWay: node.onWay ?? false,
          notes: node.notes ?? 0,
          blocks: node.blocks ?? 0,
          checkpoints: node.checkpoints ?? 0,
          prefs: node.prefs ?? false,
          partial: node.partial ?? false,
          artifacts: node.artifacts ?? 0,
        }).toEqual({
          status: story.status,
          tip: story.isTip,
          preferred: story.isPreferredTip,
          onWay: story.onPreferredPath,
          notes: story.notes.length,
          blocks: story.blocks.length,
          checkpoints: story.checkpoints.length,
          prefs: story.preferencesChanged,
          partial: !story.whole,
          artifacts: story.cameBy.output.artifacts.length,
        });
        const detail = await told<StepDetail>(`/api/sessions/${session}/nodes/${node.id}`);
        expect(detail.node).toEqual(story);
        expect(detail.done.map(({ nodeId, edge }) => ({ nodeId, edge }))).toEqual(
          story.children.map((child) => ({
            nodeId: child,
            edge: run.nodes.find(({ nodeId }) => nodeId === child)!.cameBy,
          })),
        );
        // The change is what leads from the parent's context to this one.
        const above =
          node.up === undefined
            ? {}
            : (await told<StepDetail>(`/api/sessions/${session}/nodes/${nodes[node.up]!.id}`)).context;
        const applied: Record<string, unknown> = { ...above };
        for (const { key, before, after } of detail.contextChanged) {
          expect(applied[key]).toEqual(before);
          if (after === undefined) delete applied[key];
          else applied[key] = after;
        }
        expect(applied).toEqual(detail.context);
      }
      const { documents } = await told<{ documents: unknown }>(`/api/sessions/${session}/runs/${run.runId}/documents`);
      expect(documents).toEqual(run.documents);
    }
  });

  it('shows the step as the agent saw it', async () => {
    const node = graph.nodes.find(({ step }) => step !== undefined && graph.steps[step]!.stepId === 'read_area')!;
    const detail = await told<StepDetail>(`/api/sessions/${session}/nodes/${node.id}`);
    const { stateToken } = await told<{ stateToken: string }>(`/api/sessions/${session}/resume?node=${node.id}`);
    const { answer } = await call(requests, 'continue_workflow', { stateToken });
    expect(detail.asSeen).toEqual(answer['pending']);
    expect(detail.asSeen!.prompt).toContain('Read the writer.');
  });

  it('counts each open gap at the step that disclosed it, as the step itself tells', async () => {
    const open = (gaps: readonly { readonly resolved: boolean; readonly resolves?: string }[]): number =>
      gaps.filter(({ resolved, resolves }) => !resolved && resolves === undefined).length;
    let [counted, passed] = [0, 0];
    for (const { runId } of head.runs) {
      const { nodes } = await told<RunGraph>(`/api/sessions/${session}/runs/${runId}`);
      for (const { id, gaps = 0, skipped = 0 } of nodes) {
        const { node, done } = await told<StepDetail>(`/api/sessions/${session}/nodes/${id}`);
        const here = open([...done.flatMap(({ edge }) => edge.gaps), ...node.checkpoints.flatMap((one) => one.gaps)]);
        expect({ id, gaps, skipped }).toEqual({ id, gaps: here, skipped: node.cameBy.skipped.length });
        counted += gaps;
        passed += skipped;
      }
    }
    expect([counted > 1, passed > 0]).toEqual([true, true]);
  });

  it('has a timeline and pages of events in the same total order', async () => {
    const { marks, lanes } = await told<Timeline>(`/api/sessions/${session}/timeline`);
    expect(lanes.map(({ runId }) => runId)).toEqual(head.runs.map(({ runId }) => runId));
    const events: { event: string; seq: number; runId?: string }[] = [];
    let from: string | undefined;
    for (let pages = 0; pages < 50; pages += 1) {
      const page: { events: typeof events; position: string; upToDate: boolean } = await told(
        `/api/sessions/${session}/events?limit=1${from === undefined ? '' : `&from=${encodeURIComponent(from)}`}`,
      );
      events.push(...page.events);
      from = page.position;
      if (page.upToDate) break;
    }
    expect(events.length).toBe((await told<SessionHead>(`/api/sessions/${session}`)).eventCount);
    expect(
      marks.map(({ event, seq, lane }) => ({ event, seq, runId: lane === undefined ? undefined : lanes[lane]!.runId })),
    ).toEqual(events.map(({ event, seq, runId }) => ({ event, seq, runId })));
  });

  it('compares two branches from where they part', async () => {
    const [a, b] = graph.tips;
    const compared = await told<NodesCompared>(`/api/sessions/${session}/diff?a=${a}&b=${b}`);
    expect(compared.ancestor?.title).toBe('Run it against the staging data');
    const rows = compared.steps.map(({ title, a: one, b: other }) => [title, one !== undefined, other !== undefined]);
    expect(rows[0]).toEqual(['Run it against the staging data', true, true]);
    expect(rows.filter(([, one, other]) => one === true && other === false).length).toBeGreaterThan(0);
    expect(compared.context.map(({ key }) => key)).toContain('stagingAccess');
    const turned = await told<NodesCompared>(`/api/sessions/${session}/diff?a=${b}&b=${a}`);
    expect(turned.steps.map(({ path }) => path).toSorted()).toEqual(compared.steps.map(({ path }) => path).toSorted());
    const same = await told<NodesCompared>(`/api/sessions/${session}/diff?a=${a}&b=${a}`);
    expect([same.steps, same.context]).toEqual([[], []]);
  });

  it('is found by what it is called, the branch, the workflow and what was written down', async () => {
    const names = [
      'EXPORT-212',
      'export-2',
      'fix/empty-export',
      'wr.review_story',
      'staging',
      'nobody "knows"',
      'scheduled JOB',
      'posted the comm',
    ];
    for (const words of names) {
      const { sessions, found, here } = await told<SessionsPage>(`/api/sessions?query=${encodeURIComponent(words)}`);
      expect({ words, found, here, first: sessions[0]?.sessionId, why: typeof sessions[0]?.why }).toEqual({
        words,
        found: 1,
        here: 2,
        first: head.sessionId,
        why: 'string',
      });
    }
    expect((await told<SessionsPage>('/api/sessions?query=nothing%20has%20this')).found).toBe(0);
  });
});

describe('pages of sessions', () => {
  it('are the same for who types letter by letter, and takes letters back, as for who asks at once', async () => {
    const apart = world.open(`${world.data}-typed`);
    for (const [index, title] of [
      'Import of orders',
      'Orders without a name',
      'Important: export',
      'The name of the port',
    ].entries()) {
      await call(apart, 'start_session', { session: `TYPED-${index}`, title });
      await apart.people.addNote({
        session: `TYPED-${index}`,
        text: ['port 80', 'order of imports', 'named twice', 'nothing'][index] ?? '',
      });
    }
    const found = async (query: string): Promise<readonly string[]> => {
      const page = await apart.people.browseSessions({ query });
      if (!page.ok) throw new Error(page.error.message);
      return page.value.sessions.map(({ sessionId, why }) => `${sessionId} ${why}`);
    };
    for (const words of ['import', 'port order', 'named tw', 'name or', 'typed-1']) {
      await found('nothing has this');
      const atOnce = await found(words);
      const lengths = [
        ...Array.from(words, (_, index) => index + 1),
        ...Array.from(words, (_, index) => words.length - index),
        words.length,
      ];
      for (const length of lengths) {
        const typed = await found(words.slice(0, length));
        if (length === words.length) expect({ words, typed }).toEqual({ words, typed: atOnce });
      }
      expect(atOnce.length).toBeGreaterThan(0);
    }
  });

  it('miss none that stays, and show none twice, although others come and move meanwhile', async () => {
    const many = world.open(`${world.data}-many`);
    const names = Array.from({ length: 23 }, (_, index) => `MANY-${index}`);
    for (const name of names) await call(many, 'start_session', { session: name, title: 'One of many' });
    const there = await serveRequests(many);
    try {
      for (const query of ['', 'many', 'one of']) {
        // What was done a moment ago is seen with the next look.
        await new Promise((resolve) => setTimeout(resolve, limits.followLookMs + 100));
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let turn = 0; turn < 30; turn += 1) {
          const page = (await (
            await there.get(
              `/api/sessions?limit=4&query=${encodeURIComponent(query)}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
            )
          ).json()) as SessionsPage;
          seen.push(...page.sessions.map(({ sessionId }) => sessionId));
          cursor = page.nextCursor;
          if (cursor === undefined) break;
          // The last one shown is worked on, and a new one comes: both belong at the top now.
          await many.people.addNote({ session: seen.at(-1)!, text: `noted at ${query} ${turn}` });
          await call(many, 'start_session', { session: `LATER-${query.length}-${turn}`, title: 'One of many' });
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(names.filter((name) => !seen.includes(name))).toEqual([]);
      }
      expect((await there.get('/api/sessions?cursor=nonsense')).status).toBe(400);
    } finally {
      await there.close();
    }
  });
});

describe('what a person changes', () => {
  it('a note, a title, tags and keeping', async () => {
    const noted = await served.post(`/api/sessions/${session}/notes`, { text: 'Ask Kim before the release.' });
    expect(noted.status).toBe(200);
    const labelled = await served.post(`/api/sessions/${session}/labels`, { title: 'Empty exports', keep: true });
    expect(await labelled.json()).toMatchObject({ title: 'Empty exports', keep: true, changed: true });
    const now = await told<SessionHead>(`/api/sessions/${session}`);
    expect({ last: now.notes.at(-1)?.text, title: now.title, keep: now.keep }).toEqual({
      last: 'Ask Kim before the release.',
      title: 'Empty exports',
      keep: true,
    });
  });

  it('a bundle out of one installation and into another', async () => {
    const bundle = Buffer.from(await (await served.get(`/api/sessions/${session}/export`)).arrayBuffer());
    const other = world.open(world.clone(world.data, 'elsewhere').replace('elsewhere', 'empty'));
    const there = await serveRequests(other);
    try {
      const response = await fetch(`${there.origin}/api/import`, {
        method: 'POST',
        headers: { 'x-workrail': '1' },
        body: bundle,
      });
      expect(await response.json()).toMatchObject({ outcome: 'imported', sessionId: head.sessionId });
      const spoilt = Buffer.from(bundle);
      spoilt[Math.trunc(spoilt.length / 2)]! ^= 1;
      const refused = await fetch(`${there.origin}/api/import`, {
        method: 'POST',
        headers: { 'x-workrail': '1' },
        body: spoilt,
      });
      expect(refused.status).toBe(400);
      expect(apiError.parse(await refused.json()).error_code).toMatch(/^BUNDLE_/u);
    } finally {
      await there.close();
    }
  });

  it('nothing with a body that is too long, no JSON, or of another type', async () => {
    const before = sessionFolders(world.data);
    const long = await served.post(`/api/sessions/${session}/notes`, { text: 'x'.repeat(300_000) });
    expect([long.status, apiError.parse(await long.json()).error_code]).toEqual([413, 'LIMIT_EXCEEDED']);
    for (const [type, body] of [
      ['application/json', '{'],
      ['text/plain', '{"text":"x"}'],
      ['application/x-www-form-urlencoded', 'text=x'],
    ]) {
      const response = await fetch(`${served.origin}/api/sessions/${session}/notes`, {
        method: 'POST',
        headers: { 'x-workrail': '1', 'content-type': type! },
        body: body!,
      });
      expect([type, response.status]).toEqual([type, 400]);
    }
    expect(sessionFolders(world.data)).toEqual(before);
  });
});

describe('the page', () => {
  it('is served with its files, packed where that is asked for, for every place in it', async () => {
    for (const place of ['/', '/sessions/x', '/workflows', '/workflows/wr.research']) {
      const page = await served.get(place);
      expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(await page.text()).toContain('the page');
    }
    const script = await served.get('/assets/index-0123abcd.js');
    expect([
      script.headers.get('cache-control'),
      script.headers.get('content-encoding'),
      script.headers.get('content-type'),
    ]).toEqual(['public, max-age=31536000, immutable', 'gzip', 'text/javascript; charset=utf-8']);
    expect(await script.text()).toContain('again');
    for (const place of ['/assets/none.js', '/../package.json', '/assets/..%2f..%2fpackage.json', '/.git/config.txt'])
      expect([place, (await served.get(place)).status]).toEqual([place, 404]);
  });

  it('says plainly where it is not built', async () => {
    const bare = await serveRequests(requests, { pageFolder: '/nowhere/at/all' });
    try {
      const response = await bare.get('/');
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('The page is not built');
      expect((await bare.get('/api/about')).status).toBe(200);
    } finally {
      await bare.close();
    }
  });

  it('puts the same safety on every answer', async () => {
    for (const path of ['/', '/api/about', '/api/nothing', '/mcp', `/api/sessions/${session}/render?format=html`]) {
      const { headers } = await served.get(path);
      expect({
        path,
        sniff: headers.get('x-content-type-options'),
        referrer: headers.get('referrer-policy'),
        policy: headers.get('content-security-policy')?.startsWith("default-src 'none'"),
        cors: headers.get('access-control-allow-origin'),
      }).toEqual({ path, sniff: 'nosniff', referrer: 'no-referrer', policy: true, cors: null });
    }
  });
});
