import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { encodeLine } from '../../../src/events/line-codec.js';
import type { EventDraft } from '../../../src/events/event.js';
import type { OriginId, SessionId, WriterId } from '../../../src/base/ids.js';
import type { Requests } from '../../../src/requests/requests.js';
import {
  bundleOf,
  exportOf,
  forged,
  importedOf,
  importOf,
  inPieces,
  treeOf,
  unpacked,
} from '../../worlds/bundle-world.js';
import {
  call,
  linesOnDisk,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  sessionFolders,
  textOf,
} from '../../worlds/requests-world.js';
import { renderWorkflow, straightWorkflow } from '../../worlds/tiny-workflow.js';

const worlds: RequestsWorld[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

interface Two {
  readonly world: RequestsWorld;
  readonly here: Requests;
  /** Another installation: keys and data of its own. */
  readonly there: Requests;
  readonly theirs: string;
}

function two(): Two {
  const world = makeRequestsWorld({ seed: 7 });
  worlds.push(world);
  world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 3)));
  const theirs = join(world.folder, 'theirs');
  return { world, here: world.open(), theirs, there: otherInstallation(world, theirs) };
}

const otherInstallation = (world: RequestsWorld, data: string, name = 'other'): Requests =>
  world.open(data, { XDG_CONFIG_HOME: join(world.folder, name), XDG_DATA_HOME: join(world.folder, `${name}-user`) });

interface Started {
  readonly stateToken: string;
  readonly ackToken: string;
}

const tokensOf = (answer: { readonly [key: string]: unknown }): Started => ({
  stateToken: textOf((answer as JsonObject)['stateToken']),
  ackToken: textOf((answer as JsonObject)['ackToken']),
});

async function started(requests: Requests, session = 'ALPHA-1'): Promise<Started> {
  return tokensOf((await call(requests, 'start_workflow', { workflowId: 'wr.one', session })).answer);
}

async function ack(requests: Requests, tokens: Started, notes: string): Promise<Started> {
  return tokensOf((await call(requests, 'continue_workflow', { ...tokens, output: { notesMarkdown: notes } })).answer);
}

test('an empty installation with another key finds the work by its words and goes on at the same step; both go on, and both branches are there', async () => {
  const { world, here, there, theirs } = two();
  const mine = await ack(here, await started(here), 'The login redirect loops when the cookie is cut');
  const before = (await call(here, 'continue_workflow', { stateToken: mine.stateToken })).answer;
  expect(await importedOf(there, await bundleOf(here, 'ALPHA-1'))).toMatchObject({
    outcome: 'imported',
    sessionId: 'ALPHA-1',
    warnings: [],
  });
  expect(readdirSync(theirs).toSorted()).toEqual(['.gitattributes', '.gitignore', 'sessions']);

  const foreign = await call(there, 'continue_workflow', { stateToken: mine.stateToken });
  expect(foreign.answer['error_code']).toBe('TOKEN_FOREIGN');
  const found = await call(there, 'resume_session', { query: 'login redirect cookie' });
  const [candidate] = listOf(found.answer['candidates']);
  expect(candidate?.['sessionId']).toBe('ALPHA-1');
  const again = (await call(there, 'continue_workflow', { stateToken: textOf(candidate?.['stateToken']) })).answer;
  expect(again['pending']).toEqual(before['pending']);
  expect(again['recap']).toEqual(before['recap']);
  await ack(there, tokensOf(again), 'Theirs: it is the proxy');
  await ack(here, mine, 'Mine: it is the browser');

  const fromThem = await bundleOf(there, 'ALPHA-1');
  const fromMe = await bundleOf(here, 'ALPHA-1');
  expect(await importedOf(here, fromThem, true)).toMatchObject({
    outcome: 'merged',
    sessionId: 'ALPHA-1',
    merged: { added: 1, grown: 0 },
  });
  expect(await importedOf(there, fromMe, true)).toMatchObject({ outcome: 'merged', merged: { added: 0, grown: 1 } });
  for (const requests of [here, there]) {
    const story = await requests.people.readStory({ session: 'ALPHA-1' });
    expect(story.ok && story.value.runs.map(({ tips }) => tips.length)).toEqual([2]);
    expect(JSON.stringify(story)).toContain('Theirs: it is the proxy');
    expect(JSON.stringify(story)).toContain('Mine: it is the browser');
    expect(story.ok && story.value.findings).toEqual([]);
  }
  expect((await bundleOf(there, 'ALPHA-1')).equals(await bundleOf(here, 'ALPHA-1'))).toBe(true);
  // Again, nothing is new.
  expect(await importedOf(here, fromThem, true)).toMatchObject({
    outcome: 'already_here',
    merged: { added: 0, grown: 0 },
  });
  expect(linesOnDisk(world.data)).toEqual(linesOnDisk(theirs));
});

test('the same session again is a no-op; other content of its id becomes a session of its own, once', async () => {
  const { here, there, theirs } = two();
  const tokens = await started(here);
  const first = await bundleOf(here, 'ALPHA-1');
  await importedOf(there, first);
  const once = treeOf(join(theirs, 'sessions'));
  expect(await importedOf(there, first)).toMatchObject({ outcome: 'already_here', sessionId: 'ALPHA-1' });
  expect(treeOf(join(theirs, 'sessions'))).toEqual(once);
  await ack(here, tokens, 'went on');
  const second = await bundleOf(here, 'ALPHA-1');
  const other = await importedOf(there, second);
  expect(other).toMatchObject({
    outcome: 'imported_as_new',
    bundle: { exportedAs: 'ALPHA-1' },
    resume: { sessionId: other.sessionId },
  });
  expect(other.sessionId).toMatch(/^ses_[0-9a-f]{12}$/u);
  expect(await importedOf(there, second)).toMatchObject({ outcome: 'already_here', sessionId: other.sessionId });
  expect(sessionFolders(theirs)).toEqual(['ALPHA-1', other.sessionId]);
  // The bytes are the same, and whoever exports it says the same of them but its name.
  const { parts } = await unpacked(second);
  const forwarded = await unpacked(await bundleOf(there, other.sessionId));
  expect([...forwarded.parts]).toEqual([...parts]);
  expect(forwarded.manifest).toMatchObject({ origin: 'ALPHA-1', sessionId: other.sessionId });
  // Names are compared without case, as file systems may.
  const { manifest } = await unpacked(first);
  expect(
    (
      await importedOf(
        there,
        await forged(manifest, parts, {
          sessionId: 'alpha-1' as SessionId,
          counts: (await unpacked(second)).manifest.counts,
        }),
      )
    ).outcome,
  ).toBe('already_here');
  expect(sessionFolders(theirs)).toEqual(['ALPHA-1', other.sessionId]);
});

test('a session that no folder could be named for gets another name', async () => {
  const { here, there, theirs } = two();
  await started(here);
  const { manifest, parts } = await unpacked(await bundleOf(here, 'ALPHA-1'));
  for (const name of ['con', 'NUL.txt', 'ends.']) {
    expect(await importedOf(there, await forged(manifest, parts, { sessionId: name as SessionId }))).toMatchObject({
      outcome:
        sessionFolders(theirs).length === 1 && name === 'con' ? 'imported_as_new' : (expect.any(String) as string),
    });
  }
  expect(sessionFolders(theirs).every((name) => name.startsWith('ses_'))).toBe(true);
});

test('what shares no history is not merged, and neither is what went two ways under one name', async () => {
  const { here, there, theirs } = two();
  await started(here);
  await started(there);
  const mine = await bundleOf(here, 'ALPHA-1');
  const before = treeOf(join(theirs, 'sessions'));
  const stranger = await importOf(there, mine, true);
  expect(stranger).toMatchObject({
    ok: false,
    error: {
      code: 'PRECONDITION_FAILED',
      message: expect.stringContaining('share no history') as string,
      action: expect.stringContaining('without --merge') as string,
    },
  });
  expect(treeOf(join(theirs, 'sessions'))).toEqual(before);

  // A writer that is copied with its installation, and goes on in both.
  const { manifest, parts } = await unpacked(await bundleOf(there, 'ALPHA-1'));
  const [name] = [...parts.keys()].filter((key) => key.startsWith('segments/'));
  const writer = /-(\w+)\./u.exec(name!)![1] as WriterId;
  const last = JSON.parse(parts.get(name!)!.toString().trimEnd().split('\n').at(-1)!) as { seq: number; sum: string };
  const line = (text: string): Buffer =>
    Buffer.from(
      encodeLine(
        { kind: 'note_added', data: { text } },
        { seq: last.seq + 1, by: writer, at: '2026-01-02T00:00:00.000Z', prev: last.sum as never },
      ).line,
    );
  const grown = (text: string): Promise<Buffer> =>
    forged(manifest, new Map(parts).set(name!, Buffer.concat([parts.get(name!)!, line(text)])), {
      counts: {
        ...manifest.counts,
        lines: manifest.counts.lines + 1,
        bytes: manifest.counts.bytes + line(text).length,
      },
    });
  expect(await importedOf(there, await grown('one way'), true)).toMatchObject({
    outcome: 'merged',
    merged: { added: 0, grown: 1 },
  });
  const after = treeOf(join(theirs, 'sessions'));
  expect(await importOf(there, await grown('the other'), true)).toMatchObject({
    ok: false,
    error: { code: 'PRECONDITION_FAILED', message: expect.stringContaining(name!) as string },
  });
  expect(treeOf(join(theirs, 'sessions'))).toEqual(after);
  expect((await importedOf(there, await grown('the other'))).outcome).toBe('imported_as_new');
});

test('a merge that would hide lines of the receiver by a redaction of others names them, and does nothing unless it may', async () => {
  const { world, here, there } = two();
  await ack(here, await started(here), 'My own finding: the clock is wrong');
  await importedOf(there, await bundleOf(here, 'ALPHA-1'));
  const redacted = await there.people.redactSession({
    session: 'ALPHA-1',
    what: 'My own finding',
    secrets: false,
    dryRun: false,
  });
  expect(redacted.ok).toBe(true);
  const mine = linesOnDisk(world.data).find(({ kind }) => kind === 'step_acked');
  const bundle = await bundleOf(there, 'ALPHA-1');
  // What is of this machine alone changes by itself: a lease is let go of when nobody has asked for a while.
  const before = treeOf(join(world.data, 'sessions'));
  const refused = await importOf(here, bundle, true);
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'PRECONDITION_FAILED',
      message: expect.stringContaining(`1 line in your copy of ALPHA-1 as redacted`) as string,
      context: { count: 1, hidden: [{ event: mine?.sum, kind: 'step_acked' }] },
    },
  });
  expect(treeOf(join(world.data, 'sessions'))).toEqual(before);
  const asked: unknown[] = [];
  const merged = await here.people.importBundle({
    bytes: inPieces(bundle, 5000),
    merge: true,
    agree: (hidden) => {
      asked.push(hidden);
      return Promise.resolve(true);
    },
  });
  expect(merged).toMatchObject({ ok: true, value: { outcome: 'merged' } });
  expect(asked).toEqual([{ sessionId: 'ALPHA-1', count: 1, lines: [expect.objectContaining({ event: mine?.sum })] }]);
  // Told once: what was agreed to is not asked about again, nor is what was redacted here.
  expect(await importedOf(here, bundle, true)).toMatchObject({ outcome: 'already_here' });
  expect((await importOf(there, await bundleOf(there, 'ALPHA-1'), true)).ok).toBe(true);
});

test('a merge finds the session under the id that an import gave it', async () => {
  const { here, there } = two();
  const tokens = await started(here);
  await started(there);
  const other = await importedOf(there, await bundleOf(here, 'ALPHA-1'));
  expect(other.outcome).toBe('imported_as_new');
  await ack(here, tokens, 'went on');
  expect(await importedOf(there, await bundleOf(here, 'ALPHA-1'), true)).toMatchObject({
    outcome: 'merged',
    sessionId: other.sessionId,
    merged: { added: 0, grown: 1 },
    resume: { sessionId: other.sessionId },
  });
});

test('a merge with nothing here to merge with is an import', async () => {
  const { here, there } = two();
  await started(here);
  expect(await importedOf(there, await bundleOf(here, 'ALPHA-1'), true)).toMatchObject({
    outcome: 'imported',
    sessionId: 'ALPHA-1',
  });
});

test('two imports at once: one makes it, the other sees it', async () => {
  const { world, here, there, theirs } = two();
  await ack(here, await started(here), 'done');
  const bundle = await bundleOf(here, 'ALPHA-1');
  const third = otherInstallation(world, theirs, 'third');
  const outcomes = (
    await Promise.all([importedOf(there, bundle), importedOf(third, bundle), importedOf(there, bundle)])
  ).map(({ outcome }) => outcome);
  expect(outcomes.toSorted()).toEqual(['already_here', 'already_here', 'imported']);
  expect(sessionFolders(theirs)).toEqual(['ALPHA-1']);
  // Whoever made the folder takes it away again, unless another is still in it.
  const local = join(theirs, 'local');
  expect(existsSync(local) ? readdirSync(local) : []).toEqual([]);
});

test('what a killed import left is taken away by the next one, what another is at work on is not', async () => {
  const { here, there, theirs } = two();
  await started(here);
  const bundle = await bundleOf(here, 'ALPHA-1');
  const staged = (name: string, holder: object | undefined): string => {
    const folder = join(theirs, 'local', `import-${name}`);
    mkdirSync(join(folder, 'session', 'segments'), { recursive: true });
    if (holder !== undefined) writeFileSync(join(folder, 'holder'), JSON.stringify(holder));
    return folder;
  };
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const { hostname } = await import('node:os');
  const dead = staged('dead', { pid: child.pid, host: hostname() });
  const alive = staged('alive', { pid: process.pid, host: hostname() });
  const elsewhere = staged('elsewhere', { pid: child.pid, host: 'another-machine' });
  const nameless = staged('nameless', undefined);
  const old = staged('old', { pid: process.pid, host: hostname() });
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(old, longAgo, longAgo);
  await importedOf(there, bundle);
  expect([dead, alive, elsewhere, nameless, old].map((folder) => existsSync(folder))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(sessionFolders(theirs)).toEqual(['ALPHA-1']);
});

test('nothing is written through a link', async () => {
  const { here, there, theirs, world } = two();
  await started(here);
  const bundle = await bundleOf(here, 'ALPHA-1');
  for (const part of ['local', 'sessions']) {
    const outside = join(world.folder, `outside-${part}`);
    for (const folder of [theirs, outside]) mkdirSync(folder, { recursive: true });
    symlinkSync(outside, join(theirs, part));
    expect(await importOf(there, bundle)).toMatchObject({
      ok: false,
      error: { code: 'STORAGE_FAULT', message: expect.stringContaining('symbolic link') as string },
    });
    expect(readdirSync(outside)).toEqual([]);
    rmSync(theirs, { recursive: true });
  }
});

test('a file whose reading fails, or that is stopped, leaves nothing', async () => {
  const { here, there, theirs } = two();
  await started(here);
  const bundle = await bundleOf(here, 'ALPHA-1');
  async function* failing(): AsyncGenerator<Buffer> {
    yield* inPieces(bundle.subarray(0, bundle.length - 100), 500);
    throw Object.assign(new Error('gone'), { code: 'EIO' });
  }
  expect(await there.people.importBundle({ bytes: failing(), merge: false })).toMatchObject({
    ok: false,
    error: { code: 'STORAGE_FAULT', message: expect.stringContaining('EIO') as string },
  });
  const stop = new AbortController();
  const stopped = there.people.importBundle({
    bytes: inPieces(bundle, 500),
    merge: false,
    signal: stop.signal,
    progress: () => stop.abort(),
  });
  expect(await stopped).toMatchObject({
    ok: false,
    error: { code: 'PRECONDITION_FAILED', message: expect.stringContaining('stopped') as string },
  });
  expect(existsSync(theirs)).toBe(false);
});

test('events that cannot stand in a log are refused by file and line, digests being right', async () => {
  const { here, there, theirs } = two();
  await ack(here, await started(here), 'done');
  const { manifest, parts } = await unpacked(await bundleOf(here, 'ALPHA-1'));
  const name = [...parts.keys()].find((key) => key.startsWith('segments/'))!;
  const text = parts.get(name)!.toString();
  const lines = text.trimEnd().split('\n');
  const writer = /-(\w+)\./u.exec(name)![1] as WriterId;
  const last = JSON.parse(lines.at(-1)!) as { readonly seq: number; readonly sum: string };
  const following = (draft: unknown, over: object = {}): string =>
    encodeLine(draft as EventDraft, {
      seq: last.seq + 1,
      by: writer,
      at: '2026-01-02T00:00:00.000Z',
      prev: last.sum as never,
      ...over,
    }).line;
  const deep = (levels: number): unknown => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 0);
  const note = { kind: 'note_added', data: { text: 'more' } };
  const cases: readonly (readonly [string, string | Buffer, string, number])[] = [
    ['no JSON', `${text}{"not json\n`, 'BUNDLE_EVENT_INVALID', 4],
    ['a line of another session', text.replaceAll('ALPHA-1', 'ALPHA-2'), 'BUNDLE_EVENT_INVALID', 1],
    ['a changed line', text.replace('done', 'Done'), 'BUNDLE_EVENT_INVALID', 3],
    ['a line less', `${[...lines.slice(0, 1), ...lines.slice(2)].join('\n')}\n`, 'BUNDLE_EVENT_INVALID', 2],
    ['a line twice', `${[...lines, lines.at(-1)!].join('\n')}\n`, 'BUNDLE_EVENT_INVALID', 4],
    ['a cut line', text.slice(0, -3), 'BUNDLE_EVENT_INVALID', 3],
    ['an append without its end', text + following(note, { more: true }), 'BUNDLE_EVENT_INVALID', 4],
    ['an unknown kind', text + following({ kind: 'run_code', data: { shell: 'rm' } }), 'BUNDLE_UNSUPPORTED_VERSION', 4],
    ['data of another shape', text + following({ kind: 'note_added', data: { text: 1 } }), 'BUNDLE_EVENT_INVALID', 4],
    [
      'a field more',
      text + following({ kind: 'note_added', data: { text: 'x', run: '/bin/sh' } }),
      'BUNDLE_EVENT_INVALID',
      4,
    ],
    [
      'nesting',
      text + following({ kind: 'checkpoint', data: { output: { artifacts: [{ kind: 'x', deep: deep(80) }] } } }),
      'BUNDLE_EVENT_INVALID',
      4,
    ],
    [
      'bad UTF-8',
      Buffer.concat([Buffer.from(text), Buffer.from(following(note), 'latin1').fill(0xff, 60, 62)]),
      'BUNDLE_EVENT_INVALID',
      4,
    ],
    ['line ends of Windows', text.replaceAll('\n', '\r\n'), 'BUNDLE_EVENT_INVALID', 1],
  ];
  for (const [what, changed, code, line] of cases) {
    const bundle = await forged(manifest, new Map(parts).set(name, Buffer.from(changed as string)), {});
    expect(await importOf(there, bundle), what).toMatchObject({
      ok: false,
      error: { code, context: { part: name, line } },
    });
    expect(treeOf(theirs), what).toEqual(['nothing']);
  }
});

test('pins and manifests that do not fit their log are refused, digests being right', async () => {
  const { here, there, theirs } = two();
  await ack(here, await started(here), 'done');
  const { manifest, parts } = await unpacked(await bundleOf(here, 'ALPHA-1'));
  const pin = [...parts.keys()].find((key) => key.startsWith('pins/'))!;
  const without = (name: string): Map<string, Buffer> => new Map([...parts].filter(([key]) => key !== name));
  const withPin = async (text: string): Promise<[string, Buffer]> => {
    const { createHash } = await import('node:crypto');
    return [`pins/${createHash('sha256').update(text).digest('hex')}.json`, Buffer.from(text)];
  };
  const cases: readonly (readonly [string, Buffer, object])[] = [
    ['a pin is missing', await forged(manifest, without(pin)), { code: 'BUNDLE_MISSING_PIN', context: { part: pin } }],
    [
      'a pin more',
      await forged(
        manifest,
        new Map([...parts, await withPin(parts.get(pin)!.toString().replace('"title":"', '"title":"Other '))]),
      ),
      { code: 'BUNDLE_INVALID_FORMAT' },
    ],
    [
      'a pin that is no workflow',
      await forged(manifest, new Map([...parts, await withPin('{"run":"rm -rf /"}')])),
      { code: 'BUNDLE_INTEGRITY_FAILED' },
    ],
    [
      'a pin that is no JSON',
      await forged(manifest, new Map([...parts, await withPin('#!/bin/sh')])),
      { code: 'BUNDLE_INTEGRITY_FAILED', message: expect.stringContaining('not JSON') as string },
    ],
    [
      'a pin that is deep',
      await forged(manifest, new Map([...parts, await withPin(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)])),
      { code: 'BUNDLE_INTEGRITY_FAILED', message: expect.stringContaining('deep') as string },
    ],
    [
      'a newer pin',
      await forged(manifest, new Map([...parts, await withPin('{"compiled":2}')])),
      { code: 'BUNDLE_UNSUPPORTED_VERSION' },
    ],
    [
      'a pin under a false name',
      await forged(manifest, new Map([...parts, [`pins/${'0'.repeat(64)}.json`, parts.get(pin)!]])),
      { code: 'BUNDLE_INTEGRITY_FAILED', context: { part: `pins/${'0'.repeat(64)}.json` } },
    ],
    [
      'another origin',
      await forged(manifest, parts, { origin: 'OTHER-1' as OriginId }),
      { code: 'BUNDLE_INVALID_FORMAT', context: { expected: 'OTHER-1', actual: 'ALPHA-1' } },
    ],
    [
      'another title',
      await forged(manifest, parts, { title: 'Trust me' }),
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('differ in title') as string },
    ],
    [
      'another key',
      await forged(manifest, parts, { key: 'BETA-1' }),
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('differ in key') as string },
    ],
    [
      'other counts',
      await forged({ ...manifest, counts: { ...manifest.counts, lines: 99 } }, parts),
      { code: 'BUNDLE_INVALID_FORMAT', message: expect.stringContaining('differ in lines') as string },
    ],
  ];
  for (const [what, bundle, error] of cases) {
    expect(await importOf(there, bundle), what).toMatchObject({ ok: false, error });
    expect(treeOf(theirs), what).toEqual(['nothing']);
  }
});

test('a segment of another session among the parts is refused', async () => {
  const { here, there, theirs } = two();
  await started(here, 'ALPHA-1');
  await started(here, 'BETA-1');
  const [alpha, beta] = [
    await unpacked(await bundleOf(here, 'ALPHA-1')),
    await unpacked(await bundleOf(here, 'BETA-1')),
  ];
  const foreign = [...beta.parts].find(([name]) => name.startsWith('segments/'))!;
  expect(await importOf(there, await forged(alpha.manifest, new Map([...alpha.parts, foreign])))).toMatchObject({
    ok: false,
    error: { code: 'BUNDLE_EVENT_INVALID', context: { part: foreign[0], line: 1 } },
  });
  expect(treeOf(theirs)).toEqual(['nothing']);
});

test('what looks like a credential stops the export, and is told of on the way in', async () => {
  const { here, there } = two();
  await ack(here, await started(here), `The key is AKIA${'QYLPMN5HFIQR7XYA'} in the log`);
  const refused = await exportOf(here, 'ALPHA-1', false);
  expect(refused).toMatchObject({
    ok: false,
    error: {
      code: 'SECRETS_FOUND',
      context: { sessionId: 'ALPHA-1', secrets: [{ line: 3, pointer: '/output/notes' }] },
    },
  });
  expect(JSON.stringify(refused)).not.toContain('QYLPMN5HFIQR7XYA');
  const exported = await exportOf(here, 'ALPHA-1');
  expect(exported).toMatchObject({ ok: true, value: { secrets: [{ line: 3 }] } });
  expect((await importedOf(there, exported.ok ? exported.value.bytes : Buffer.alloc(0))).warnings).toEqual([
    expect.stringContaining('1 possible credential'),
  ]);
});

test('a damaged session is not exported; the unfinished end of a write is left out', async () => {
  const { world, here, there } = two();
  await ack(here, await started(here), 'done');
  await here.close();
  const folder = join(world.data, 'sessions', 'ALPHA-1', 'segments');
  const file = join(folder, readdirSync(folder)[0]!);
  const whole = readFileSync(file);
  const clean = await bundleOf(world.open(), 'ALPHA-1');
  writeFileSync(file, Buffer.concat([whole, Buffer.from('{"v":1,"seq":')]));
  const torn = await exportOf(world.open(), 'ALPHA-1');
  expect(torn).toMatchObject({ ok: true, value: { warnings: [expect.stringContaining('an unfinished write')] } });
  expect(torn.ok && torn.value.bytes.equals(clean)).toBe(true);
  await importedOf(there, clean);
  const spoilt = Buffer.from(whole);
  spoilt[200]! ^= 1;
  writeFileSync(file, spoilt);
  expect(await exportOf(world.open(), 'ALPHA-1')).toMatchObject({
    ok: false,
    error: {
      code: 'SESSION_DAMAGED',
      action: expect.stringContaining('workrail doctor ALPHA-1') as string,
      context: { sessionId: 'ALPHA-1', line: 1 },
    },
  });
});

test('a pin that is gone comes back from the library; without it nothing is exported', async () => {
  const { world, here } = two();
  await started(here);
  const whole = await bundleOf(here, 'ALPHA-1');
  await here.close();
  const pins = join(world.data, 'sessions', 'ALPHA-1', 'pins');
  rmSync(join(pins, readdirSync(pins)[0]!));
  world.removeWorkflow('one');
  expect(await exportOf(world.open(), 'ALPHA-1')).toMatchObject({ ok: false, error: { code: 'BUNDLE_MISSING_PIN' } });
  world.writeWorkflow('one', renderWorkflow(straightWorkflow('one', 3)));
  expect((await bundleOf(world.open(), 'ALPHA-1')).equals(whole)).toBe(true);
});

test('a session is exported while others write to it: each bundle is whole', async () => {
  const { world, here, there } = two();
  await started(here);
  const writers = [here, world.open()];
  let stop = false;
  const writing = writers.map(async (requests, writer) => {
    for (let number = 0; !stop; number += 1) {
      expect(
        (
          await requests.people.addNote({
            session: 'ALPHA-1',
            text: `writer ${writer}, note ${number} ${'x'.repeat(number % 500)}`,
          })
        ).ok,
      ).toBe(true);
      await pause(1);
    }
  });
  const exporter = world.open();
  let lines = 0;
  try {
    for (let round = 0; round < 5; round += 1) {
      const exported = await exportOf(exporter, 'ALPHA-1');
      if (!exported.ok) throw new Error(exported.error.message);
      expect(exported.value.warnings).toEqual([]);
      expect(exported.value.bundle.lines).toBeGreaterThanOrEqual(lines);
      lines = exported.value.bundle.lines;
      expect(await importedOf(there, exported.value.bytes, true)).toMatchObject({
        outcome: expect.stringMatching(/imported|merged|already_here/u) as string,
        warnings: [],
      });
    }
  } finally {
    stop = true;
    await Promise.all(writing);
  }
  expect(lines).toBeGreaterThan(10);
  await importedOf(there, await bundleOf(exporter, 'ALPHA-1'), true);
  expect((await bundleOf(there, 'ALPHA-1')).equals(await bundleOf(here, 'ALPHA-1'))).toBe(true);
});

test('a merge under a server that has the session open: what it does next is on top of both', async () => {
  const { world, here, there } = two();
  const tokens = await started(here);
  await importedOf(there, await bundleOf(here, 'ALPHA-1'));
  const tip = await there.people.findTip({ session: 'ALPHA-1' });
  await ack(
    there,
    tokensOf((await call(there, 'continue_workflow', { stateToken: tip.ok ? tip.value.stateToken! : '' })).answer),
    'theirs',
  );
  await here.people.addNote({ session: 'ALPHA-1', text: 'mine' });
  expect(await importedOf(world.open(), await bundleOf(there, 'ALPHA-1'), true)).toMatchObject({
    outcome: 'merged',
    merged: { added: 1, grown: 0 },
  });
  // The step was done there: here it is answered from that record, and the work goes on after it.
  const after = await ack(here, tokens, 'mine as well');
  await ack(here, after, 'and on');
  const story = await here.people.readStory({ session: 'ALPHA-1' });
  expect(story.ok && story.value.findings).toEqual([]);
  expect(story.ok && story.value.runs.map(({ nodes }) => nodes.map(({ cameBy }) => cameBy.output.notes))).toEqual([
    [undefined, 'theirs', 'and on'],
  ]);
  expect(story.ok && story.value.notes.map(({ text }) => text)).toEqual(['mine']);
});

test('what comes in changes no answer of what is here', async () => {
  const { world, here, there } = two();
  const tokens = await started(here, 'BETA-1');
  const request = { ...tokens, output: { notesMarkdown: 'done' } };
  const answer = (await call(here, 'continue_workflow', request)).answer;
  await started(there, 'ALPHA-1');
  await importedOf(here, await bundleOf(there, 'ALPHA-1'));
  await started(there, 'BETA-1');
  expect((await importedOf(here, await bundleOf(there, 'BETA-1'))).outcome).toBe('imported_as_new');
  for (const requests of [here, world.open()])
    expect((await call(requests, 'continue_workflow', request)).answer).toEqual(answer);
});
