import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import { applyRetention } from '../../src/requests/care/retention.js';
import { openRequests, type Requests } from '../../src/requests/requests.js';
import { openEnvironment } from '../../src/requests/world/environment.js';
import type { RequestsOptions } from '../../src/requests/world/requests-options.js';
import { type Fields, textOf } from '../worlds/requests-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const day = 24 * 60 * 60 * 1000;
const workflow = `workflow: wr.two
steps:
  - { id: one, prompt: Do it. }
  - { id: two, prompt: Do it., confirm: true }
`;

const kinds = ['noted', 'begun', 'blocked', 'done', 'done', 'done', 'with gaps', 'open branch'] as const;
interface Drawn {
  readonly kind: (typeof kinds)[number];
  readonly workedDaysAgo: number;
  readonly lookedDaysAgo: number | undefined;
  readonly kept: boolean;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  kind: fc.constantFrom(...kinds),
  workedDaysAgo: fc.integer({ min: 1, max: 60 }),
  lookedDaysAgo: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  kept: fc.nat(5).map((number) => number === 0),
});

interface World {
  readonly data: string;
  readonly trash: string;
  readonly options: (now: () => Date) => RequestsOptions;
  readonly close: () => void;
}

function makeWorld(afterDays: number): World {
  const folder = mkdtempSync(join(tmpdir(), 'retention-'));
  const [data, config, bundled] = [join(folder, 'data'), join(folder, 'config', 'workrail'), join(folder, 'bundled')];
  for (const made of [config, bundled, join(folder, 'workspace')]) mkdirSync(made, { recursive: true });
  writeFileSync(join(config, 'config.json'), JSON.stringify({ pruneAfterDays: afterDays, pruneByItself: true }));
  writeFileSync(join(bundled, 'two.yaml'), workflow);
  return {
    data,
    trash: join(data, 'local', 'trash'),
    options: (now) => ({
      workspace: join(folder, 'workspace'),
      dataDir: data,
      env: { XDG_CONFIG_HOME: join(folder, 'config') },
      home: folder,
      bundledWorkflows: bundled,
      version: '0.0.0-laws',
      now,
      randomBytes: (count) => randomBytes(count),
      log: () => undefined,
    }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function make({ options, data }: World, session: string, { kind, workedDaysAgo, kept }: Drawn): Promise<void> {
  // Half a day to either side of any term.
  const requests = openRequests(options(() => new Date(Date.now() - (workedDaysAgo + 0.5) * day)));
  const call = async (name: Parameters<Requests['call']>[0], raw: JsonObject): Promise<Fields> =>
    (await requests.call(name, raw)).answer as Fields;
  const pair = (answer: Fields): JsonObject => ({
    stateToken: textOf(answer['stateToken']),
    ackToken: textOf(answer['ackToken']),
  });
  const go = (from: Fields, besides: JsonObject = {}): Promise<Fields> =>
    call('continue_workflow', { ...pair(from), output: { notesMarkdown: 'Done as asked.' }, ...besides });
  if (kind === 'noted') await call('start_session', { session, title: 'Only noted' });
  else {
    const mode = kind === 'with gaps' ? { preferences: { mode: 'auto_never_stop' } } : {};
    const start = await call('start_workflow', { workflowId: 'wr.two', session, ...mode });
    const second = kind === 'begun' ? undefined : await go(start);
    if (kind === 'open branch') await go(await call('continue_workflow', { stateToken: start['stateToken']! }));
    if (second !== undefined) await go(second, kind === 'blocked' || kind === 'with gaps' ? {} : { confirmed: true });
  }
  if (kept) await requests.people.labelSession({ session, keep: true });
  await requests.close();
  rmSync(join(data, 'local', 'retention'), { recursive: true, force: true });
}

function bytesBelow(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file.slice(folder.length), readFileSync(file, 'latin1')];
    }),
  );
}

test(
  'whatever the sessions and the clock, retention moves only what a dry run of prune lists, and what comes back is the same bytes',
  async () => {
    const met = new Set<string>();
    const law = fc.asyncProperty(
      fc.array(drawn, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 60 }),
      async (all, afterDays) => {
        const world = makeWorld(afterDays);
        try {
          for (const [index, one] of all.entries()) await make(world, `WORK-${index}`, one);
          const looks = join(world.data, 'local', 'retention');
          mkdirSync(looks, { recursive: true });
          for (const [index, { lookedDaysAgo }] of all.entries()) {
            if (lookedDaysAgo === undefined) continue;
            const at = new Date(Date.now() - (lookedDaysAgo + 0.5) * day);
            writeFileSync(join(looks, `WORK-${index}`), '');
            utimesSync(join(looks, `WORK-${index}`), at, at);
          }
          const before = bytesBelow(join(world.data, 'sessions'));
          const now = new Date();
          const requests = openRequests(world.options(() => now));
          const plan = await requests.people.pruneSessions({ now, dryRun: true });
          await requests.close();
          const act = async (at: Date): Promise<void> => {
            const env = openEnvironment(world.options(() => at));
            await applyRetention(
              env,
              at,
              () => true,
              () => undefined,
            );
            env.register.close();
            await env.store.close();
          };
          await act(now);
          const left = readdirSync(join(world.data, 'sessions'));
          const moved = all.map((_, index) => `WORK-${index}`).filter((id) => !left.includes(id));
          const listed = plan.ok ? plan.value.pruned.map(({ sessionId }) => sessionId) : [];
          expect(listed).toEqual(expect.arrayContaining(moved));
          const old = (daysAgo: number | undefined): boolean => daysAgo === undefined || daysAgo + 0.5 > afterDays;
          expect(moved).toEqual(
            all.flatMap(({ kind, workedDaysAgo, lookedDaysAgo, kept }, index) =>
              kind === 'done' && !kept && old(workedDaysAgo) && old(lookedDaysAgo) ? [`WORK-${index}`] : [],
            ),
          );
          for (const { kind } of all) met.add(kind);
          if (moved.length > 0) met.add('moved');
          for (const id of moved) {
            const name = readdirSync(world.trash).find((one) => one.startsWith(`${id}~`)) ?? '';
            renameSync(join(world.trash, name), join(world.data, 'sessions', id));
          }
          expect(bytesBelow(join(world.data, 'sessions'))).toEqual(before);
          // What somebody has brought back is not taken again on the next day.
          await act(new Date(now.getTime() + 1.01 * day));
          if (afterDays > 2) expect(readdirSync(join(world.data, 'sessions'))).toEqual(expect.arrayContaining(moved));
        } finally {
          world.close();
        }
      },
    );
    // So few draws may all be too young, or kept.
    const due: Drawn[] = [{ kind: 'done', workedDaysAgo: 50, lookedDaysAgo: undefined, kept: false }];
    await fc.assert(law, runs(8, { examples: [[due, 3]] }));
    expect(met).toContain('moved');
  },
  patience,
);
