import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../../src/events/event.js';
import { openRequests, type Requests } from '../../../src/requests/requests.js';
import { eventsIn, linesOnDisk } from '../../worlds/requests-world.js';

const child = fileURLToPath(new URL('../../worlds/moving-child.mjs', import.meta.url));

let folder: string;
let opened: Requests[];
let started: ChildProcess[];
const workspace = (): string => join(folder, 'workspace');
const home = (): string => join(folder, 'home');
const project = (): string => join(workspace(), '.workrail');
const user = (): string => join(home(), '.local', 'share', 'workrail');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moving-'));
  opened = [];
  started = [];
  for (const made of [project(), home()]) mkdirSync(made, { recursive: true });
});
afterEach(async () => {
  for (const one of started) one.kill('SIGKILL');
  for (const requests of opened) await requests.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): Requests {
  const requests = openRequests({
    workspace: workspace(),
    dataDir: undefined,
    env: {},
    home: home(),
    bundledWorkflows: workspace(),
    version: '0.0.0-test',
    now: () => new Date(),
    randomBytes: (count) => randomBytes(count),
    log: () => undefined,
  });
  opened.push(requests);
  return requests;
}

interface Worker {
  readonly lines: string[];
  readonly end: () => Promise<void>;
}

async function work(lock: string, name: string, again = ''): Promise<Worker> {
  const running = spawn(process.execPath, [child, workspace(), home(), lock, name, again], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(running);
  const lines: string[] = [];
  let text = '';
  running.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const parts = text.split('\n');
    text = parts.pop() ?? '';
    lines.push(...parts);
  });
  const closed = once(running, 'close');
  while (!lines.some((line) => line.startsWith('acked'))) {
    expect({ lines, exit: running.exitCode }).toEqual({ lines, exit: null });
    await pause(5);
  }
  return {
    lines,
    end: async () => {
      running.stdin.end();
      await closed;
    },
  };
}

const acked = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('acked ')).map((line) => line.slice(6));
const refusals = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('refused ')).map((line) => line.split(' ')[1] ?? '');

function notesIn(data: string): readonly string[] {
  return linesOnDisk(data).flatMap((event: Event) =>
    event.kind === 'checkpoint' && event.data.output.notes !== undefined ? [event.data.output.notes] : [],
  );
}

/** By a clock that runs ahead so far, nothing was worked on just now. */
const twoHours = 2 * 60 * 60 * 1000;

describe('a session that agents work on', () => {
  test.each(['lease', 'off'])(
    'is moved to and fro, and holds all that was acknowledged (lock: %s)',
    async (lock) => {
      const workers = [await work(lock, 'a'), await work(lock, 'b')];
      const requests = open();
      const outcomes: string[] = [];
      for (let round = 0; round < 12; round += 1) {
        const to = round % 2 === 0 ? 'user' : 'project';
        const moved = await requests.people.moveSession({
          session: 'WORK-1',
          to,
          allowSecrets: false,
          now: new Date(),
        });
        outcomes.push(moved.ok ? moved.value.outcome : `${moved.error.code}: ${moved.error.message}`);
        await pause(30 + round * 5);
      }
      for (const worker of workers) await worker.end();
      expect(outcomes.filter((outcome) => outcome === 'moved').length).toBeGreaterThan(5);
      expect(outcomes.filter((outcome) => !/^(?:moved|finished|already_there|SESSION_BUSY.*)$/u.test(outcome))).toEqual(
        [],
      );
      const told = workers.flatMap(({ lines }) => acked(lines));
      expect(told.length).toBeGreaterThan(20);
      // Once more where nobody works: whatever an interrupted move left in two places is put together.
      const last = await requests.people.moveSession({
        session: 'WORK-1',
        to: 'project',
        allowSecrets: false,
        now: new Date(),
      });
      expect(last.ok ? 'ok' : last.error).toBe('ok');
      const here = new Set([...notesIn(project()), ...notesIn(user())]);
      expect(told.filter((text) => !here.has(text))).toEqual([]);
      console.log(
        `lock ${lock}: ${told.length} acknowledged, refused ${[...new Set(workers.flatMap(({ lines }) => refusals(lines)))].join(' ') || 'nothing'} ${workers.flatMap(({ lines }) => refusals(lines)).length} times, moves ${outcomes.join(' ')}`,
      );
      const story = await requests.people.readStory({ session: 'WORK-1' });
      // A write that a move cut short was never acknowledged; without the lock its beginning may have come along.
      expect(story.ok && story.value.findings.filter(({ level }) => lock === 'lease' || level !== 'torn')).toEqual([]);
    },
    120_000,
  );

  test.each(['lease', 'off'])(
    'is not pruned while they work, and nothing is acknowledged into the trash (lock: %s)',
    async (lock) => {
      const worker = await work(lock, 'a', 'again');
      const requests = open();
      const gone: string[] = [];
      // The next run deletes what the one before took away, so it is read after each.
      const trashed: { readonly at: string; readonly text: string }[] = [];
      const deadline = Date.now() + 60_000;
      // The agent rests now and then, or there would be no moment at which anything may be taken away.
      for (let round = 0; round < 10 || (gone.length < 3 && Date.now() < deadline); round += 1) {
        await pause(20 + (round % 5) * 7);
        const before = new Date();
        const done = await requests.people.pruneSessions({
          now: new Date(before.getTime() + twoHours),
          olderThanMs: twoHours,
          dryRun: false,
        });
        expect(done.ok).toBe(true);
        if (done.ok && done.value.pruned.length > 0) gone.push(before.toISOString());
        trashed.push(...trashedEvents());
      }
      // On a busy machine the agent may have come to little meanwhile; a run in which it did nothing shows nothing.
      while (acked(worker.lines).length <= gone.length && Date.now() < deadline) await pause(5);
      await worker.end();
      const told = acked(worker.lines);
      const here = new Set(notesIn(project()));
      // What was taken away had not been touched since the call began; all that came after is where it belongs.
      for (const { at, text } of trashed) if (!here.has(text)) expect(gone.some((before) => at < before)).toBe(true);
      const everywhere = new Set([...here, ...trashed.map(({ text }) => text)]);
      expect(told.filter((text) => !everywhere.has(text))).toEqual([]);
      expect(gone.length).toBeGreaterThanOrEqual(3);
      expect(told.length).toBeGreaterThan(gone.length);
      console.log(
        `lock ${lock}: ${told.length} acknowledged, pruned ${gone.length} times, refused ${refusals(worker.lines).length}`,
      );
    },
    120_000,
  );
});

function trashedEvents(): readonly { readonly at: string; readonly text: string }[] {
  const trash = join(project(), 'local', 'trash');
  if (!existsSync(trash)) return [];
  return readdirSync(trash).flatMap((name) => {
    const segments = join(trash, name, 'segments');
    const events = readdirSync(segments).flatMap((file) => eventsIn(readFileSync(join(segments, file), 'utf8')));
    return events.flatMap((event) =>
      event.kind === 'checkpoint' ? [{ at: event.at, text: event.data.output.notes ?? '' }] : [],
    );
  });
}
