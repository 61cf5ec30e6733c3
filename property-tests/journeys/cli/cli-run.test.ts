import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunAnswer } from '../../../src/contract/run-answers.js';
import {
  type CommandLineWorld,
  makeCommandLineWorld,
  type Ran,
  type RunOptions,
} from '../../worlds/command-line-world.js';
import { type Scripted, scriptedServer, type ScriptedServer } from '../../worlds/scripted-server.js';
import { tracker, type Tracker, writeTrackerCatalog } from '../../worlds/tracker-api.js';

/** A workflow that WorkRail runs itself, started and followed at the command line. */
let world: CommandLineWorld;
let server: ScriptedServer;
let api: Tracker;

beforeEach(async () => {
  world = makeCommandLineWorld();
  api = tracker();
  server = await scriptedServer(api.script);
  const data = join(world.workspace, '.workrail');
  writeTrackerCatalog(data, server.origin);
  mkdirSync(join(data, 'workflows'));
  await world.run(['catalogs', 'configure', 'tracker', '--allow', '127.0.0.1']);
});
afterEach(async () => {
  world.close();
  await server.close();
});

const workflow = (steps: string, more = ''): void =>
  writeFileSync(
    join(world.workspace, '.workrail/workflows/flow.yaml'),
    `workflow: team.flow\ntitle: Flow\ndescription: Use this to try.\n${more}steps:\n${steps}`,
  );
const titled = 'inputs: { title: { type: string, required: true, description: What it is called } }\n';
const filed = `  - { id: file, title: File it, run: tracker issues/create, body: { title: "\${{ inputs.title }}" } }
  - { id: look, title: Look at it, run: tracker issues/get, with: { id: "\${{ outputs.file.body.id }}" } }
`;
const returns = 'returns: { issue: "${{ outputs.look.body.id }}" }\n';
const polled =
  '  - { id: wait, title: Wait, run: tracker issues/get, with: { id: 1 }, until: body.state == "done", every: 1s, timeout: 6h }\n';

const terminal = (stdin: string, ...args: readonly string[]): Promise<Ran> => follow({ stdin }, ...args);
const follow = (options: RunOptions, ...args: readonly string[]): Promise<Ran> =>
  world.run(args, { terminal: true, env: { NO_COLOR: '1' }, columns: 200, ...options });
const told = ({ out }: Ran): RunAnswer => JSON.parse(out) as RunAnswer;
const runOf = ({ err }: Ran): string => /run_[0-9a-f]{12}/u.exec(err)?.[0] ?? '';
const last = async (): Promise<string> =>
  (JSON.parse((await world.run(['runs', '--json'])).out) as { readonly runs: readonly RunAnswer[] }).runs[0]!.run_id;

describe('at a terminal', () => {
  it('asks for what is missing, shows what is sent, and prints a line for each step and the result alone on stdout', async () => {
    workflow(filed, titled + returns);
    const ran = await terminal('It crashes\ny\n', 'run', 'team.flow');
    expect({ ...ran, bytes: undefined }).toMatchObject({ code: 0, out: '{\n  "issue": 1\n}' });
    expect(ran.err).toContain(`POST /issues at ${server.origin} (tracker issues/create)`);
    expect(ran.err).toContain('body: {"title":"It crashes"}');
    expect(ran.err).toMatch(/✓ File it {2}tracker issues\/create {2}201 {2}\d/u);
    expect(ran.err).toMatch(/✓ Look at it {2}tracker issues\/get {2}200 {2}\d/u);
    expect(ran.err).toContain('“Flow” is complete.');
    expect(api.writes).toHaveLength(1);
  });

  it.each(['n\n', '\n', ''])('sends nothing where the answer is %j', async (stdin) => {
    workflow(filed, titled);
    const ran = await terminal(stdin, 'run', 'team.flow', '--input', 'title=A');
    expect([ran.code, ran.out, ran.err.split('\n').at(-1)]).toEqual([1, '', 'Nothing was sent.']);
    expect(server.seen).toEqual([]);
    expect((await world.run(['runs', '--json'])).out).toBe('{"runs":[],"more":false}');
  });

  it('asks what became of a request whose answer was lost, and takes what the server would have said', async () => {
    workflow(filed, titled + returns);
    server.script((request, count) =>
      request.method === 'POST'
        ? ({ ...(api.script(request, count) as Scripted), cut: 10, then: 'reset' } satisfies Scripted)
        : api.script(request, count),
    );
    const left = await terminal('y\n\n', 'run', 'team.flow', '--input', 'title=A');
    expect(left.code).toBe(1);
    expect(left.err).toContain(`workrail runs settle ${runOf(left)} c_`);
    const done = await terminal('what?\nd\nnone\n{"id":1}\n', 'run', '--resume', runOf(left));
    expect([done.code, done.out]).toEqual([0, '{\n  "issue": 1\n}']);
    expect(done.err).toContain('That is not JSON');
    expect(api.writes).toHaveLength(1);
  });

  it('sends it again where the user says so', async () => {
    workflow(filed, titled + returns);
    let lost = 0;
    server.script((request, count) =>
      request.method === 'POST' && (lost += 1) === 1
        ? ({ ...(api.script(request, count) as Scripted), cut: 10, then: 'reset' } satisfies Scripted)
        : api.script(request, count),
    );
    const ran = await terminal('y\nr\n', 'run', 'team.flow', '--input', 'title=A');
    expect([ran.code, ran.out]).toEqual([0, '{\n  "issue": 2\n}']);
    expect(api.writes).toHaveLength(2);
  });

  it('stops at a step for an agent, and asks about the very request that it filled in', async () => {
    workflow(`  - { id: write, title: Write it, prompt: Write., sets: { title: { type: string } } }
  - { id: file, title: File it, run: tracker issues/create, confirm: true, body: { title: "\${{ context.title }}" } }
`);
    const begun = await terminal('y\n', 'run', 'team.flow');
    expect(begun.code).toBe(1);
    expect(begun.err).toContain('“Write it” is a step for an agent, or for you.');
    const token = /workrail continue (st\.\S+)/u.exec(begun.err)?.[1] ?? '';
    const shown = JSON.parse((await world.run(['continue', token, '--json'])).out) as { readonly ackToken: string };
    await world.run(['continue', token, shown.ackToken, '--notes', 'Written.', '--context', 'title=From the agent']);
    const unasked = await world.run(['run', '--resume', runOf(begun)]);
    expect([unasked.code, unasked.err]).toEqual([1, expect.stringContaining('“File it” is waiting for you')]);
    const left = await terminal('n\n', 'run', '--resume', runOf(begun));
    expect([left.code, left.err]).toEqual([1, expect.stringContaining('"title": "From the agent"')]);
    expect(left.err).toContain(
      'The user has to agree to exactly this request (tracker issues/create): its step asks for it each time.',
    );
    expect(api.writes).toHaveLength(0);
    expect((await terminal('y\n', 'run', '--resume', runOf(begun))).code).toBe(0);
    expect(api.writes).toHaveLength(1);
  });
});

describe('without a terminal', () => {
  it('refuses with the command that agrees; the same plan is sent once, and once more where that is said', async () => {
    workflow(filed, titled + returns);
    const refused = await world.run(['run', 'team.flow', '--input', 'title=A']);
    const plan = /--confirm (pl_[0-9a-f]{16})/u.exec(refused.err)?.[1] ?? '';
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain(`workrail run team.flow --input title=A --confirm ${plan}`);
    expect(api.writes).toHaveLength(0);
    const agreed = ['run', 'team.flow', '--input', 'title=A', '--confirm', plan];
    const ran = await world.run(agreed);
    expect([ran.code, ran.out]).toEqual([0, '{\n  "issue": 1\n}']);
    const again = await world.run(agreed);
    expect([again.code, again.out]).toEqual([0, '{\n  "issue": 1\n}']);
    expect(again.err).toContain('The same plan ran before');
    expect(api.writes).toHaveLength(1);
    expect((await world.run([...agreed, '--fresh'])).out).toContain('"issue": 2');
    const stale = await world.run(['run', 'team.flow', '--input', 'title=B', '--confirm', plan]);
    expect([stale.code, stale.err]).toEqual([1, expect.stringContaining(`is not the plan ${plan} any more`)]);
    expect(api.writes).toHaveLength(2);
  });

  it('gives the whole run as JSON, and says nothing besides', async () => {
    workflow('  - { id: list, title: List, run: tracker issues/list }\n');
    const ran = await world.run(['run', 'team.flow', '--json']);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(told(ran)).toMatchObject({ state: 'succeeded', done: [{ path: 'list', status: 200 }] });
  });

  it('fails with what the server said, and another run goes on from there', async () => {
    workflow(filed.replace('outputs.file.body.id', 'outputs.file.body.id + 7'), titled);
    const plan = /pl_[0-9a-f]{16}/u.exec((await world.run(['run', 'team.flow', '--input', 'title=A'])).err)![0];
    const failed = await world.run(['run', 'team.flow', '--input', 'title=A', '--confirm', plan]);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain('✗ Look at it  tracker issues/get  404');
    expect(failed.err).toContain('{"message":"no such issue"}');
    const repair = /workrail (run team\.flow .*--repairs run_\w+)/u.exec(failed.err)![1]!.split(' ');
    workflow(filed, titled + returns);
    const mended = await terminal('y\n', ...repair);
    expect([mended.code, mended.out]).toEqual([0, '{\n  "issue": 1\n}']);
    expect(mended.err).toContain('✓ File it  tracker issues/create  not sent again');
    expect(api.writes).toHaveLength(1);
  });

  it('names what is missing as the option that gives it', async () => {
    workflow(filed, titled);
    const ran = await world.run(['run', 'team.flow']);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('--input title: input title is missing')]);
  });

  it.each([
    [['run'], 'which workflow?'],
    [['run', 'team.flow', '--resume', 'run_0123456789ab'], 'leave out team.flow'],
    [['run', 'team.flow', '--take-over'], '--take-over needs --resume'],
    [['runs', 'settle', 'run_0123456789ab'], 'which request?'],
    [['runs', 'settle', 'run_0123456789ab', 'c_0123456789ab', 'maybe'], 'what became of it?'],
    [['runs', 'settle', 'run_0123456789ab', 'c_0123456789ab', 'done'], '--reason'],
    [['runs', 'show'], 'which run?'],
    [['runs', 'cancel'], 'which run?'],
  ])('%j is a mistake in the command line', async (args, says) => {
    const ran = await world.run(args);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(says)]);
  });

  it.each([
    [['run', '--resume', 'nonsense'], '--resume: is no run'],
    [['run', '--resume', 'run_0123456789ab'], 'workrail runs'],
    [['runs', 'show', 'run_0123456789ab'], 'no run named'],
    [['runs', '--state', 'odd'], '--state'],
  ])('%j is told with what to do', async (args, says) => {
    const ran = await world.run(args);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining(says)]);
  });
});

describe('interrupted', () => {
  const untilSeen = async (count: number): Promise<void> => {
    while (server.seen.length < count) await new Promise((done) => setTimeout(done, 10));
  };

  it('says so, and goes on where it stood', async () => {
    api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    workflow(polled);
    const stop = new AbortController();
    const running = follow({ interrupted: stop.signal }, 'run', 'team.flow');
    await untilSeen(1);
    stop.abort();
    const ran = await running;
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('Interrupted at “Wait”')]);
    expect(ran.err).toContain(`workrail run --resume ${runOf(ran)}`);
    expect((await world.run(['runs', 'show', runOf(ran)])).out).toContain('interrupted');
    api.issues.set(1, { id: 1, title: 'A', state: 'done' });
    expect((await world.run(['run', '--resume', runOf(ran)])).code).toBe(0);
  });

  it('waits for a request that changes something, and records its answer', async () => {
    workflow(filed, titled + returns);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    server.script(async (request, count) => {
      if (request.method === 'POST') await held;
      return api.script(request, count);
    });
    const stop = new AbortController();
    const onErr = (line: string): void => (line.startsWith('Stopping.') ? answer() : undefined);
    const how = { interrupted: stop.signal, stdin: 'y\n', onErr };
    const running = follow(how, 'run', 'team.flow', '--input', 'title=A');
    await untilSeen(1);
    stop.abort();
    const ran = await running;
    expect(ran.err).toMatch(/✓ File it {2}tracker issues\/create {2}201/u);
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('Interrupted at “Look at it”')]);
    const resumed = await world.run(['run', '--resume', runOf(ran)]);
    expect([resumed.code, resumed.out]).toEqual([0, '{\n  "issue": 1\n}']);
    expect(api.writes).toHaveLength(1);
  });

  it('at a question leaves it open', async () => {
    workflow(filed.replace('run: tracker', 'confirm: true, run: tracker'), titled);
    const ran = await terminal('y\n', 'run', 'team.flow', '--input', 'title=A');
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('“File it” is waiting for you')]);
    expect(api.writes).toHaveLength(0);
  });
});

describe('runs', () => {
  it('are listed and filtered, for people and for scripts', async () => {
    workflow('  - { id: list, title: List, run: tracker issues/list }\n');
    expect((await terminal('', 'runs')).out).toContain('No such runs.');
    await world.run(['run', 'team.flow']);
    const run = await last();
    const [head, line] = (await world.run(['runs'])).out.split('\n').map((row) => row.split('\t'));
    expect(head).toEqual(['run', 'last', 'state', 'waitingFor', 'workflow', 'session', 'message', 'criticalGaps']);
    expect(line).toMatchObject([
      run,
      expect.any(String),
      'succeeded',
      '',
      'team.flow',
      expect.any(String),
      /complete/u,
      '0',
    ]);
    expect((await terminal('', 'runs')).out).toContain(`${run}  team.flow  ·  succeeded`);
    expect((await world.run(['runs', '--state', 'failed'])).out).toBe('');
    expect((await world.run(['runs', '--workflow', 'team.other'])).out).toBe('');
    expect((await world.run(['runs', 'show', run])).out).toMatch(/✓ List {2}tracker issues\/list {2}200/u);
    expect(told(await world.run(['runs', 'show', run, '--json']))).toMatchObject({ run_id: run, state: 'succeeded' });
  });

  it('that succeeded with critical gaps are told so, by each command', async () => {
    workflow(filed.split('\n')[0] ?? '', titled);
    server.script(async (request, count) => ({ ...(await api.script(request, count)), cut: 10, then: 'reset' }));
    const ran = await terminal('y\n', 'run', 'team.flow', '--input', 'title=A', '--mode', 'auto_never_stop');
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('“Flow” is complete, with 1 critical gap.');
    expect(ran.err).toContain('whether the server did it is unknown');
    expect((await terminal('', 'runs')).out).toContain('succeeded, with critical gaps');
    expect((await terminal('', 'runs', 'show', await last())).out).toContain('whether the server did it is unknown');
  });

  it('that were canceled say that nothing goes on in them', async () => {
    workflow('  - { id: say, title: Say, prompt: Say it. }\n  - { id: list, title: List, run: tracker issues/list }\n');
    await world.run(['run', 'team.flow']);
    const run = await last();
    const canceled = await terminal('', 'runs', 'cancel', run, '--reason', 'not needed');
    expect(canceled.out).toContain('none of its steps can be completed any more');
    const { session_id: session } = told(await world.run(['runs', 'show', run, '--json']));
    const went = await world.run(['continue', '--session', session, '--notes', 'said']);
    expect([went.code, went.err]).toEqual([1, expect.stringContaining('this run was canceled (not needed)')]);
    expect((await terminal('', 'show', session)).out).toContain('canceled');
  });

  it('are told with every step, however many there were', async () => {
    workflow(
      '  - id: each\n    title: Each\n    repeat: 20\n    steps:\n      - { id: list, title: List, run: tracker issues/list }\n',
    );
    const ran = await world.run(['run', 'team.flow']);
    const rounds = [...ran.err.matchAll(/✓ List \(each@(\d+)\)/gu)].map(([, round]) => Number(round));
    expect(rounds).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it('are canceled for good, whoever runs them', async () => {
    api.issues.set(1, { id: 1, title: 'A', state: 'open' });
    workflow(polled);
    const running = follow({}, 'run', 'team.flow');
    while (server.seen.length === 0) await new Promise((done) => setTimeout(done, 10));
    const run = await last();
    const canceled = await world.run(['runs', 'cancel', run, '--reason', 'the release is off']);
    expect([canceled.code, canceled.out]).toEqual([0, expect.stringContaining('Canceled: the release is off.')]);
    expect([(await running).code, (await running).err]).toEqual([1, expect.stringContaining('the release is off')]);
    expect((await world.run(['run', '--resume', run])).code).toBe(1);
  });

  it('are settled in a script, and go on from there', async () => {
    workflow(filed, titled + returns);
    server.script((request, count) =>
      request.method === 'POST'
        ? ({ ...(api.script(request, count) as Scripted), cut: 10, then: 'reset' } satisfies Scripted)
        : api.script(request, count),
    );
    const asked = await terminal('y\n\n', 'run', 'team.flow', '--input', 'title=A');
    const settle = /workrail (runs settle run_\w+ c_\w+)/u.exec(asked.err)![1]!.split(' ');
    const settled = await world.run([...settle, 'done', '--reason', 'It is there.', '--result', '{"id":1}']);
    expect([settled.code, settled.out]).toEqual([0, '{\n  "issue": 1\n}']);
    expect(settled.err).toContain('✓ File it  tracker issues/create  settled as done');
    expect(api.writes).toHaveLength(1);
    const again = await world.run([...settle, 'repeat', '--reason', 'Once more.']);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('nothing was recorded')]);
  });
});
