import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/base/digest.js';
import type { Requests } from '../../../src/requests/requests.js';
import { allowLocal } from '../../worlds/mini-api.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld } from '../../worlds/requests-world.js';
import { scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';
import { tracker, type Tracker, writeTrackerCatalog } from '../../worlds/tracker-api.js';

let world: RequestsWorld;
let server: ScriptedServer;
let requests: Requests;
let api: Tracker;

beforeEach(async () => {
  world = makeRequestsWorld({ seed: 10 });
  api = tracker();
  server = await scriptedServer(api.script);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  writeTrackerCatalog(world.data, server.origin);
  allowLocal(world, 'tracker');
  requests = world.open();
});
afterEach(async () => {
  await server.close();
  await world.close();
});

const file = (): string => join(world.folder, 'workspace', 'build.zip');
const build = (bytes: string): void => writeFileSync(file(), bytes);
const uploads = (): readonly string[] => api.writes.map(({ body }) => body);
const goOn = (of: Called, more: object = {}): Promise<Called> => {
  const { stateToken, ackToken } = of.answer as { stateToken: string; ackToken?: string };
  return call(requests, 'continue_workflow', { stateToken, ...(ackToken && { ackToken }), ...more });
};
const back = async (to: Called, said: string): Promise<Called> => {
  const { stateToken } = to.answer as { stateToken: string };
  return goOn(await call(requests, 'continue_workflow', { stateToken }), { output: { notesMarkdown: said } });
};
const notes = { output: { notesMarkdown: 'built' } };

async function begin(more = ''): Promise<Called> {
  world.writeWorkflow(
    'flow',
    `workflow: team.flow
title: Flow
description: Use this to try.
steps:
  - id: build
    prompt: Build it.
    notes: optional
  - id: upload
    run: tracker files/upload
    body: { file: build.zip }
${more}  - id: say
    prompt: Say where it is.
    notes: optional
`,
  );
  return call(requests, 'start_workflow', { workflowId: 'team.flow', session: 'TRY-1' });
}

it('a file that was built anew is another request: it is asked about, sent, and not taken from the other branch', async () => {
  const started = await begin();
  build('first');
  const asked = await goOn(started, notes);
  expect(asked.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
  expect(asked.reply.text).toContain(`build.zip: 5 bytes, sha256 ${sha256Hex('first')}`);
  expect((await goOn(asked, { confirmed: true })).answer).toMatchObject({ pending: { stepId: 'say' } });
  expect(uploads()).toEqual(['first']);
  // The same bytes, whatever the time on them: nothing is sent.
  build('first');
  utimesSync(file(), 0, 0);
  expect((await back(started, 'built again')).answer).toMatchObject({
    pending: { stepId: 'say' },
  });
  expect(uploads()).toEqual(['first']);
  build('other');
  const changed = await back(started, 'built anew');
  expect(changed.answer).toMatchObject({ kind: 'blocked', blockers: [{ code: 'CONFIRMATION_REQUIRED' }] });
  expect(changed.reply.text).toContain('another request was sent at this step before');
  expect((await goOn(changed, { confirmed: true })).answer).toMatchObject({ pending: { stepId: 'say' } });
  expect(uploads()).toEqual(['first', 'other']);
});

it('an agreement to one request is to the bytes that it sends', async () => {
  const started = await begin('    confirm: true\n');
  build('shown');
  const asked = await goOn(started, notes);
  expect(asked.reply.text).toContain(sha256Hex('shown'));
  build('never shown');
  const again = await goOn(asked, { confirmed: true });
  expect(again.answer).toMatchObject({ kind: 'blocked' });
  expect(again.reply.text).toContain(sha256Hex('never shown'));
  expect(uploads()).toEqual([]);
  expect((await goOn(again, { confirmed: true })).answer).toMatchObject({ pending: { stepId: 'say' } });
  expect(uploads()).toEqual(['never shown']);
});

it('a file that nobody can read is told before anybody agrees, and none that came later is sent for it', async () => {
  const started = await begin();
  const asked = await goOn(started, notes);
  expect(asked.reply.text).toContain('build.zip: cannot be read');
  const failed = await goOn(asked, { confirmed: true });
  expect(failed.answer).toMatchObject({ kind: 'failed', commands: [{ state: 'failed' }] });
  expect(failed.reply.text).toContain('does not exist in the workspace');
  expect(uploads()).toEqual([]);
});

it('JSON that looks like a file is what it says', async () => {
  build('first');
  world.writeWorkflow(
    'flow',
    `workflow: team.flow
title: Flow
description: Use this to try.
steps:
  - id: say
    prompt: Say it.
    notes: optional
  - id: file
    run: tracker issues/create
    body: { title: It, state: "\${{ {'file': 'build.zip'} }}" }
  - id: end
    prompt: End.
`,
  );
  const started = await call(requests, 'start_workflow', { workflowId: 'team.flow', session: 'TRY-1' });
  const asked = await goOn(started, notes);
  expect(asked.reply.text).not.toContain('sha256');
  expect(readFileSync(file(), 'utf8')).toBe('first');
});
