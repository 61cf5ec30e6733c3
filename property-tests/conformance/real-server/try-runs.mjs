import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openTap } from './open-tap.mjs';
import { killAtLines, killAtWrites, playRun } from './play-run.mjs';
import { tryWorkflow } from './try-workflow.mjs';
import { unleashState } from './unleash-state.mjs';

const inputs = { flags: ['new-basket', 'dark-theme', 'gift-cards'] };

/**
 * The workflow of Unleash, run to its end with nothing in the way, and again with the program killed at every write, at every
 * line that says so in the log, and with Unleash killed. Each time the server must have been asked for the same.
 */
export async function tryUnleash({ server, subject, folder, say }) {
  const tap = await openTap(server.url);
  try {
    const tried = await tryWorkflow({ ...subject, url: tap.url, folder });
    const state = unleashState(server);
    const fresh = (name, of) => playedOnce({ tried, tap, state, session: name, ...of });
    const straight = await fresh('undisturbed', {});
    say(`    undisturbed: ${told(straight)}`);
    const ways = {
      'killed at each write, before the server has it': { watch: killAtWrites(tap, 'asked') },
      'killed at each write, before its answer is there': { watch: killAtWrites(tap, 'answered') },
      'killed where the log says that a write is sent': { watch: killAtLines(tried, 'command_sent') },
      'killed where the log says what came of it': { watch: killAtLines(tried, 'command_done') },
      'Unleash killed before it has a write': serverKilled(server, tap, { at: 'asked', turn: 5 }),
      'Unleash killed before it answers a write': serverKilled(server, tap, { at: 'answered', turn: 9 }),
      'Unleash killed before it has a read': serverKilled(server, tap, { at: 'asked', turn: 2, method: 'GET' }),
    };
    for (const [name, way] of Object.entries(ways)) {
      const run = await fresh(name, way);
      say(`    ${name}: ${told(run)}`);
      const wrong = differences(straight, run);
      if (wrong.length > 0) throw new Error(`${name}: ${wrong.join('\n')}`);
    }
    return tried;
  } finally {
    await tap.close();
  }
}

async function playedOnce({ tried, tap, state, session, watch, isUp = () => Promise.resolve(), goesOn }) {
  // What was agreed to once is sent once, in whatever session: each play is of a machine that knows of no other.
  for (const name of ['sessions', 'local'])
    rmSync(join(tried.workspace, '.workrail', name), { recursive: true, force: true });
  const before = await state.begin(inputs.flags[0]);
  tap.seen.length = 0;
  const look = async (sent) => {
    await isUp();
    return state.look(sent, before);
  };
  const { told: end, ...counts } = await playRun(tried, { inputs, session, look, watch, goesOn });
  await isUp();
  const events = await state.since(before);
  await state.clean();
  return { ...counts, end, events, twice: sentTwice(tap.seen) };
}

/** What the server did more than once, though nobody said that it may be repeated. */
function sentTwice(seen) {
  const done = seen
    .filter(
      ({ method, path, status }) => ['POST', 'PATCH'].includes(method) && status < 400 && !path.endsWith('/export'),
    )
    .map(({ method, path, body }) => `${method} ${path} ${body}`);
  return done.filter((one, at) => done.indexOf(one) < at);
}

/** Unleash is killed at one request, and comes again some seconds later. */
function serverKilled(server, tap, { at, turn, method }) {
  let met = 0;
  let back = Promise.resolve();
  // Whoever asks the server from now on waits for it, also while it dies.
  const kill = () => {
    const killed = server.kill();
    back = killed.then(() => server.start()).then(() => tap.up());
    return killed;
  };
  return {
    isUp: () => back,
    // What was refused for too long ends a run; another goes on from it.
    goesOn: () => back.then(() => true),
    watch: () => {
      tap.meets(async (one) => {
        const isOne = one.is === at && (method === undefined ? one.method !== 'GET' : one.method === method);
        if (isOne) met += 1;
        if (!isOne || met !== turn) return 'pass';
        const killed = kill();
        void tap.down();
        await killed;
        return 'lose';
      });
      return () => tap.meets(() => Promise.resolve('pass'));
    },
  };
}

function told({ processes, runs, yes, settled, end, events }) {
  const said = ['repeat', 'done'].map((choice) => `${settled.filter((one) => one.choice === choice).length} ${choice}`);
  return `${end.state} with ${processes} processes and ${runs} runs, ${yes} asked for a yes, unknown outcomes settled: ${said.join(', ')}; ${events.length} changes at the server`;
}

function differences(straight, run) {
  const wrong = [];
  const [wanted, given] = [straight, run].map(({ end }) => JSON.stringify([end.state, end.returned]));
  if (wanted !== given) wrong.push(`gives ${given}, not ${wanted} (${run.end.message})`);
  if (run.twice.length > 0) wrong.push(`sent twice: ${run.twice.join(', ')}`);
  const at = straight.events.findIndex((one, index) => one !== run.events[index]);
  if (at >= 0) wrong.push(`at the server: ${run.events[at]}\n  not ${straight.events[at]}`);
  else if (run.events.length > straight.events.length) wrong.push(`at the server also: ${run.events.at(-1)}`);
  return wrong;
}

/** A workflow at a mock, to its end. */
export async function tryMock({ subject, folder }) {
  const tap = await openTap(subject.url);
  try {
    const tried = await tryWorkflow({ ...subject, url: tap.url, folder });
    const { told: end } = await playRun(tried, { look: () => Promise.resolve(undefined) });
    const refused = tap.seen.filter(({ status = 0 }) => status < 200 || status > 299);
    if (end.state !== 'succeeded' || refused.length > 0)
      throw new Error(`${tried.workflow}: ${end.message}; refused: ${JSON.stringify(refused)}`);
    return { ...tried, end, sent: tap.seen.length };
  } finally {
    await tap.close();
  }
}
