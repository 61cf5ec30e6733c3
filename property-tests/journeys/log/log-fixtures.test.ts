import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src/base/ids.js';
import { compareEvents, type Event } from '../../../src/events/event.js';
import { decodeLine } from '../../../src/events/line-codec.js';
import type { Projection } from '../../../src/log/port/projection.js';
import { openFileStore } from '../../../src/log/file-store.js';
import { foldSession } from '../../../src/sessions/fold-session.js';
import { emptySession } from '../../../src/sessions/folded-session.js';
import { waitingDraft } from '../../../src/sessions/person-answers.js';
import { makeWorld, note } from '../../worlds/log-world.js';

const logs = fileURLToPath(new URL('../../../fixtures/logs', import.meta.url));
const whole: Projection<Event[]> = {
  version: 'whole 1',
  empty: () => [],
  fold: (state, events) => {
    state.push(...events);
    return state;
  },
};

test.each(['v1', 'v2', 'v3'])(
  'a log of format %s is read as it was written, and can be gone on with',
  async (format) => {
    const world = makeWorld();
    cpSync(join(logs, format, 'EXAMPLE-1'), join(world.root.folder, 'sessions', 'EXAMPLE-1'), { recursive: true });
    const store = openFileStore({
      roots: [world.root],
      newSessions: world.root,
      projection: whole,
      now: () => new Date(),
      randomBytes: (count) => new Uint8Array(count).fill(3),
      log: () => undefined,
    });
    const log = store.create('EXAMPLE-1' as SessionId);
    const {
      state,
      findings,
      position: { lastSeq },
    } = await log.read();
    expect(findings).toEqual([]);
    expect(state.map(({ seq, kind }) => `${seq} ${kind}`)).toMatchInlineSnapshot(`
    [
      "1 session_started",
      "2 run_started",
      "3 step_acked",
      "4 checkpoint",
      "5 step_blocked",
      "6 step_acked",
      "7 step_acked",
      "8 step_acked",
      "9 step_acked",
      "10 step_acked",
      "12 note_added",
      "13 session_labelled",
      "14 preferences_changed",
      "15 observation",
      "16 lines_withdrawn",
      "17 note_added",
      "18 note_added",
    ]
  `);
    const run = state.find((event) => event.kind === 'run_started')!;
    expect(await log.pin(run.data.workflowHash)).toMatchObject({ ok: true });
    expect(await log.append(() => ({ answer: '', events: [note('today')] }))).toMatchObject({
      ok: true,
      loaded: { position: { lastSeq: lastSeq + 1 }, findings: [] },
    });
    await store.close();
    await world.close();
  },
);

test('a session means the same in every format of its lines', async () => {
  const meanings = ['v1', 'v2', 'v3'].map((format) => {
    const session = foldSession(emptySession(), eventsIn(join(logs, format, 'EXAMPLE-1', 'segments')));
    return [...session.nodes.values()].map(
      ({ madeBy: _madeBy, touched: _touched, acks, blocks, checkpoints, notes, chosen = [], ...node }) => ({
        ...node,
        attempts: acks.map(({ data }) => data.attempt),
        blocks: blocks.map(({ data }) => data),
        checkpoints: checkpoints.map(({ data }) => data),
        notes: notes.map(({ data }) => data),
        chosen: chosen.map(({ data }) => data),
      }),
    );
  });
  expect(meanings[0]).toHaveLength(7);
  expect(meanings[0]!.map(({ did, terms }) => [did?.path, terms.preferences.autonomy])).toMatchInlineSnapshot(`
    [
      [
        undefined,
        "guided",
      ],
      [
        "look",
        "guided",
      ],
      [
        "ask",
        "full_auto_never_stop",
      ],
      [
        "look",
        "guided",
      ],
      [
        "each@1/do",
        "full_auto_never_stop",
      ],
      [
        "each@2/do",
        "full_auto_never_stop",
      ],
      [
        "agree",
        "full_auto_never_stop",
      ],
    ]
  `);
  expect(meanings[1]).toEqual(meanings[0]);
});

function eventsIn(segments: string): readonly Event[] {
  const lines = readdirSync(segments).flatMap((name) =>
    readFileSync(join(segments, name), 'utf8').trimEnd().split('\n'),
  );
  return lines
    .map((line) => {
      const read = decodeLine(Buffer.from(line));
      if (!read.ok) throw new Error(read.error.message);
      return read.value;
    })
    .toSorted(compareEvents);
}

test('answers of a person are read as they were written', () => {
  const session = foldSession(emptySession(), eventsIn(join(logs, 'v3', 'EXAMPLE-2', 'segments')));
  const [asked, waiting] = [...session.nodes.values()];
  expect(asked?.answers?.map(({ v, who, data }) => [v, who?.door, data.question, data.terminal])).toEqual([
    [3, 'terminal', '/context/count', false],
    [3, 'terminal', '/confirmed', false],
  ]);
  expect(waiting?.madeBy.data).toMatchObject({ answers: asked?.answers?.map(({ sum }) => sum) });
  expect(waiting?.waitsEnded?.map(({ data }) => data.how)).toEqual(['cancelled']);
  expect(waiting && waitingDraft(waiting)?.data.blockers.map(({ pointer }) => pointer)).toEqual(['/confirmed']);
});
