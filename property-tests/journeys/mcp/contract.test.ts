import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { modes } from '../../../src/base/preferences.js';
import type { RequestName } from '../../../src/contract/request-schemas.js';
import { openRequests, type Requests } from '../../../src/requests/requests.js';
import { recapPolicy } from '../../../src/sessions/recap.js';
import { bundleOf, treeOf, unpacked } from '../../worlds/bundle-world.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  linesOnDisk,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  textOf,
  pairOf,
} from '../../worlds/requests-world.js';

/** What docs/contract.md promises and is held nowhere else. */
const gated = `workflow: wr.gated
title: A gated walk
description: Two steps that the user agrees to.
version: 1.0.0
recommends: { mode: guided }
clarify: [ 'Which one?' ]
steps:
  - { id: one, title: First, prompt: Begin., confirm: true }
  - id: two
    title: Second
    prompt: End.
    needs: [ { reason: needs_user_choice, key: way, ask: Which way? } ]
`;

let world: RequestsWorld;
let requests: Requests;
beforeEach(() => {
  world = makeRequestsWorld({ seed: 1017 });
  world.writeWorkflow('gated', gated);
  requests = world.open();
});
afterEach(() => world.close());

const start = (session: string, more: JsonObject = {}): Promise<Called> =>
  call(requests, 'start_workflow', { workflowId: 'wr.gated', session, ...more });
const ack = (from: Fields, more: JsonObject = {}): Promise<Called> =>
  call(requests, 'continue_workflow', { ...pairOf(from), output: { notesMarkdown: 'Done.' }, ...more });
const look = ({ stateToken }: Fields): Promise<Called> =>
  call(requests, 'continue_workflow', { stateToken: textOf(stateToken) });
const codesOf = ({ answer }: Called): readonly string[] => listOf(answer['warnings']).map(({ code }) => textOf(code));

describe('preferences', () => {
  it('for all later work reach no session that was begun before', async () => {
    const { answer } = await start('EARLIER-1');
    mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
    writeFileSync(join(world.folder, 'config', 'workrail', 'config.json'), '{"mode":"auto_never_stop"}');
    requests = world.open();
    expect((await start('LATER-1')).answer['preferences']).toEqual(modes.auto_never_stop);
    expect((await look(answer)).answer['preferences']).toEqual(modes.guided);
    expect((await ack(answer)).answer['kind']).toBe('blocked');
    // Neither the run that stands nor one that begins in that session.
    expect((await start('EARLIER-1', { fresh: true })).answer['preferences']).toEqual(modes.guided);
  });

  it('of an earlier step hold where it is done again, whatever was chosen since', async () => {
    const { answer: first } = await start('WORK-1');
    const { answer: second } = await ack(first, { confirmed: true });
    const changed = await requests.people.changePreferences({
      session: 'WORK-1',
      global: false,
      asked: { mode: 'auto_never_stop' },
    });
    expect(changed).toMatchObject({ ok: true, value: { changed: ['session', 'run'] } });
    expect((await ack(second)).answer).toMatchObject({ kind: 'complete', preferences: modes.auto_never_stop });
    const { answer: back } = await look(first);
    expect(back).toMatchObject({ happened: 'looked_back', preferences: modes.guided });
    expect((await ack(back)).answer['kind']).toBe('blocked');
  });

  it('are a closed set: another name or value is refused, and nothing is recorded', async () => {
    for (const preferences of [{ speed: 'fast' }, { autonomy: 'free' }, { mode: 'bold' }]) {
      const { reply, answer } = await start('WORK-1', { preferences });
      expect([reply.failed, answer['error_code']]).toEqual([true, 'VALIDATION_ERROR']);
    }
    expect(linesOnDisk(world.data)).toEqual([]);
  });

  it('go further by an agent only as far as the start or a person allowed; the refusal names the command', async () => {
    const { answer } = await start('WORK-1');
    const before = linesOnDisk(world.data).length;
    const { reply } = await ack(answer, { preferences: { mode: 'auto_never_stop' } });
    expect(reply.text).toMatch(/^PRECONDITION_FAILED: [\s\S]*workrail prefs WORK-1 --mode auto_never_stop/u);
    expect(linesOnDisk(world.data)).toHaveLength(before);
    const careful = await start('WORK-2', { mode: 'auto_never_stop' });
    expect((await ack(careful.answer, { preferences: { mode: 'guided' } })).answer['preferences']).toEqual(
      modes.guided,
    );
  });

  it('say to an agent whom to ask: the user, or itself, and what to do about what is missing', async () => {
    for (const [mode, preferences] of [
      ['guided', {}],
      ['auto_stop', {}],
      ['auto_never_stop', {}],
      ['guided', { assumptionPolicy: 'record_when_missing' }],
      ['auto_stop', { assumptionPolicy: 'ask_when_missing' }],
    ] as const) {
      const { reply, answer } = await start(`ROLES-${mode}`, { mode, preferences, fresh: true });
      const { autonomy, assumptionPolicy } = fieldsOf(answer['preferences']);
      const isAuto = autonomy !== 'guided';
      expect(reply.text.includes('Settle first, yourself, by looking and by explicit assumptions: Which one?')).toBe(
        isAuto,
      );
      expect(reply.text.includes('Settle first with the user: Which one?')).toBe(!isAuto);
      expect(reply.text.includes('You play both roles in this mode')).toBe(isAuto);
      expect(reply.text.includes('When something is missing, ask the user.')).toBe(
        assumptionPolicy === 'ask_when_missing',
      );
    }
  });

  it('that are bolder than recommended are warned of with what is recommended, in fields, by any policy', async () => {
    for (const riskPolicy of ['conservative', 'balanced', 'aggressive']) {
      const bold = await start(`BOLD-${riskPolicy}`, { mode: 'auto_never_stop', preferences: { riskPolicy } });
      expect(listOf(bold.answer['warnings'])).toMatchObject([
        { code: 'BOLDER_THAN_RECOMMENDED', recommended: { autonomy: 'guided', gateHandling: 'block' } },
      ]);
      const second = await ack(bold.answer);
      expect(codesOf(second)).toEqual(['CONFIRMATION_PENDING']);
      const last = await ack(second.answer);
      expect([...codesOf(last), last.answer['status']]).toEqual(['GAP_RECORDED', 'complete_with_gaps']);
    }
  });
});

describe('what only looks', () => {
  it('changes no byte of a session: lists, previews, searches, and steps and pages shown again', async () => {
    const { answer } = await start('WORK-1');
    const { stateToken } = pairOf((await ack(answer, { confirmed: true })).answer);
    const sessions = join(world.data, 'sessions');
    const before = treeOf(sessions);
    const looks: readonly (readonly [RequestName, JsonObject])[] = [
      ['list_workflows', { query: 'walk' }],
      ...(['metadata', 'preview', 'source'] as const).map(
        (mode) => ['inspect_workflow', { workflowId: 'wr.gated', mode }] as const,
      ),
      ['resume_session', { query: 'Done' }],
      ['continue_workflow', { stateToken: textOf(answer['stateToken']) }],
      ['continue_workflow', { stateToken }],
      ['continue_workflow', { stateToken, page: 'record.0' }],
    ];
    for (const [name, raw] of looks) {
      expect((await call(requests, name, raw)).reply.failed, name).toBe(false);
      expect(treeOf(sessions), name).toEqual(before);
    }
  });
});

describe('a recap that is too long', () => {
  it('says in the text and in fields how much is left out, by what rule, and how to read it', async () => {
    const steps = Array.from({ length: 12 }, (_, at) => `  - { id: s${at}, title: Step ${at}, prompt: Go. }\n`);
    world.writeWorkflow('long', `workflow: wr.long\ndescription: Many steps.\nsteps:\n${steps.join('')}`);
    let { answer } = await call(requests, 'start_workflow', { workflowId: 'wr.long', session: 'LONG-1' });
    for (let at = 0; at < 10; at += 1)
      ({ answer } = await ack(answer, { output: { notesMarkdown: `${at}: ${'what was seen. '.repeat(60)}` } }));
    const { reply, answer: tip } = await look(answer);
    const recap = fieldsOf(tip['recap']);
    const omitted = recap['omitted'] as number;
    expect(omitted).toBeGreaterThan(0);
    expect(recap).toMatchObject({ policy: recapPolicy, olderPage: expect.any(String) as string });
    expect(reply.text).toMatch(new RegExp(`${omitted} older entr(?:y|ies) left out`, 'u'));
    expect(reply.text).toContain(`"page":"${textOf(recap['olderPage'])}"`);
  });
});

describe('a checkpoint of a step that is done', () => {
  it('is in the record and found by its words, though the recap has no room for it', async () => {
    const { answer } = await start('WORK-1');
    const stateToken = textOf(answer['stateToken']);
    await call(requests, 'checkpoint_workflow', { stateToken, output: { notesMarkdown: 'Half of the giraffes.' } });
    expect((await look(answer)).reply.text).toContain('Half of the giraffes.');
    const { answer: second } = await ack(answer, { confirmed: true });
    expect(JSON.stringify((await look(second)).answer['recap'])).not.toContain('giraffes');
    const record = { stateToken: textOf(second['stateToken']), page: 'record.0' };
    expect((await call(requests, 'continue_workflow', record)).reply.text).toContain('Half of the giraffes.');
    expect((await call(requests, 'resume_session', { query: 'giraffes' })).answer['found']).toBe(1);
  });
});

describe('tokens', () => {
  it('stand in no line of a session and in no part of a bundle', async () => {
    const { answer } = await start('WORK-1');
    const { answer: second } = await ack(answer, { confirmed: true });
    await call(requests, 'checkpoint_workflow', {
      stateToken: textOf(second['stateToken']),
      output: { notesMarkdown: 'Half of it.' },
    });
    const { manifest, parts } = await unpacked(await bundleOf(requests, 'WORK-1'));
    const texts = [JSON.stringify(manifest), ...[...parts.values()].map((bytes) => bytes.toString('utf8'))];
    expect(texts.join('')).toContain('Half of it.');
    for (const text of texts) expect(text).not.toMatch(/\b(?:st|ack|ss)\.v\d/u);
  });

  it('of a session are taken only where sessions without a workflow are offered', async () => {
    const { answer } = await call(requests, 'start_session', { session: 'NOTES-1' });
    const closed = openRequests({
      workspace: join(world.folder, 'workspace'),
      dataDir: world.data,
      env: { XDG_CONFIG_HOME: join(world.folder, 'config'), XDG_DATA_HOME: join(world.folder, 'user') },
      home: world.folder,
      bundledWorkflows: world.bundled,
      version: '0.0.0-laws',
      offered: new Set(['checkpoint_workflow']),
      now: () => new Date(),
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      log: () => undefined,
    });
    const note = { sessionToken: textOf(answer['sessionToken']), output: { notesMarkdown: 'We use tabs.' } };
    const refused = await call(closed, 'checkpoint_workflow', note);
    await closed.close();
    expect(refused.reply.text).toMatch(/^PRECONDITION_FAILED: [\s\S]*--enable start_session/u);
    expect((await call(requests, 'checkpoint_workflow', note)).reply.failed).toBe(false);
  });
});
