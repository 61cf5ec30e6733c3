import { setTimeout as pause } from 'node:timers/promises';
import { linesOf } from './runner-world.mjs';

const settledKinds = new Set(['ok', 'blocked', 'complete', 'failed', 'canceled']);
const mostSteps = 60;

/**
 * A run of `user.runs` to its end, whatever becomes of the servers on the way, with a person beside it who looks at the
 * tracker before they say what became of a request. `rewinds`: how often it goes back and does the same again.
 */
export function openRun({ name, word, tracker, rewinds = 1 }) {
  const run = { name, word, over: false, violations: [], repeats: new Map(), done: new Set(), asked: 0, answered: 0 };
  let next = { tool: 'start_workflow', args: { workflowId: 'user.runs', session: name } };
  let about;
  let back = rewinds;
  let isBack = false;
  const wrong = (what) => {
    run.violations.push(`${name}: ${what}`);
    run.over = true;
  };
  const goOn = ({ stateToken, ackToken }, more) => ({
    tool: 'continue_workflow',
    args: { stateToken, ackToken, ...more },
  });
  const look = (stateToken) => ({ tool: 'continue_workflow', args: { stateToken } });

  /** Of the title, what the tracker knows. */
  const outcomeOf = (shown) => {
    const title = [...shown.matchAll(/"title":\s?"([^"]+)"/gu)].at(-1)?.[1];
    const isPut = shown.includes('PUT ');
    const isThere = tracker.seen.some(
      (one) => one.done && one.body.includes(`"${title}"`) && (one.method === 'PUT') === isPut,
    );
    if (isThere) run.done.add(title);
    else run.repeats.set(title, (run.repeats.get(title) ?? 0) + 1);
    return isThere ? 'done' : 'repeat';
  };

  const afterOk = (answer) => {
    const { stepId } = answer.pending ?? {};
    if (stepId === 'about') {
      about ??= answer.stateToken;
      if (isBack && answer.ackToken === undefined) return wrong('a step that was done before gives no attempt');
      isBack = false;
      return goOn(answer, { context: { word } });
    }
    if (stepId === 'say') return goOn(answer, { output: { notesMarkdown: 'said' } });
    return wrong(`nobody expected the step ${stepId}`);
  };

  const after = async ({ answer, text }) => {
    switch (answer.kind) {
      case 'ok':
        return afterOk(answer);
      case 'blocked': {
        const [{ code }] = answer.blockers;
        if (code === 'CONFIRMATION_REQUIRED') return goOn(answer, { confirmed: true });
        await tracker.quiet();
        return goOn(answer, { context: { outcome: outcomeOf(text) } });
      }
      case 'running':
        await pause(20);
        return look(answer.stateToken);
      case 'complete':
        if (back > 0) {
          back -= 1;
          isBack = true;
          return look(about);
        }
        run.over = true;
        run.returned = answer.returned;
        return undefined;
      default:
        return wrong(`the run is ${answer.kind}: ${text.slice(0, 300)}`);
    }
  };

  return {
    ...run,
    state: run,
    /** Goes on with one server or with several at once; false once one of them is gone. */
    play: async (agents, steps = mostSteps) => {
      for (let count = 0; count < steps && !run.over; count += 1) {
        const { tool, args } = next;
        run.asked += 1;
        const results = await Promise.all(agents.map((agent) => agent.call(tool, args)));
        const told = results.find((one) => one !== undefined && !one.isError && settledKinds.has(one.answer.kind));
        const result = told ?? results.find((one) => one !== undefined);
        if (result === undefined) return false;
        run.answered += 1;
        if (result.isError) {
          const code = result.answer.error_code;
          // What it answered to is over: a killed server had gone on before it could say so.
          if (code === 'PRECONDITION_FAILED' && args.ackToken !== undefined) next = look(args.stateToken);
          else if (code !== 'SESSION_BUSY') wrong(`${tool} is refused as ${code}: ${result.text.slice(0, 300)}`);
        } else next = (await after(result)) ?? next;
        if (results.includes(undefined)) return false;
      }
      if (!run.over && steps >= mostSteps) wrong(`it is stuck: ${JSON.stringify(next).slice(0, 200)}`);
      return true;
    },
  };
}

/**
 * What arrived at the tracker, held against what the runs asked for and what they recorded. Where nobody was killed, all
 * that is asked about was lost.
 */
export function judgeRuns({ world, tracker, runs, isKilled = true }) {
  const violations = runs.flatMap(({ state }) => state.violations);
  const lines = linesOf(world);
  for (const { state } of runs) {
    const mine = lines.filter(({ session }) => session === state.name);
    violations.push(...judgeRun(state, mine, tracker.seen, isKilled).map((what) => `${state.name}: ${what}`));
  }
  return violations;
}

function judgeRun(state, lines, seen, isKilled) {
  const violations = [];
  const sent = lines.filter(({ kind }) => kind === 'command_sent');
  const tries = sent.map(({ node, data }) => `${node} ${data.call} ${data.try}`);
  if (new Set(tries).size !== tries.length) violations.push('one try of a command was recorded as sent twice');
  const mine = seen.filter(({ method, body }) => method === 'POST' && body.includes(`"${state.word} `));
  for (const body of new Set(mine.map((one) => one.body))) {
    const title = JSON.parse(body).title;
    const those = mine.filter((one) => one.body === body);
    const taken = those.filter(({ how }) => how !== 'busy').length;
    if (those.filter(({ done }) => done).length > 1) violations.push(`the server did “${title}” twice`);
    if (taken > 1 + (state.repeats.get(title) ?? 0))
      violations.push(
        `“${title}” reached the server ${taken} times, and repeat was said ${state.repeats.get(title) ?? 0} times`,
      );
    const intents = sent.filter(({ data }) => data.body?.preview.includes(`"${title}"`)).length;
    if (those.length > intents)
      violations.push(`“${title}” was sent ${those.length} times and recorded ${intents} times`);
  }
  const puts = seen.filter(({ method, body }) => method === 'PUT' && body.includes(`"${state.word}"`));
  if (new Set(puts.map(({ body }) => body)).size > 1) violations.push('a write was repeated with other bytes');
  for (const { kind, data, seq } of lines) {
    if (kind !== 'step_blocked' || data.command?.try === undefined) continue;
    const isAbout = (one) => one.data.call === data.command.call && one.data.try === data.command.try && one.seq < seq;
    if (!sent.some(isAbout)) violations.push(`asked what became of ${data.command.call}, which was never sent`);
    const isLost = (one) => one.kind === 'command_done' && one.data.outcome === 'unknown' && isAbout(one);
    if (!isKilled && !lines.some(isLost))
      violations.push(`asked what became of ${data.command.call}, which was under way`);
  }
  if (state.returned !== undefined) {
    const { filed = [], last } = state.returned;
    // Of what a person said was done nobody knows what it gave.
    const wanted = [1, 2].map((n) => `${state.word} ${n}`).filter((title) => !state.done.has(title));
    const wantedLast = state.done.has(`${state.word} last`) ? last : `${state.word} last`;
    if (JSON.stringify([filed, last]) !== JSON.stringify([wanted, wantedLast]))
      violations.push(`it returned ${JSON.stringify(state.returned)}`);
  }
  return violations;
}
