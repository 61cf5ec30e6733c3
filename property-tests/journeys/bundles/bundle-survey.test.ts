import fc from 'fast-check';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src/base/ids.js';
import type { Finding } from '../../../src/log/port/finding.js';
import { openFileStore } from '../../../src/log/file-store.js';
import { surveySession } from '../../../src/log/reading/survey-session.js';
import { sessionFolder } from '../../../src/log/segments/session-folder.js';
import { grow } from '../../worlds/grown-sessions.js';
import { lives } from '../../worlds/lives.js';
import { sessionFolders } from '../../worlds/requests-world.js';
import { patience, runs } from '../../worlds/runs-of-law.js';
import { listing, makeWorld, notes } from '../../worlds/log-world.js';

const harms = fc.array(
  fc.record({
    do: fc.constantFrom('flip' as const, 'cut' as const, 'remove' as const, 'zeros' as const),
    which: fc.nat(),
    at: fc.noBias(fc.nat()),
  }),
  { maxLength: 2 },
);
type Harms = typeof harms extends fc.Arbitrary<infer T> ? T : never;

function harm(folder: string, done: Harms): void {
  for (const { do: what, which, at } of done) {
    const names = readdirSync(folder).toSorted();
    const file = join(folder, names[which % names.length] ?? '');
    if (names.length === 0) return;
    const bytes = readFileSync(file);
    if (what === 'remove') rmSync(file);
    else if (what === 'cut') writeFileSync(file, bytes.subarray(0, at % (bytes.length + 1)));
    else if (what === 'zeros') writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(1 + (at % 300))]));
    else if (bytes.length > 0) {
      bytes[at % bytes.length]! ^= 1 << (at % 8);
      writeFileSync(file, bytes);
    }
  }
}

test(
  'a survey finds what a reading finds, and shows the lines that a reading folds',
  async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.nat(), lives, harms, async (seed, life, done) => {
        const { world, data } = await grow(seed, life);
        try {
          for (const id of sessionFolders(data) as SessionId[]) {
            const root = { kind: 'given', folder: data } as const;
            const at = sessionFolder(root, id);
            harm(at.segments, done);
            // A survey is of the files alone: what this machine remembers of them is another's to miss.
            for (const memory of ['ended', 'running'])
              rmSync(join(data, 'local', memory), { recursive: true, force: true });
            const store = openFileStore({
              roots: [root],
              newSessions: root,
              projection: listing,
              now: () => new Date(0),
              randomBytes: (count) => Buffer.alloc(count, 7),
              log: () => undefined,
            });
            const { state, findings } = await store.create(id).verify();
            await store.close();
            let shown = new Set<string>();
            const survey = await surveySession(at, id, {
              begin: () => void (shown = new Set()),
              line: ({ sum }) => void shown.add(sum),
              progress: () => undefined,
            });
            expect(survey.findings).toEqual(findings);
            expect([...shown].toSorted()).toEqual(state.sums.toSorted());
            for (const { level } of findings) met.set(level, (met.get(level) ?? 0) + 1);
          }
        } finally {
          await world.close();
        }
      }),
      runs(20),
    );
    console.log(`surveys: ${JSON.stringify([...met])}`);
  },
  patience,
);

test('a line that names one appended between two looks is no sign that something is missing', async () => {
  const world = makeWorld();
  try {
    const [one, other] = [world.log({ lock: 'off' }), world.log({ lock: 'off' })];
    await one.append(notes('first'));
    await other.append(notes('second'));
    const at = sessionFolder(world.root, 'ses_example' as SessionId);
    const file = join(at.segments, readdirSync(at.segments).toSorted()[0]!);
    const early = readFileSync(file);
    await one.append(notes('third'));
    await other.append(notes('fourth, having seen the third'));
    const late = readFileSync(file);
    const survey = async (
      meanwhile: () => void,
    ): Promise<{ readonly findings: readonly Finding[]; readonly passes: number; readonly lines: number }> => {
      writeFileSync(file, early);
      let [passes, lines] = [0, 0];
      const { findings } = await surveySession(at, 'ses_example' as SessionId, {
        begin: () => {
          passes += 1;
          lines = 0;
        },
        line: () => void (lines += 1),
        progress: meanwhile,
      });
      return { findings, passes, lines };
    };
    expect(await survey(() => writeFileSync(file, late))).toEqual({ findings: [], passes: 2, lines: 4 });
    // Nothing grows: then it is missing.
    expect(await survey(() => undefined)).toMatchObject({ findings: [{ level: 'incomplete' }], passes: 1, lines: 3 });
  } finally {
    await world.close();
  }
});
