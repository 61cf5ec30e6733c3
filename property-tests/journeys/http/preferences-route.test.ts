import { afterAll, beforeAll, expect, it } from 'vitest';
import { samePreferences } from '../../../src/base/preferences.js';
import type { StepDetail, Timeline } from '../../../src/contract/http-api.js';
import type { PreferencesTold } from '../../../src/contract/people-answers.js';
import type { Requests } from '../../../src/requests/requests.js';
import { type ServedWorld, serveRequests } from '../../worlds/http-world.js';
import { call, fieldsOf, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';

let world: RequestsWorld;
let served: ServedWorld;
let running: Requests;
beforeAll(async () => {
  world = makeRequestsWorld({ seed: 9 });
  world.writeWorkflow(
    'walk',
    'workflow: team.walk\ntitle: Walk\ndescription: D\nsteps:\n  - { id: one, title: One, prompt: p }\n',
  );
  running = world.open();
  served = await serveRequests(world.open());
});
afterAll(async () => {
  await served.close();
  await world.close();
});

const post = (path: string, body: object, headers: Record<string, string> = { 'x-workrail': '1' }): Promise<Response> =>
  fetch(`${served.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const modeOfStart = async (session: string): Promise<unknown> =>
  fieldsOf((await call(running, 'start_workflow', { workflowId: 'team.walk', session })).answer['preferences'])[
    'autonomy'
  ];

it('what new sessions begin with reaches a server that runs already, with the next start', async () => {
  expect(await modeOfStart('P-1')).toBe('guided');
  const changed = (await (await post('/api/preferences', { mode: 'auto_stop' })).json()) as PreferencesTold;
  expect(changed.changed).toEqual(['global']);
  expect(await modeOfStart('P-2')).toBe('full_auto_stop_on_user_deps');
  const shown = (await (await served.get('/api/preferences')).json()) as PreferencesTold;
  expect(shown.global.autonomy).toBe('full_auto_stop_on_user_deps');
  // Who offers a choice needs no table of its own.
  expect(shown.modes.find(({ preferences }) => samePreferences(preferences, shown.global))).toMatchObject({
    name: 'auto_stop',
    label: 'Auto, stops for you',
  });
});

it('a choice made for a session on the page is in force at once, and the log says at which door', async () => {
  await modeOfStart('P-3');
  const told = (await (
    await post('/api/sessions/P-3/preferences', { mode: 'auto_never_stop' })
  ).json()) as PreferencesTold;
  expect(told.changed).toEqual(['session', 'run']);
  const lines = world.lines().filter(({ session, kind }) => session === 'P-3' && kind === 'preferences_changed');
  expect(lines.map(({ who }) => who)).toEqual([{ door: 'page' }, { door: 'page' }]);
});

it('a choice made for one step holds from there on, and not in new runs; it says who changed what', async () => {
  const { answer } = await call(running, 'start_workflow', { workflowId: 'team.walk', session: 'P-4' });
  const listed = world.lines().find(({ session, kind }) => session === 'P-4' && kind === 'run_started');
  const node = String(listed?.node);
  const told = (await (
    await post('/api/sessions/P-4/preferences', { mode: 'guided', node })
  ).json()) as PreferencesTold;
  expect(told.changed).toEqual(['run']);
  expect(told.session?.run).toMatchObject({ step: 'One', preferences: { autonomy: 'guided' } });
  expect(told.session?.preferences.autonomy).toBe('full_auto_stop_on_user_deps');
  const step = (await (await served.get(`/api/sessions/P-4/nodes/${node}`)).json()) as StepDetail;
  expect(step.node.preferenceChanges).toMatchObject([
    {
      by: 'person',
      door: 'page',
      direction: 'tightened',
      says: 'Mode set by the user, in the page; tightened from “Auto, stops for you” to “Guided”',
    },
  ]);
  const timeline = (await (await served.get('/api/sessions/P-4/timeline')).json()) as Timeline;
  expect(timeline.marks.map(({ says }) => says)).toContain(step.node.preferenceChanges[0]?.says);
  expect(await modeOfStart('P-4')).toBe('full_auto_stop_on_user_deps');
  await call(running, 'continue_workflow', {
    stateToken: answer['stateToken'] ?? null,
    ackToken: answer['ackToken'] ?? null,
  });
  const late = await post('/api/sessions/P-4/preferences', { mode: 'auto_stop', node });
  expect(late.status).toBe(409);
  expect(JSON.stringify(await late.json())).toContain('“One” is done already');
  expect((await post('/api/sessions/P-4/preferences', { mode: 'guided', node: 'n_none' })).status).toBe(404);
});

it('the routes are guarded as all others that change anything are', async () => {
  expect((await post('/api/preferences', { mode: 'guided' }, {})).status).toBe(403);
  expect((await post('/api/preferences', { mode: 'bold' })).status).toBe(400);
  expect(
    (await post('/api/sessions/P-3/preferences', { mode: 'guided' }, { 'x-workrail': '1', origin: 'http://evil.test' }))
      .status,
  ).toBe(403);
});
