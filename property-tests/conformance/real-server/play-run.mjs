import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAgent } from './open-agent.mjs';

const over = ['succeeded', 'failed', 'canceled'];

/**
 * Has a workflow done from the plan to its end, by as many processes as it takes, as an agent and its user do: who lost its
 * server starts another and goes on, a request that asks for a yes gets one, and where nobody knows what became of a
 * request, `look` goes and sees at the server. `watch` is told of each process that it may kill.
 */
export async function playRun(
  tried,
  { inputs = {}, session, look, watch = () => () => {}, goesOn = () => Promise.resolve(false) },
) {
  const { workflow: workflowId } = tried;
  const counts = { processes: 0, runs: 1, settled: [], yes: 0 };
  let told;
  let plan;
  let repairs;
  for (let round = 0; round < 400; round += 1) {
    const agent = await openAgent(tried);
    counts.processes += 1;
    const stop = watch(agent);
    try {
      plan ??= (await agent.ask('plan_steps', { workflowId, inputs }))?.plan;
      const more = repairs === undefined ? {} : { repairs };
      const call = told
        ? { runId: told.run_id, detached: true }
        : { workflowId, inputs, session, confirm: plan, detached: true, ...more };
      let next = await agent.ask('run_workflow', call);
      while (next !== undefined) {
        told = next;
        if (over.includes(told.state)) break;
        next = await goOn(agent, tried, told, { look, counts });
      }
    } finally {
      stop();
      await agent.close().catch(() => {});
    }
    if (told?.state === 'failed' && (await goesOn())) {
      repairs = told.run_id;
      counts.runs += 1;
      told = undefined;
    } else if (told !== undefined && over.includes(told.state)) return { ...counts, told };
  }
  throw new Error(`${workflowId} does not end: ${told?.message}`);
}

async function goOn(agent, tried, { run_id: runId, waitingFor, message, step, nextCall }, { look, counts }) {
  switch (waitingFor) {
    case 'agent':
      throw new Error(`an agent is asked: ${message}`);
    case 'driver':
      return agent.ask('run_workflow', { runId, detached: true });
    case 'user': {
      if (step.unknown !== true) {
        counts.yes += 1;
        const said = await agent.ask(nextCall.tool, { ...nextCall.arguments, confirmed: true });
        return said && agent.ask('get_run', { runId });
      }
      const { call } = step;
      const sent = linesOf(tried).findLast(({ kind, data }) => kind === 'command_sent' && data.call === call);
      const found = await look(sent.data);
      const choice = found === undefined ? 'repeat' : 'done';
      counts.settled.push({ choice, call });
      return agent.ask('settle_command', {
        runId,
        call,
        choice,
        reason: found === undefined ? 'it is not there' : 'it is there',
        ...(found !== undefined && { result: found }),
      });
    }
    default:
      return agent.ask('get_run', { runId, waitMs: 20_000 });
  }
}

/** Every line of all logs of a workspace, as it is on disk. */
export function linesOf({ workspace }) {
  const sessions = join(workspace, '.workrail', 'sessions');
  return foldersIn(sessions).flatMap((session) =>
    foldersIn(join(sessions, session, 'segments')).flatMap((name) =>
      readFileSync(join(sessions, session, 'segments', name), 'utf8')
        .split('\n')
        // The last may be written just now.
        .flatMap((line) => parsed(line)),
    ),
  );
}

const foldersIn = (folder) => (existsSync(folder) ? readdirSync(folder).toSorted() : []);

function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Kills the process as soon as the log has such a line of a call, once for each call. */
export function killAtLines(tried, kind) {
  const calls = () => linesOf(tried).flatMap((line) => (line.kind === kind ? line.data.call : []));
  const known = new Set(calls());
  return (agent) => {
    const looking = setInterval(() => {
      const fresh = calls().filter((call) => !known.has(call));
      if (fresh.length === 0) return;
      for (const call of fresh) known.add(call);
      clearInterval(looking);
      agent.kill();
    }, 2);
    return () => clearInterval(looking);
  };
}

/** Kills the process at each request that changes something, once for each: before the server has it, or before it answers. */
export function killAtWrites(tap, at) {
  const known = new Set();
  return (agent) => {
    tap.meets(async ({ method, path, body, is }) => {
      const name = `${method} ${path} ${body}`;
      if (method === 'GET' || is !== at || known.has(name)) return 'pass';
      known.add(name);
      agent.kill();
      return 'lose';
    });
    return () => tap.meets(() => Promise.resolve('pass'));
  };
}
