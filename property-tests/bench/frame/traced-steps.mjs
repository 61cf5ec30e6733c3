// What the built server asks of the system, as an agent's client drives it through a whole bundled workflow.
//   node property-tests/bench/frame/traced-steps.mjs     prints it as JSON; needs strace
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ackOf, makeWorld, program } from '../bench-world.mjs';
import { startClient } from './stdio-client.mjs';

const traced =
  'write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,open,openat,creat,mkdir,mkdirat,unlink,unlinkat,ftruncate';
const replays = 5;

export const hasStrace = () => spawnSync('strace', ['-V']).status === 0;

const startTraced = (world, trace, server) =>
  startClient(
    'strace',
    ['-f', '-qq', '-y', '-s', '40', '-e', `trace=${traced}`, '-o', trace, ...server],
    world.environment,
    world.workspace,
  );

/** Of lines of a trace: what was written to sessions and synced, and what was made, renamed or removed where. */
function countCalls(world, calls) {
  const log = calls.filter((call) => call.includes(join(world.data, 'sessions')));
  const makes = (call) =>
    /\b(?:rename\w*|mkdir\w*|unlink\w*|ftruncate|creat)\(/u.test(call) || call.includes('O_CREAT');
  return {
    writes: log.filter((call) => /\b(?:write|pwrite64|writev)\(/u.test(call)).length,
    syncs: log.filter((call) => /\bf(?:data)?sync\(/u.test(call)).length,
    made: log.filter(makes),
    // The lease between processes is taken up again after a rest, which a slow machine may bring at any moment.
    beside: calls.filter(
      (call) =>
        makes(call) && call.includes(join(world.data, 'local')) && !call.includes(join(world.data, 'local', 'locks')),
    ),
    elsewhere: calls.filter((call) => makes(call) && call.includes('"/') && !call.includes(world.data)),
  };
}

/** Of writes to a shared document, once it has been written to: `write` does one, given the server and a number. */
export async function traceWrites(world, count, write) {
  const trace = join(world.folder, 'trace');
  const words = ['mcp', '--data-dir', world.data, '--workspace', world.workspace, '--toolsets', 'state'];
  const client = await startTraced(world, trace, [process.execPath, program, ...words]);
  const lines = () => readFileSync(trace, 'utf8').split('\n');
  try {
    for (let at = 0; at < 3; at += 1) await write(client, at);
    const before = lines().length;
    for (let at = 3; at < count + 3; at += 1) await write(client, at);
    return countCalls(world, lines().slice(before - 1));
  } finally {
    await client.close();
  }
}

/** Of the steps after the first two, when everything is warm: writes, syncs, and what was made, renamed or removed. `of` is another build's program. */
export async function traceSteps(of = program) {
  const world = makeWorld();
  const trace = join(world.folder, 'trace');
  const server = [process.execPath, of, 'mcp', '--data-dir', world.data, '--workspace', world.workspace];
  const client = await startTraced(world, trace, server);
  try {
    const say = async (tool, args) => (await client.call(tool, args))._meta['workrail/answer'];
    const ack = (at) => say('continue_workflow', ackOf(at, 'Done. Expected: Observed: Ran: Verdict: Verified:'));
    const first = await say('start_workflow', {
      workflowId: 'wr.bug_investigation',
      session: 'STRACE',
      mode: 'auto_never_stop',
      context: { symptom: 'none' },
    });
    let at = await ack(first);
    // The first two make the session's files and find the lock.
    const before = readFileSync(trace, 'utf8').split('\n').length;
    let acked = 0;
    for (; at.isComplete !== true; acked += 1) at = await ack(at);
    const upTo = readFileSync(trace, 'utf8').split('\n').length;
    for (let replay = 0; replay < replays; replay += 1) await ack(first);
    const lines = readFileSync(trace, 'utf8').split('\n');
    const counted = (from, to) => countCalls(world, lines.slice(from - 1, to));
    return { acked, steps: counted(before, upTo - 1), replays: { asked: replays, ...counted(upTo, lines.length) } };
  } finally {
    await client.close();
    world.remove();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${JSON.stringify(await traceSteps(process.argv[2]))}\n`);
