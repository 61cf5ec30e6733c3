import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import type { Requests } from '../../src/requests/requests.js';
import { allowLocal } from './mini-api.js';
import { call, type Called, makeRequestsWorld, type RequestsWorld, textOf } from './requests-world.js';
import { type Script, scriptedServer, type ScriptedServer } from './scripted-server.js';
import { tracker, type Tracker, writeTrackerCatalog } from './tracker-api.js';

const flow = (name: string, title: string, steps: string): string =>
  `workflow: team.${name}\ntitle: ${title}\ndescription: Use this to try.\nsteps:\n${steps}`;

const look = `  - id: look
    title: Look the issue up
    run: tracker issues/get
    with: { id: 1 }
`;
const say = `  - id: say
    title: Tell the team
    prompt: Tell them.
`;
const file = `  - id: file
    title: File the issue
    run: tracker issues/create
    body: { title: It crashes on empty files, state: open }
`;
const decide = `  - id: decide
    title: Decide what is wrong
    prompt: Decide.
`;
const wait = `  - id: wait
    title: Wait until it is closed
    run: tracker issues/get
    with: { id: 1 }
    until: body.state == "closed"
    every: 6h
    timeout: 6d
`;
const missing = `  - id: look
    title: Look the issue up
    run: tracker issues/get
    with: { id: 404 }
`;
const give = `  - id: check
    title: Give up when nobody is to be asked
    fail: Issue ${'${{ inputs.issue }}'} is not ours.
`;

const workflows = {
  read: flow('read', 'Look an issue up', look + say),
  write: flow('write', 'File a bug', decide + file + say),
  lost: flow('lost', 'File a bug where the line breaks', file + say),
  poll: flow('poll', 'Wait for a fix', wait + say),
  failed: flow('failed', 'Look an issue up that is gone', missing + say),
  stop: `workflow: team.stop\ntitle: Refuse an issue\ndescription: Use this to try.\ninputs: { issue: { type: integer, required: true } }\nsteps:\n${give}`,
} as const;

/** Runs whose steps WorkRail does itself, at every place where they can stand. */
export interface CommandRuns {
  readonly world: RequestsWorld;
  readonly requests: Requests;
  readonly server: ScriptedServer;
  readonly api: Tracker;
  readonly start: (workflow: keyof typeof workflows, session: string, context?: JsonObject) => Promise<Called>;
  readonly goOn: (of: Called, more?: object) => Promise<Called>;
  /** Loses the answers of requests that change something: they are done, and nobody hears of it. */
  readonly loseAnswers: () => void;
  readonly keepAnswers: () => void;
  close(): Promise<void>;
}

export async function openCommandRuns(): Promise<CommandRuns> {
  const world = makeRequestsWorld({ seed: 41 });
  const api = tracker();
  const server = await scriptedServer(api.script);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  writeTrackerCatalog(world.data, server.origin);
  allowLocal(world, 'tracker');
  for (const [name, text] of Object.entries(workflows)) world.writeWorkflow(name, text);
  api.issues.set(1, { id: 1, title: 'It crashes on empty files', state: 'open', labels: ['bug', 'import'] });
  const requests = world.open();
  const losing: Script = async (request, count) => {
    const answered = await api.script(request, count);
    return request.method === 'GET' ? answered : { ...answered, cut: 10, then: 'reset' };
  };
  return {
    world,
    requests,
    server,
    api,
    start: (workflow, session, context = {}) =>
      call(requests, 'start_workflow', { workflowId: `team.${workflow}`, session, context }),
    goOn: ({ answer }, more = {}) =>
      call(requests, 'continue_workflow', {
        stateToken: textOf(answer['stateToken']),
        ...(answer['ackToken'] !== undefined && { ackToken: textOf(answer['ackToken']) }),
        ...more,
      }),
    loseAnswers: () => server.script(losing),
    keepAnswers: () => server.script(api.script),
    close: async () => {
      await world.close();
      await server.close();
    },
  };
}

const notes = (notesMarkdown: string): object => ({ output: { notesMarkdown } });

/** Lets a run stand at each place once; each session is named for where it stands. */
export async function playCommandRuns(runs: CommandRuns): Promise<void> {
  const { start, goOn, loseAnswers, keepAnswers } = runs;
  await start('read', 'READ-DONE');
  await goOn(await start('write', 'WRITE-WAITS'), notes('It crashes on empty files.'));
  loseAnswers();
  await goOn(await start('lost', 'OUTCOME-UNKNOWN'), { confirmed: true });
  keepAnswers();
  await start('failed', 'RUN-FAILED');
  await start('stop', 'RUN-STOPPED', { issue: 7 });
  const begun = await start('write', 'WRITE-REUSED');
  await goOn(await goOn(begun, notes('It crashes on empty files.')), { confirmed: true });
  // With an attempt of its own: the same step again begins a branch.
  const again = await goOn({ ...begun, answer: { stateToken: begun.answer['stateToken'] ?? '' } });
  await goOn(again, notes('It crashes on empty files, since the header is read first.'));
  // Whoever starts it would wait a while for what does not come.
  void start('poll', 'POLL-RUNS').catch(() => undefined);
  while (!runs.world.lines().some(({ kind, session }) => session === 'POLL-RUNS' && kind === 'command_done'))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
}
