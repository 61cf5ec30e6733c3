import fc from 'fast-check';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventTold } from '../../../src/contract/event-told.js';
import type { NodeShown } from '../../../src/contract/node-shown.js';
import type { SessionList } from '../../../src/contract/session-list.js';
import type { RunStory, SessionStory } from '../../../src/contract/session-story.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { oddText } from '../../worlds/nasty-text.js';
import { runs } from '../../worlds/runs-of-law.js';

const rotate = `workflow: team.rotate
title: Rotate the signing keys
description: Use this to rotate keys.
inputs:
  service: { type: string, required: true, description: Which one, example: login }
steps:
  - { id: survey, title: Survey who signs with what, prompt: Look. }
  - { id: weigh, title: Weigh the ways of rotating keys without logging everybody out at once 日本語, prompt: Weigh. }
  - { id: rotate, title: Rotate, prompt: Do. }
`;
const nasty = 'Three sign: \u001b[31mlogin\u001b[0m, mail\u0007 and \u202Egnillib\u009b2J.';

const world = makeCommandLineWorld();
interface Step {
  readonly stateToken: string;
  readonly ackToken: string;
  readonly sessionId: string;
}
const json = async <T>(args: readonly string[]): Promise<T> => {
  const { out, bytes, code, err } = await world.run([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out === '' ? bytes.toString('utf8') : out) as T;
};
const ack = ({ stateToken, ackToken }: Step, notes: string, ...more: readonly string[]): Promise<Step> =>
  json<Step>(['continue', stateToken, ackToken, '--notes', notes, ...more]);
const asTerminal = { terminal: true, columns: 80 } as const;
const paints = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'gu');
/** What a terminal gets is colours of ours and text that can do nothing. */
function expectHarmless(out: string): void {
  expect(out.replace(paints, '')).not.toMatch(/[^\P{Control}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
}
const widths = (out: string): readonly number[] =>
  out
    .replace(paints, '')
    .split('\n')
    .map((line) => stringWidth(line));

beforeAll(async () => {
  mkdirSync(join(world.workspace, '.workrail', 'workflows'), { recursive: true });
  writeFileSync(join(world.workspace, '.workrail', 'workflows', 'rotate.yaml'), rotate);
  const first = await json<Step>([
    'start',
    'team.rotate',
    '--session',
    'AUTH-1',
    '--input',
    'service=login, for all who sign in with it',
  ]);
  const second = await ack(first, nasty);
  await json([
    'checkpoint',
    second.stateToken,
    '--notes',
    'Half way through.',
    '--gap',
    'nobody knows the mail volume',
  ]);
  await ack(second, 'Dual keys for a week.', '--context', 'week=7');
  const again = await json<Step>(['continue', second.stateToken]);
  await ack(again, 'Hard cut at night.', '--artifact', '{"kind":"team.plan","hours":2}');
  await json(['note', 'AUTH-1', 'Agreed with Ann.']);
  await json(['start', 'team.rotate', '--session', 'MAIL-2', '--input', 'service=mail']);
  await world.run([
    'sessions',
    'label',
    'MAIL-2',
    '--title',
    '\u001b[2JWide 漢字 and 👩‍💻 in a title that goes on and on until the line is full',
    '--tag',
    'mail',
  ]);
});
afterAll(() => world.close());

describe('workrail sessions', () => {
  it('lists every session, the newest work first, and finds them by their words', async () => {
    const { sessions, found, here } = await json<SessionList>(['sessions']);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['MAIL-2', 'AUTH-1']);
    expect({ found, here }).toEqual({ found: 2, here: 2 });
    expect(sessions[1]).toMatchObject({
      key: 'AUTH-1',
      about: 'login, for all who sign in with it',
      place: 'project',
      branches: 2,
      openGaps: 1,
      runs: 1,
      run: { workflowId: 'team.rotate', status: 'in_progress', pending: 'Rotate' },
    });
    expect(
      (await json<SessionList>(['sessions', 'night', 'hard', 'cut'])).sessions.map(({ sessionId }) => sessionId),
    ).toEqual(['AUTH-1']);
    expect((await json<SessionList>(['sessions', 'mail'])).sessions[0]).toMatchObject({
      sessionId: 'MAIL-2',
      why: 'its tag “mail”',
    });
    expect(await json<SessionList>(['sessions', 'zebra'])).toMatchObject({ sessions: [], found: 0, here: 2 });
    expect(await json<SessionList>(['sessions', '--limit', '1'])).toMatchObject({ found: 2, nextCursor: '1' });
    expect(
      (await json<SessionList>(['sessions', '--limit', '1', '--cursor', '1'])).sessions.map(
        ({ sessionId }) => sessionId,
      ),
    ).toEqual(['AUTH-1']);
    expect(await world.run(['sessions', '--limit', 'many'])).toMatchObject({ code: 2 });
  });

  it('filters by words and by options alike, and repeats them where there is more', async () => {
    const ids = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await json<SessionList>(['sessions', ...args])).sessions.map(({ sessionId }) => sessionId);
    expect(await ids('is:gaps')).toEqual(['AUTH-1']);
    expect(await ids('--status', 'gaps')).toEqual(['AUTH-1']);
    expect(await ids('label:mail', 'is:open', '--workflow', 'team.*', '--since', '1d')).toEqual(['MAIL-2']);
    expect(await ids('is:open', '--sort', 'oldest')).toEqual(['AUTH-1', 'MAIL-2']);
    expect(await ids('mail', 'is:waiting')).toEqual([]);
    expect((await world.run(['sessions', '--status', 'open', '--limit', '1'], asTerminal)).out).toContain(
      '1 more: workrail sessions --status open --all',
    );
    const wrong = await world.run(['sessions', '--status', 'waitng']);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('is:waitng is unknown; did you mean waiting?');
    expect((await world.run(['sessions', '--branch', 'none'])).err).toContain(
      'no session has the branch "none"; none has any',
    );
  });

  it('says where a hit stands, with the command that reads it', async () => {
    const [found] = (await json<SessionList>(['sessions', 'dual'])).sessions;
    const [hit] = found?.hits ?? [];
    expect(hit).toMatchObject({ words: ['dual'], quote: 'Dual keys for a week.' });
    const { out } = await world.run(['sessions', 'dual'], asTerminal);
    expect(out).toContain(`${(hit?.where ?? '').slice(0, 20)}`);
    expect(out).toContain('Dual keys');
    expect(out).toContain(`workrail show AUTH-1 --node ${hit?.nodeId ?? ''}`);
    expect((await world.run(['show', 'AUTH-1', '--node', hit?.nodeId ?? ''])).out).toContain('Dual keys for a week.');
    expect((await world.run(['sessions', 'dual'])).out.split('\n')[1]).toContain('Dual keys for a week.');
    expect((await json<SessionList>(['sessions'])).sessions[0]?.hits).toBeUndefined();
  });

  it('gives scripts columns, and people lines that fit their terminal', async () => {
    const plain = (await world.run(['sessions'])).out.split('\n').map((line) => line.split('\t'));
    expect(plain[0]?.slice(0, 4)).toEqual(['session', 'last', 'status', 'workflow']);
    expect(plain.slice(1).map((cells) => [cells[0], cells[2], cells[6], cells[7]])).toEqual([
      ['MAIL-2', 'in_progress', '1', '0'],
      ['AUTH-1', 'in_progress', '2', '1'],
    ]);
    for (const columns of [60, 80, 120]) {
      const { out } = await world.run(['sessions'], { terminal: true, columns });
      expectHarmless(out);
      expect(Math.max(...widths(out))).toBeLessThanOrEqual(columns);
    }
    expect((await world.run(['sessions'], asTerminal)).out).toContain('just now');
    expect((await world.run(['sessions'], { ...asTerminal, env: { NO_COLOR: '1' } })).out).not.toContain('\u001b');
  });

  it('says how to begin where there is nothing, and how to see all where nothing matches', async () => {
    const empty = makeCommandLineWorld();
    expect(await empty.run(['sessions'], asTerminal)).toMatchObject({
      code: 0,
      out: expect.stringContaining("workrail start '<workflow>'"),
    });
    expect(await empty.run(['sessions'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining("workrail start '<workflow>'"),
    });
    expect(await empty.run(['show'])).toMatchObject({ code: 1, err: expect.stringContaining('Next: start one') });
    empty.close();
    expect((await world.run(['sessions', 'zebra'], asTerminal)).out).toContain('No session matches “zebra”');
  });

  it('shows the others where one cannot be read', async () => {
    const broken = join(world.workspace, '.workrail', 'sessions', 'BROKEN-1');
    mkdirSync(broken);
    writeFileSync(join(broken, 'segments'), 'a file where a folder should be');
    const other = join(world.workspace, '.workrail', 'sessions', 'BROKEN-2', 'segments');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, '000001-abcdefghjk.ndjson'), '{"v":1}\n{"v":1}\n');
    const { sessions } = await json<SessionList>(['sessions']);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining(['MAIL-2', 'AUTH-1']));
    rmSync(broken, { recursive: true });
    rmSync(join(other, '..'), { recursive: true });
  });
});

describe('workrail show', () => {
  it('tells what it is, where it stands, what was said last, what is open, and how to go on', async () => {
    const { code, out } = await world.run(['show', 'AUTH-1'], asTerminal);
    expect(code).toBe(0);
    expectHarmless(out);
    const text = out.replace(paints, '');
    for (const said of [
      'login, for all who sign in with it',
      'AUTH-1',
      'Rotate the signing keys',
      '○ branch 2',
      '● preferred: waits for Rotate',
      'Last notes',
      'Agreed with Ann.',
      'Open gaps (1)',
      'nobody knows the mail volume',
      'resume AUTH-1',
      'workrail continue --session AUTH-1',
    ])
      expect(text).toContain(said);
    expect(Math.max(...widths(out))).toBeLessThanOrEqual(80);
    const story = await json<SessionStory>(['show', 'AUTH']);
    expect(story.sessionId).toBe('AUTH-1');
    expect(story.runs[0]?.tips).toHaveLength(2);
  });

  it('shows one step whole, by the letters that stand before its line', async () => {
    const {
      runs: [run],
    } = await json<{ readonly runs: readonly RunStory[] }>(['graph', 'AUTH-1']);
    const weigh = run?.nodes.find(({ pending }) => pending?.stepId === 'weigh');
    const short = weigh?.nodeId.slice(2, 8) ?? '';
    expect((await world.run(['graph', 'AUTH-1'], asTerminal)).out).toContain(short);
    const shown = await json<NodeShown>(['show', 'AUTH-1', '--node', short]);
    expect(shown.node.nodeId).toBe(weigh?.nodeId);
    expect(shown.children.map(({ cameBy }) => cameBy.output.notes)).toEqual([
      'Dual keys for a week.',
      'Hard cut at night.',
    ]);
    // The same branch by the same number, with what it found.
    const whole = (await world.run(['show', 'AUTH-1'])).out;
    expect(whole).toMatch(/Other branches\n {2}branch 2, from step 2, waits at Rotate: Dual keys for a week\./u);
    const { out } = await world.run(['show', 'AUTH-1', '--node', short]);
    for (const said of [
      'Checkpoint',
      'Half way through.',
      'Done',
      '(branch 1',
      'week = 7',
      'artifact team.plan',
      '"hours": 2',
      'nobody knows the mail volume',
      'Mode here: Guided',
    ])
      expect(out).toContain(said);
    const root = await world.run(['show', 'AUTH-1', '--node', run?.root ?? '']);
    expect(root.out).toContain('␛[31mlogin␛[0m, mail␇ and [U+202E]gnillib[U+009B]2J.');
    expect(await world.run(['show', 'AUTH-1', '--node', 'ffff'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('workrail graph AUTH-1'),
    });
    expect(await world.run(['show', 'AUTH-1', '--run', 'run_x'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no run "run_x"'),
    });
  });

  it('says damage first, with the doctor, and the exit code tells', async () => {
    await json(['start', 'team.rotate', '--session', 'HURT-1', '--input', 'service=x']);
    await world.run(['note', 'HURT-1', 'one']);
    const [file] = segmentsOf('HURT-1');
    const text = readFileSync(file ?? '', 'utf8');
    writeFileSync(file ?? '', text.replace('"service":"x"', '"service":"y"'));
    const { code, out } = await world.run(['show', 'HURT-1'], asTerminal);
    expect(code).toBe(4);
    expect(out.replace(paints, '')).toMatch(/^segments\/\S+ line 2 .*damaged/u);
    expect(out).toContain('workrail doctor');
    const log = await world.run(['log', 'HURT-1']);
    expect({ code: log.code, err: log.err }).toEqual({
      code: 4,
      err: expect.stringContaining('Next: workrail doctor') as string,
    });
    expect((await world.run(['sessions'], asTerminal)).out).toContain('damaged, read-only');
    rmSync(join(world.workspace, '.workrail', 'sessions', 'HURT-1'), { recursive: true });
  });
});

const segmentsOf = (session: string): readonly string[] => {
  const folder = join(world.workspace, '.workrail', 'sessions', session, 'segments');
  return readdirSync(folder).map((name) => join(folder, name));
};

describe('workrail graph', () => {
  it('draws a run of many steps and branches inside 80 columns', async () => {
    const { out } = await world.run(['graph', 'AUTH-1'], asTerminal);
    expectHarmless(out);
    expect(Math.max(...widths(out))).toBeLessThanOrEqual(80);
    expect(out.replace(paints, '')).toContain('├─╮');
    expect((await world.run(['graph', 'AUTH-1'])).out).not.toContain('\u001b');
  });
});

describe('workrail log', () => {
  const lines = async (...args: readonly string[]): Promise<readonly EventTold[]> => {
    const { bytes, code } = await world.run(['log', ...args, '--json']);
    expect(code).toBe(0);
    return bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as EventTold);
  };

  it('tells every event in order, in words and as data, with nothing that a terminal would obey', async () => {
    const events = await lines('AUTH-1');
    expect(events.map(({ kind }) => kind)).toEqual([
      'session_started',
      'run_started',
      'step_acked',
      'checkpoint',
      'step_acked',
      'step_acked',
      'note_added',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(events[2]?.data['output']).toEqual({ notes: nasty });
    const { bytes } = await world.run(['log', 'AUTH-1'], asTerminal);
    const shown = bytes.toString('utf8');
    expectHarmless(shown);
    expect(Math.max(...widths(shown))).toBeLessThanOrEqual(80);
    for (const said of [
      'session begins, known as AUTH-1',
      'run of “Rotate the signing keys” begins',
      'done: “Survey who signs with what”',
      'checkpoint',
      'a fork: 1 other branch',
      'Agreed with Ann.',
    ])
      expect(shown).toContain(said);
    const raw = (await world.run(['log', 'AUTH-1', '--json'])).bytes.toString('utf8');
    expect(raw).not.toMatch(/[^\P{Control}\n]|[\u202a-\u202e]/u);
    expect((await world.run(['log', 'AUTH-1'])).bytes.toString('utf8').split('\n')[0]?.split('\t').slice(2, 3)).toEqual(
      ['session_started'],
    );
  });

  it('keeps to a time and to kinds of events', async () => {
    expect((await lines('AUTH-1', '--kind', 'note_added', '--kind', 'checkpoint')).map(({ kind }) => kind)).toEqual([
      'checkpoint',
      'note_added',
    ]);
    expect(await lines('AUTH-1', '--since', '1h')).toHaveLength(7);
    expect(await lines('AUTH-1', '--since', '2100-01-01')).toEqual([]);
    expect(await world.run(['log', '--since', 'whenever'])).toMatchObject({ code: 2 });
    expect(await world.run(['log', '--kind', 'note'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('note_added'),
    });
  });

  it('tells what happened in every session since a moment, each under its name', async () => {
    const plain = (await world.run(['log', '--all', '--since', '10000d'])).bytes.toString('utf8');
    const here = (await json<SessionList>(['sessions'])).sessions.toReversed();
    const headed = plain.split('\n').filter((line) => line.startsWith('# '));
    const told = await world.run(['log', '--all', '--since', '10000d']);
    expect([...headed, ...told.out.split('\n').filter((line) => line.startsWith('# '))]).toEqual(
      here.map(({ sessionId, about }) => `# ${sessionId} ${about.replaceAll('\u001b', '␛')}`),
    );
    const { bytes } = await world.run(['log', '--all', '--since', '10000d', '--json']);
    const events = bytes
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { sessionId: string });
    expect([...new Set(events.map(({ sessionId }) => sessionId))]).toEqual(here.map(({ sessionId }) => sessionId));
    for (const [words, said] of [
      [['log', '--all'], '--since'],
      [['log', 'AUTH-1', '--whole'], '--all'],
      [['log', '--all', '--since', '1h', '-f'], 'leave out'],
      [['log', 'AUTH-1', '--all', '--since', '1h'], 'leave out'],
    ] as const)
      expect(await world.run(words)).toMatchObject({ code: 2, err: expect.stringContaining(said) });
  });

  it('follows what others append within a second, until it is stopped', async () => {
    const stop = new AbortController();
    const following = world.run(['log', 'AUTH-1', '-f', '--json', '--kind', 'note_added'], {
      interrupted: stop.signal,
    });
    await pause(300);
    const texts = ['first of three', 'second of three', 'third of three'];
    for (const text of texts) {
      expect((await world.run(['note', 'AUTH-1', text])).code).toBe(0);
      await pause(50);
    }
    await pause(1000);
    stop.abort();
    const { code, bytes } = await following;
    expect(code).toBe(0);
    const told = bytes
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as EventTold).data['text']);
    expect(told).toEqual(['Agreed with Ann.', ...texts]);
  });
});

it('no text of a session reaches a terminal raw, whatever it is', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(oddText(30), oddText(60), async (title, text) => {
      number += 1;
      const key = `ODD-${number}`;
      await world.run(['start', 'team.rotate', '--session', key, '--input', `service=${text}`]);
      await world.run(['note', key, text.trim() === '' ? 'blank' : text]);
      await world.run(['sessions', 'label', key, '--title', title]);
      for (const args of [['sessions'], ['show', key], ['graph', key], ['log', key]]) {
        const { out, err, bytes, code } = await world.run(args, asTerminal);
        expect(code).toBe(0);
        for (const shown of [out, err, bytes.toString('utf8')]) expectHarmless(shown);
      }
      rmSync(join(world.workspace, '.workrail', 'sessions', key), { recursive: true, force: true });
    }),
    runs(15),
  );
}, 120_000);
