import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { api, calledServers, type CalledServers } from '../../../property-tests/worlds/called-servers.js';
import type { DecidedRun } from '../../../property-tests/worlds/decided-run.js';
import {
  answer,
  chunkedAnswer,
  gzipBomb,
  redirect,
  type Scripted,
} from '../../../property-tests/worlds/scripted-server.js';
import {
  jsonBody,
  operation,
  type Operations,
  playCommands,
  sending,
  sendingWorld,
  toSend,
} from '../../../property-tests/worlds/sent-command.js';
import { sha256Hex } from '../../base/digest.js';
import { limits } from '../../base/limits.js';
import type { Sent } from '../../decide/commands/decide-tried.js';
import type { SentFile } from '../../decide/commands/sent-files.js';
import type { RunStep } from '../../definitions/compiled/compiled-workflow.js';
import type { OperationShape } from '../../definitions/compiled/operation-shape.js';
import type { EventData } from '../../events/event-data.js';
import { sendCommand } from './send-command.js';

let world: CalledServers;
let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'sent-'));
});
afterEach(async () => {
  rmSync(workspace, { recursive: true, force: true });
  await world.close();
});

const write = (more: Partial<OperationShape> = {}): OperationShape =>
  operation({ method: 'POST', safety: 'mutating', bodies: [jsonBody], ...more });
const binary = (type = 'application/octet-stream'): OperationShape =>
  write({ path: '/upload', bodies: [{ contentType: type, required: false }] });
const shop: Operations = {
  get: operation({ path: '/get' }),
  other: operation({ path: '/other' }),
  put: write(),
  upload: binary(),
  form: binary('multipart/form-data'),
};
const answers = (to: { readonly [path: string]: Scripted }): void =>
  world.server.script(({ path }) => to[new URL(path, api).pathname.replace('/v1', '')] ?? answer(404));

async function sent(
  step: Partial<RunStep>,
  called: OperationShape = operation(),
  settings: object = {},
): Promise<Sent> {
  return sendCommand(sendingWorld(world, settings), toSend(step, { operation: called }), sending());
}
const tries = ({ events }: DecidedRun): readonly EventData<'command_done'>[] =>
  events.flatMap((event) => (event.kind === 'command_done' ? [event.data] : []));
const ends = ({ events }: DecidedRun): string | undefined =>
  events.flatMap((event) => (event.kind === 'run_stopped' ? [event.data.message] : []))[0];
const containing = (text: string): string => expect.stringContaining(text) as string;
const json = (body: unknown): Scripted => answer(200, body as object);

describe('what is kept of an answer', () => {
  it('stands in the event where it is short once `keep` was applied, and beside it where it is long', async () => {
    world = await calledServers();
    const long = { items: Array.from({ length: 30_000 }, (_, id) => ({ id, text: 'ten signs.' })) };
    answers({ '/get': json(long) });
    const env = sendingWorld(world);
    const kept = await playCommands(
      env,
      '  - { id: a, run: shop get, keep: { first: "body.items[0].text" } }\n  - { id: b, run: shop other, with: { q: "${{ outputs.a.body.first }}" }, expect: 404 }',
      shop,
    );
    expect(tries(kept)[0]).toMatchObject({ outcome: 'ok', body: { first: 'ten signs.' } });
    expect(world.server.seen.at(-1)?.path).toBe('/v1/other?q=ten%20signs.');
    const whole = await playCommands(env, '  - { id: a, run: shop get }', shop);
    const [done] = tries(whole);
    const bytes = Buffer.from(JSON.stringify(long));
    expect(done).not.toHaveProperty('body');
    expect(done).toMatchObject({
      outcome: 'ok',
      then: 'done',
      file: { sha256: sha256Hex(bytes), bytes: bytes.length, type: 'application/json' },
    });
    expect(env.blobs.get(sha256Hex(bytes))).toEqual(bytes);
  });

  it('says of a body that is beside the session that it is there, and what to do', async () => {
    world = await calledServers();
    answers({ '/get': answer(200, 'x'.repeat(limits.commandResult + 1), { 'content-type': 'text/plain' }) });
    const read = (text: string): Promise<DecidedRun> =>
      playCommands(
        sendingWorld(world),
        `  - { id: a, run: shop get }\n  - { id: b, run: shop other, with: { q: "${text}" }, expect: 404 }`,
        shop,
      );
    const stopped = ends(await read('${{ outputs.a.body }}'));
    expect(stopped).toContain(`\`outputs.a.body\` is kept as a file (${limits.commandResult + 1} bytes, text/plain)`);
    expect(stopped).toContain('`keep`');
    expect(ends(await read('${{ outputs.a.file.bytes }}'))).toBeUndefined();
    expect(world.server.seen.at(-1)?.path).toBe(`/v1/other?q=${limits.commandResult + 1}`);
  });

  it('is a file where it is no text, and nothing where there is none', async () => {
    world = await calledServers();
    const bytes = Buffer.from([0, 1, 2, 255]);
    answers({
      '/get': answer(200, bytes, { 'content-type': 'image/png' }),
      '/other': answer(204),
      '/items': answer(200),
    });
    const run = await playCommands(
      sendingWorld(world),
      '  - { id: a, run: shop get }\n  - { id: b, run: shop other }\n  - { id: c, run: shop put, expect: "body == null" }',
      shop,
    );
    expect(tries(run)).toMatchObject([
      { file: { sha256: sha256Hex(bytes), bytes: 4, type: 'image/png' } },
      { status: 204, body: null },
      { status: 200, body: null },
    ]);
  });
});

describe('an answer that cannot be used', () => {
  it('is told apart: not JSON, another type, part of it, a bomb, too long', async () => {
    world = await calledServers();
    const after = async (scripted: Scripted, step: Partial<RunStep> = {}): Promise<Sent['came']> => {
      world.server.script(() => scripted);
      return (await sent({ retry: { max: 0 }, ...step })).came;
    };
    const asJson = { 'content-type': 'application/json' };
    const reading = { keep: { id: 'body.id' } };
    // What nobody reads is no reason to fail.
    expect(await after(answer(200, '{"id": 1', asJson))).toMatchObject({
      verdict: { kind: 'right', left: { body: '{"id": 1' } },
    });
    expect(await after(answer(200, '{"id": 1', asJson), reading)).toMatchObject({
      verdict: { kind: 'wrong', message: containing('not valid JSON'), left: { body: '{"id": 1' } },
    });
    expect(await after(answer(200, '<p>id', { 'content-type': 'text/html' }), reading)).toMatchObject({
      verdict: { kind: 'wrong', message: containing('text/html') },
    });
    expect(await after(answer(200, '', asJson), reading)).toMatchObject({
      verdict: { kind: 'wrong', message: containing('null') },
    });
    const cut = { ...answer(200, { id: 1 }), cut: 60, then: 'end' } as const;
    expect(await after(cut)).toMatchObject({ outcome: 'unknown' });
    expect(await after(gzipBomb(64 * 1024 * 1024))).toMatchObject({
      outcome: 'failed',
      status: 200,
      error: {
        code: 'LIMIT_EXCEEDED',
        message: containing(`${limits.callAnswer} bytes`),
        action: containing('answerBytes'),
      },
    });
    const packed = gzipSync('{"id": 1}');
    const gzip = { ...asJson, 'content-encoding': 'gzip' };
    expect(await after(answer(200, packed.subarray(0, -4), gzip))).toMatchObject({ outcome: 'unknown', status: 200 });
    expect(await after(answer(200, packed, gzip), reading)).toMatchObject({ verdict: { left: { body: { id: 1 } } } });
  });

  it('is known of a write once its status has come, however long the rest is', async () => {
    world = await calledServers();
    const short = { limits: { answerBytes: 1024 } };
    world.server.script(() =>
      chunkedAnswer(
        201,
        Array.from({ length: 40 }, () => 'x'.repeat(100)),
      ),
    );
    expect((await sent({}, write(), short)).came).toEqual({
      status: 201,
      headers: {},
      verdict: { kind: 'right', left: { noBody: 'too_long' } },
    });
    // Where the step wants to read it, or was answered otherwise than it should be, nobody takes it for done.
    for (const step of [{ keep: { id: 'body.id' } }, { expect: [200] }, { expect: 'body.id > 0' }])
      expect((await sent(step, write(), short)).came).toMatchObject({ outcome: 'failed', status: 201 });
    expect((await sent({}, operation(), short)).came).toMatchObject({ outcome: 'failed', status: 201 });
    const run = await playCommands(
      sendingWorld(world, short),
      '  - { id: a, run: shop put, body: {} }\n  - { id: b, run: shop get, with: { q: "${{ outputs.a.body }}" } }',
      shop,
    );
    expect(tries(run)).toHaveLength(1);
    expect(ends(run)).toContain('`limits.answerBytes`');
  });

  it('leads nobody elsewhere with what shows who calls', async () => {
    world = await calledServers({ secrets: [{ catalog: 'shop', origin: api, name: 'KEY', value: 'v3ry-secret' }] });
    const auth = { auth: { kind: 'bearer', token: '${{ secrets.KEY }}' } };
    world.server.script(({ path }) =>
      path.startsWith('/v1') ? redirect(302, 'https://user:pw@other.example.com/') : answer(200, {}),
    );
    expect((await sent({}, operation(), auth)).came).toMatchObject({ error: { code: 'ADDRESS_REFUSED' } });
    world.server.script(({ headers }) =>
      headers['host'] === 'other.example.com'
        ? answer(200, { asked: headers['authorization'] ?? 'nobody' })
        : redirect(302, 'https://other.example.com/'),
    );
    expect((await sent({}, operation(), auth)).came).toMatchObject({
      verdict: { left: { body: { asked: 'nobody' } } },
    });
  });
});

describe('files that are sent', () => {
  const upload = async (body: string, folder = workspace, command = 'upload'): Promise<DecidedRun> =>
    playCommands(
      sendingWorld(world, { workspace: folder }),
      `  - { id: a, run: shop get }\n  - { id: b, run: shop ${command}, body: ${body} }`,
      shop,
    );

  it('are of the workspace, or what an earlier step brought, be it bytes, text or JSON', async () => {
    world = await calledServers();
    mkdirSync(join(workspace, 'reports'));
    writeFileSync(join(workspace, 'reports', 'a.txt'), 'a report');
    symlinkSync('reports/a.txt', join(workspace, 'link.txt'));
    const bytes = Buffer.from([137, 80, 78, 71, 0, 255]);
    const got: string[] = [];
    const after = async (body: string, first: Scripted = json({}), command?: string): Promise<string | undefined> => {
      world.server.script(({ path, body: sentBody, headers }) => {
        if (path.endsWith('/get')) return first;
        got.push(sentBody);
        return answer(200, { type: headers['content-type'] });
      });
      const before = got.length;
      const run = await upload(body, workspace, command);
      expect(ends(run)).toBeUndefined();
      return got[before];
    };
    expect(await after('{ file: reports/a.txt }')).toBe('a report');
    expect(await after('{ file: link.txt }')).toBe('a report');
    const image = answer(200, bytes, { 'content-type': 'image/png' });
    for (const hole of ['outputs.a.body', 'outputs.a.file', 'outputs["a"].body'])
      expect(await after(`{ file: '\${{ ${hole} }}' }`, image)).toBe(bytes.toString());
    expect(await after("{ file: '${{ outputs.a.body }}' }", answer(200, 'grüß'))).toBe('grüß');
    expect(await after("{ file: '${{ outputs.a.body }}' }", json({ a: [1] }))).toBe('{"a":[1]}');
    const form = await after("{ part: { file: '${{ outputs.a.body }}', name: a.png }, said: it }", image, 'form');
    expect(form).toContain('name="part"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n');
    expect(form).toContain('name="said"\r\n\r\nit\r\n');
  });

  it('are refused where they are not in the workspace, or not there, and then nothing is sent', async () => {
    world = await calledServers();
    answers({ '/get': json({ path: '../outside.txt' }), '/upload': answer(200) });
    const inside = join(workspace, 'inside');
    mkdirSync(join(inside, 'config'), { recursive: true });
    mkdirSync(join(inside, 'folder'));
    writeFileSync(join(workspace, 'outside.txt'), 'not for you');
    writeFileSync(join(inside, 'config', 'secrets.json'), '{}');
    symlinkSync('../outside.txt', join(inside, 'link.txt'));
    symlinkSync('..', join(inside, 'up'));
    const cases = [
      ['missing.txt', 'does not exist in the workspace'],
      ['link.txt', 'outside the workspace'],
      ['up/outside.txt', 'outside the workspace'],
      ['${{ outputs.a.body.path }}', 'outside the workspace'],
      ['config/secrets.json', 'not sent'],
      ['folder', 'EFTYPE'],
    ] as const;
    for (const [file, why] of cases) {
      const run = await upload(`{ file: '${file}' }`, inside);
      expect([file, tries(run)[1]]).toMatchObject([
        file,
        { outcome: 'not_sent', error: { code: 'PRECONDITION_FAILED', message: containing(why) } },
      ]);
    }
    expect(world.server.seen.filter(({ path }) => path.endsWith('/upload'))).toEqual([]);
  });

  it('are no longer there once the machine has forgotten them', async () => {
    world = await calledServers();
    answers({ '/get': answer(200, Buffer.from([0, 255])), '/upload': answer(200) });
    const env = sendingWorld(world);
    env.store.running.blob = async () => undefined;
    const run = await playCommands(
      env,
      "  - { id: a, run: shop get }\n  - { id: b, run: shop upload, body: { file: '${{ outputs.a.body }}' } }",
      shop,
    );
    expect(tries(run)[1]).toMatchObject({ outcome: 'not_sent', error: { message: containing('no longer kept') } });
  });
});

describe('an answer that is secret', () => {
  const steps = `  - { id: login, run: shop put, body: { user: me }, keep: { token: body.token }, secret: true }
  - { id: look, run: shop get, with: { key: "\${{ outputs.login.body.token }}" } }
  - { id: back, run: shop other, if: outputs.look.ok }`;
  const token = 'a-t0ken/of the server+';

  it('is sent by later steps of this process and stands nowhere, not even where a server tells it', async () => {
    world = await calledServers();
    answers({
      '/items': answer(
        201,
        { token, refresh: 'r3fresh-token' },
        { location: `${api}/v1/${encodeURIComponent(token)}` },
      ),
      '/get': json({ you: token, again: [encodeURIComponent(token), Buffer.from(token).toString('base64')] }),
      '/other': answer(200, `said ${token}`, { 'content-type': 'text/plain' }),
    });
    const env = sendingWorld(world);
    for (let time = 0; time < 2; time += 1) {
      const run = await playCommands(env, steps, shop);
      expect(tries(run)[0]).toEqual({
        ...tries(run)[0],
        outcome: 'ok',
        status: 201,
        noBody: 'secret',
      });
      expect(new URL(world.server.seen.at(-2)!.path, api).searchParams.get('key')).toBe(token);
      const told = JSON.stringify(run.events);
      for (const spelled of [token, encodeURIComponent(token), Buffer.from(token).toString('base64'), 'r3fresh-token'])
        expect(told).not.toContain(spelled);
      expect(told).toContain('said [secret]');
    }
  });

  it('is not known to another process, which says so', async () => {
    world = await calledServers();
    answers({ '/items': answer(201, { token }), '/get': json({}), '/other': json({}) });
    const env = sendingWorld(world);
    const run = await playCommands(
      { ...env, secretAnswers: { keep: () => undefined, of: () => undefined } },
      steps,
      shop,
    );
    expect(tries(run)).toHaveLength(1);
    expect(ends(run)).toContain('`outputs.login.body` is secret');
    expect(ends(run)).toContain('run the workflow again');
  });

  it('has few enough texts that all can be kept out of everything', async () => {
    world = await calledServers();
    answers({ '/items': json(Array.from({ length: limits.secretTexts + 1 }, (_, at) => `a text of its own ${at}`)) });
    const one = '  - { id: a, run: shop put, body: {}, secret: true }';
    expect(tries(await playCommands(sendingWorld(world), one, shop))[0]).toMatchObject({
      outcome: 'failed',
      noBody: 'secret',
      error: { message: containing('`keep`') },
    });
  });
});

describe('the time of a step', () => {
  it('bounds all tries and pauses together, and what it was is known', async () => {
    world = await calledServers();
    world.server.script(() => answer(503, 'later', { 'retry-after': '50' }));
    const env = sendingWorld(world);
    const within = (leftMs: number): Promise<Sent> =>
      sendCommand(env, toSend({ retry: { max: 5 } }), { ...sending(), leftMs });
    const paused = (): number => world.clock.pauses.filter((ms) => ms === 50_000).length;
    await within(40_000);
    expect([paused(), world.server.seen.length]).toEqual([0, 1]);
    await within(120_000);
    expect([paused(), world.server.seen.length]).toEqual([2, 4]);
  });

  it('bounds its pages too', async () => {
    world = await calledServers();
    world.server.script(({ path }, count) =>
      count % 2 === 1 ? answer(429, '', { 'retry-after': '40' }) : answer(200, [path]),
    );
    const paged = toSend({ paginate: { by: 'page', param: 'page', first: 1, maxPages: 10 }, retry: { max: 2 } });
    expect(await sendCommand(sendingWorld(world), paged, { ...sending(), leftMs: 100_000 })).toMatchObject({
      pages: 3,
      came: { status: 429, verdict: { kind: 'wrong', message: containing('page 3: ') } },
    });
  });

  it('begins nothing once it is over', async () => {
    world = await calledServers();
    for (const paged of [{}, { paginate: { by: 'link' as const } }])
      expect((await sendCommand(sendingWorld(world), toSend(paged), { ...sending(), leftMs: 0 })).came).toMatchObject({
        outcome: 'not_sent',
        error: { message: containing('`timeout` of the step is over') },
      });
    expect(world.server.connections()).toBe(0);
    world.server.script(({ path }, count) => {
      world.clock.move(60_000);
      return answer(200, [path], { link: `</v1/items?q=${count}>; rel="next"` });
    });
    const paged = toSend({ paginate: { by: 'link' } });
    expect(await sendCommand(sendingWorld(world), paged, { ...sending(), leftMs: 120_000 })).toMatchObject({
      pages: 3,
      came: { outcome: 'failed', error: { message: containing('page 3: the `timeout` of the step is over') } },
    });
    expect(world.server.seen).toHaveLength(2);
  });

  it('ends a try that takes longer', async () => {
    world = await calledServers();
    world.server.script(() => ({ ...answer(200), then: 'hang', cut: 0 }));
    for (const called of [operation(), write()])
      expect(
        await sendCommand(sendingWorld(world), toSend({}, { operation: called }), { ...sending(), leftMs: 2000 }),
      ).toMatchObject({
        came: { outcome: 'unknown', error: { message: containing('within 2 s') } },
      });
  });

  it('is told where the server asks for more than is waited', async () => {
    world = await calledServers();
    world.server.script(() => answer(429, '', { 'retry-after': '600' }));
    expect(await sent({})).toMatchObject({ retryAfterMs: 600_000, came: { status: 429, verdict: { kind: 'wrong' } } });
    expect(await sent({ retry: { upToMs: 700_000, max: 1 } })).toMatchObject({ retryAfterMs: 600_000 });
    expect(world.clock.pauses).toEqual([600_000]);
    const at = new Date(world.clock.now() + 90_000).toUTCString();
    world.server.script(() => answer(503, '', { 'retry-after': at }));
    expect(await sent({ paginate: { by: 'link' } })).toMatchObject({ retryAfterMs: 90_000, pages: 1 });
  });
});

it('sends nothing where there is no catalog, no value for a parameter, or no secret', async () => {
  world = await calledServers();
  expect((await sent({}, operation(), { missing: true })).came).toMatchObject({
    outcome: 'not_sent',
    error: { message: containing('there is no catalog shop') },
  });
  const given = (more: object): Promise<Sent> => sendCommand(sendingWorld(world), toSend({}, more), sending());
  expect((await given({ with: { nope: 1 } })).came).toMatchObject({
    outcome: 'not_sent',
    error: { code: 'VALIDATION_ERROR' },
  });
  expect((await given({ with: { key: '${{ secrets.KEY m4rk }}' } })).came).toMatchObject({
    outcome: 'not_sent',
    error: { code: 'PRECONDITION_FAILED' },
  });
  expect(world.server.connections()).toBe(0);
});

it('sends no file that changed once the request was decided, and reads it at once', async () => {
  world = await calledServers();
  answers({ '/upload': answer(201) });
  const name = join(workspace, 'a.zip');
  writeFileSync(name, 'now');
  const upload = (files: readonly SentFile[]): Promise<Sent> => {
    const body = { file: 'a.zip' };
    const command = toSend({}, { operation: shop['upload']!, with: {}, body, named: { with: {}, body }, files });
    return sendCommand(sendingWorld(world, { workspace }), command, sending());
  };
  for (const files of [[{ file: 'a.zip', sha256: sha256Hex('before'), bytes: 6 }], [{ file: 'a.zip' }], []])
    expect((await upload(files)).came).toMatchObject({
      outcome: 'not_sent',
      error: { code: 'PRECONDITION_FAILED', message: containing('`a.zip` was changed just before') },
    });
  expect(world.server.connections()).toBe(0);
  expect((await upload([{ file: 'a.zip', sha256: sha256Hex('now'), bytes: 3 }])).came).toMatchObject({ status: 201 });
  expect(world.server.seen.map(({ body }) => body)).toEqual(['now']);
});

it('sends nothing to another address than the one that was decided about, and has it decided anew', async () => {
  world = await calledServers();
  const shape: Partial<OperationShape> = { ...operation() };
  Reflect.deleteProperty(shape, 'baseUrl');
  for (const [baseUrl, isSent] of [
    [`${api}/v1`, true],
    [`${api}/v1/`, true],
    [`${api}/v2`, false],
    ['https://other.example.com/v1', false],
  ] as const) {
    const command = toSend({}, { operation: shape as OperationShape, address: `${api}/v1` });
    const { came } = await sendCommand(sendingWorld(world, { baseUrl }), command, sending());
    if (isSent) expect(came).toMatchObject({ status: 200 });
    else expect(came).toMatchObject({ outcome: 'not_sent', isAnew: true, error: { message: containing('changed') } });
  }
  expect(world.server.seen).toHaveLength(2);
});
