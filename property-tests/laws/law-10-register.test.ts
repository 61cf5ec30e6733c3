import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import { limits } from '../../src/base/limits.js';
import type { DataRoot } from '../../src/machine/data-root.js';
import { openFileStore } from '../../src/log/file-store.js';
import type { Requests } from '../../src/requests/requests.js';
import { sessionProjection } from '../../src/sessions/fold-session.js';
import {
  type Candidate,
  candidatesOf,
  rankSessions,
  recencyTier,
  type Wanted,
} from '../../src/sessions/rank-sessions.js';
import { makeRequestsWorld, type RequestsWorld, sessionFolders } from '../worlds/requests-world.js';
import { runs } from '../worlds/runs-of-law.js';

const workflow = `workflow: wr.walk
title: A walk
description: Three steps.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: Go on. }
  - { id: three, title: Third, prompt: End. }
`;
const words = ['login', 'Größe', 'export', '登録画面', 'retry', 'ＬＯＧＩＮ', 'cache\\nline', 'fix-1', 'grösse'];
const sessionCount = 20;
let world: RequestsWorld;
let begun: Requests;
const base = (): string => join(world.folder, 'base');
const indexFile = (data: string): string => join(data, 'local', 'index', 'sessions');

/** Everything a law begins with was written long ago, so that a look need not doubt its times. */
function age(data: string): void {
  const before = Date.now() / 1000 - 3600;
  for (const id of sessionFolders(data)) utimesSync(join(data, 'sessions', id, 'segments'), before, before);
  utimesSync(join(data, 'sessions'), before, before);
}

async function call(requests: Requests, name: Parameters<Requests['call']>[0], args: JsonObject): Promise<JsonObject> {
  return (await requests.call(name, args)).answer;
}

async function step(requests: Requests, session: string, notesMarkdown: string): Promise<void> {
  const { stateToken, ackToken, isComplete } = await call(requests, 'start_workflow', {
    workflowId: 'wr.walk',
    session,
  });
  if (isComplete === true) return;
  await call(requests, 'continue_workflow', {
    stateToken: stateToken!,
    ackToken: ackToken!,
    output: { notesMarkdown },
  });
}

beforeAll(async () => {
  world = makeRequestsWorld({ seed: 4711 });
  world.writeWorkflow('walk', workflow);
  begun = world.open(base());
  for (let at = 0; at < sessionCount; at += 1)
    await step(begun, `WORK-${at}`, `${words[at % words.length]} and ${words[(at * 7 + 3) % words.length]}`);
  await begun.close();
});
afterAll(() => world.close());

/** What a search finds that reads everything and remembers nothing. */
async function readAll(
  data: string,
  wanted: Wanted,
): Promise<{ readonly told: readonly unknown[]; readonly found: number }> {
  const root: DataRoot = { kind: 'given', folder: data };
  const store = openFileStore({
    roots: [root],
    newSessions: root,
    projection: sessionProjection,
    now: () => new Date(0),
    randomBytes: (count) => new Uint8Array(count),
    log: () => undefined,
  });
  const candidates: Candidate[] = [];
  for (const ref of await store.list()) {
    const { state, eventCount, findings } = await store.open(ref).read();
    if (eventCount > 0 || findings.length > 0) candidates.push(...candidatesOf(ref.id, state));
  }
  await store.close();
  const ranked = rankSessions(candidates, wanted);
  const asked = Object.values(wanted).some((value) => value !== undefined);
  return {
    told: ranked.slice(0, limits.resumeCandidates).map(({ sessionId, run, why }) => [sessionId, run?.id, why]),
    found: asked && ranked[0]?.tier === recencyTier ? 0 : ranked.length,
  };
}

async function resumed(
  requests: Requests,
  wanted: Wanted,
): Promise<{ readonly told: readonly unknown[]; readonly found: number }> {
  const { candidates, found } = (await call(
    requests,
    'resume_session',
    JSON.parse(JSON.stringify(wanted)) as JsonObject,
  )) as unknown as {
    readonly candidates: readonly {
      readonly sessionId: string;
      readonly runId?: string;
      readonly whyMatched: string;
    }[];
    readonly found: number;
  };
  return { told: candidates.map(({ sessionId, runId, whyMatched }) => [sessionId, runId, whyMatched]), found };
}

type Deed =
  | { readonly kind: 'step'; readonly by: 'own' | 'other'; readonly session: number; readonly words: string }
  | { readonly kind: 'label'; readonly by: 'own' | 'other'; readonly session: number; readonly words: string }
  | { readonly kind: 'replace' | 'shorten' | 'remove' | 'bring'; readonly session: number }
  | { readonly kind: 'spoil'; readonly byte: number }
  | { readonly kind: 'forget' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'age' };

const someWords = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(' '));
const session = fc.nat(sessionCount + 2);
const by = fc.constantFrom('own' as const, 'other' as const);
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('step' as const), by, session, words: someWords }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('label' as const), by, session, words: someWords }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('replace' as const, 'shorten' as const, 'remove' as const, 'bring' as const),
      session,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('spoil' as const), byte: fc.nat(100_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('forget' as const, 'restart' as const, 'restart' as const, 'age' as const, 'age' as const),
    }),
  },
);
const wanteds: fc.Arbitrary<Wanted> = fc.record({
  query: fc.option(
    fc.oneof(someWords, fc.constantFrom('WORK-3', 'work-7 please', 'A walk', 'First', 'nothing like it')),
    { nil: undefined },
  ),
  sessionId: fc.option(fc.constantFrom('WORK-1', 'none'), { nil: undefined, freq: 3 }),
});

/** As git puts a file in the place of another: the name is taken away and made anew. */
function putInPlace(file: string, bytes: Buffer): void {
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
}

async function happen(deed: Deed, data: string, own: Requests, other: Requests): Promise<void> {
  if (deed.kind === 'spoil') {
    if (!existsSync(indexFile(data))) return;
    const bytes = readFileSync(indexFile(data));
    bytes[deed.byte % bytes.length]! ^= 1;
    return writeFileSync(indexFile(data), bytes);
  }
  if (deed.kind === 'age') return age(data);
  if (deed.kind === 'restart') return;
  if (deed.kind === 'forget') return rmSync(join(data, 'local'), { recursive: true, force: true });
  const id = `WORK-${deed.session}`;
  const folder = join(data, 'sessions', id);
  if (deed.kind === 'step') return step(deed.by === 'own' ? own : other, id, deed.words);
  if (deed.kind === 'label')
    return void (await (deed.by === 'own' ? own : other).people.labelSession({ session: id, title: deed.words }));
  if (deed.kind === 'remove') return rmSync(folder, { recursive: true, force: true });
  if (deed.kind === 'bring')
    return void (
      existsSync(folder) ||
      !existsSync(join(base(), 'sessions', id)) ||
      cpSync(join(base(), 'sessions', id), folder, { recursive: true })
    );
  const segments = join(folder, 'segments');
  const name = existsSync(segments) ? readdirSync(segments)[0] : undefined;
  if (name === undefined) return;
  const bytes = readFileSync(join(segments, name));
  const lines = bytes.toString('utf8').split('\n');
  // The same bytes in another file, or those of an older commit.
  putInPlace(
    join(segments, name),
    deed.kind === 'replace' ? bytes : Buffer.from(`${lines.slice(0, Math.max(1, lines.length - 2)).join('\n')}\n`),
  );
}

let tried = 0;
test('law 10: what a search finds is what reading everything would find, whatever was written, replaced or lost meanwhile', async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(deeds, wanteds), { minLength: 2, maxLength: 10 }), async (happenings) => {
      tried += 1;
      const data = join(world.folder, `data-${tried}`);
      mkdirSync(data);
      cpSync(join(base(), 'sessions'), join(data, 'sessions'), { recursive: true, preserveTimestamps: true });
      age(data);
      let own = world.open(data);
      const other = world.open(data);
      expect(await resumed(own, {})).toEqual(await readAll(data, {}));
      for (const [deed, wanted] of happenings) {
        await happen(deed, data, own, other);
        if (deed.kind === 'restart') {
          await own.close();
          if (existsSync(indexFile(data))) kept += 1;
          own = world.open(data);
        }
        expect(await resumed(own, wanted)).toEqual(await readAll(data, wanted));
      }
      const listed = await own.people.listSessions({ limit: 1000 });
      expect(listed.ok && listed.value.sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(
        sessionFolders(data),
      );
      await other.close();
      await own.close();
      rmSync(data, { recursive: true, force: true });
    }),
    runs(12),
  );
  // The law says nothing about the kept index unless there was one.
  expect(kept).toBeGreaterThan(0);
}, 300_000);

test('what is kept for the next process is believed by it, and by no other installation', async () => {
  const data = join(world.folder, 'kept');
  mkdirSync(data);
  cpSync(join(base(), 'sessions'), join(data, 'sessions'), { recursive: true, preserveTimestamps: true });
  age(data);
  const first = world.open(data);
  await resumed(first, { query: 'login' });
  await first.close();
  const found = async (requests: Requests): Promise<number> => {
    const listed = await requests.people.listSessions({ query: 'cache', limit: 1 });
    await requests.close();
    return listed.ok ? listed.value.found : -1;
  };
  const before = await found(world.open(data));
  // Other bytes behind marks that look the same: only who reads the sessions notices.
  for (const id of sessionFolders(data)) {
    const segments = join(data, 'sessions', id, 'segments');
    const file = join(segments, readdirSync(segments)[0]!);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('cache', 'CACHF'));
    utimesSync(file, atime, mtime);
  }
  expect(before).toBeGreaterThan(2);
  expect(await found(world.open(data))).toBe(before);
  expect(await found(world.open(data, { XDG_CONFIG_HOME: join(world.folder, 'another') }))).toBe(0);
  const stranger = world.open(data, { XDG_CONFIG_HOME: join(world.folder, 'stranger') });
  expect(await resumed(stranger, { query: 'cache' })).toEqual(await readAll(data, { query: 'cache' }));
  await stranger.close();
});
