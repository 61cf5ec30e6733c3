import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startAgent } from './agent.mjs';
import { runCommand } from './command.mjs';
import { settle } from './ledger.mjs';
import { openShim } from './shim.mjs';
import { outcomeOf } from './subjects.mjs';
import { copyWorld } from './world.mjs';

/** Calls that change something on a disk, or promise that it lasts. */
export const changing = 'write,sync,create,openwrite,mkdir,rename,link,remove,truncate';

/**
 * One subject, once, with one fault planned: what it is asked is asked while the fault waits for it, then what is left
 * is judged, then it is asked again without a fault, and judged again.
 */
export async function tryOnce({ build, sound, library, templates, oracle }, subject, folder, plan) {
  mkdirSync(folder, { recursive: true });
  const template = await templates(subject.template);
  const world = copyWorld(template.world, join(folder, 'world'), template.data);
  const shim = openShim(library, folder, [world.dataDir, world.config, world.workspace]);
  const run = subject.door === 'mcp' ? callTool : runOne;
  const outcome = await run({ build, sound, oracle, world, shim, template, subject, plan });
  return { ...outcome, calls: shim.calls() };
}

const isKill = ({ what }) => what === 'kill' || what === 'killafter';

/** An answer is false where the call that failed is the one that it rests on. */
function rashness(calls, plan) {
  const hit = calls.find(
    (call) =>
      call.hit &&
      (call.op === 'write' || call.op === 'sync') &&
      /\/sessions\/.*\/(?:segments|pins)(?:\/|$)/u.test(call.path),
  );
  return hit === undefined || isKill(plan) || plan.what === 'short'
    ? []
    : [`acknowledged, although ${hit.op} of ${hit.path.split('/').at(-1)} failed`];
}

async function callTool({ build, sound, oracle, world, shim, template, subject, plan }) {
  const { args, said } = subject.ask(template);
  const entry = { tool: subject.tool, args, said, outcome: 'asked' };
  const violations = [];
  const agent = await startAgent({ ...sound, program: build.program }, world, { env: shim.env });
  shim.arm(plan);
  settle(entry, await agent.call(subject.tool, args));
  const acknowledged = entry.outcome === 'acked';
  if (!isKill(plan)) {
    if (acknowledged) violations.push(...rashness(shim.calls(), plan));
    shim.disarm();
    if (entry.outcome === 'refused') violations.push(...(await askAgain(agent, entry)));
    else if (!acknowledged) violations.push(`the server went away: ${agent.stderr().slice(-3).join(' | ')}`);
  }
  // The end of a server writes too, and counts.
  await agent.close();
  const hit = shim.calls().some((call) => call.hit);
  const judged = await oracle.judge(world, [...template.ledger, entry], { again: entry.outcome !== 'acked' });
  return { hit, acknowledged, violations: [...violations, ...judged.violations] };
}

async function askAgain(agent, entry) {
  const { code, text } = entry;
  if (code !== 'STORAGE_FAULT' && code !== 'SESSION_CHANGED')
    return [`refused as ${code}, which is not what a fault is called: ${text.slice(0, 200)}`];
  settle(entry, await agent.call(entry.tool, entry.args));
  return entry.outcome === 'acked'
    ? []
    : [`when the fault had passed, the same server still refused: ${entry.text?.slice(0, 200)}`];
}

async function runOne({ build, oracle, world, shim, template, subject, plan }) {
  const words = subject.words(template);
  const entries = subject.entries(template).map((entry) => ({ ...entry }));
  const ledger = [...template.ledger, ...entries];
  const violations = [];
  const judge = async (done, again = false) => {
    for (const entry of entries) if (done) entry.outcome = 'acked';
    let judged;
    // Wherever the session lies it is whole, and it lies somewhere.
    for (const dataDir of subject.places?.(world) ?? [world.dataDir]) {
      judged = await oracle.judge({ ...world, dataDir }, ledger, {
        may: done ? [] : (subject.may ?? []),
        repeats: done ? 2 : 0,
      });
      violations.push(...judged.violations);
    }
    violations.push(...(subject.left?.(world, template, { done, again }) ?? []));
    return judged;
  };
  shim.arm(plan);
  const { code, signal, out, err } = await runCommand(build, world, words, { env: shim.env, dataDir: subject.dataDir });
  const calls = shim.calls();
  const acknowledged = code === 0;
  if (acknowledged) violations.push(...rashness(calls, plan));
  if (!isKill(plan) && signal !== null) violations.push(`it ended by ${signal}`);
  if (!isKill(plan) && code !== 0 && /at \S+ \(?(?:file|node):|AssertionError/u.test(err))
    violations.push(`it ended with a stack: ${err.slice(0, 300)}`);
  const first = await judge(acknowledged);
  const texts = new Set(first.texts);
  if (
    subject.wholeOrNot &&
    entries.some(({ said }) => texts.has(said)) &&
    !entries.every(({ said }) => texts.has(said))
  )
    violations.push('a part of it is there');
  shim.disarm();
  if (violations.length === 0) {
    const again = await runCommand(build, world, words, { dataDir: subject.dataDir });
    const done = again.code === 0 || subject.mayBeDone?.test(again.out + again.err) === true;
    if (!done)
      violations.push(`without the fault it ended with ${again.code}: ${(again.out + again.err).slice(0, 300)}`);
    else
      violations.push(
        ...(await shown(build, world, template, subject)),
        ...(await sameOutcome(subject, template, world, await judge(true, true))),
      );
  }
  return {
    hit: calls.some((call) => call.hit),
    acknowledged,
    violations: violations.map((what) => (what.includes('\n') ? what.split('\n').slice(0, 4).join(' ') : what)),
    said: `${out}${err}`,
  };
}

async function shown(build, world, template, { shows }) {
  if (shows === undefined) return [];
  const { words, holds } = shows(template);
  const { out } = await runCommand(build, world, words);
  return out.replaceAll(/\s/gu, '').includes(holds.replaceAll(/\s/gu, ''))
    ? []
    : [`${words.join(' ')} does not show ${holds}`];
}

/** However often it was cut short, what comes of it is what comes of it undisturbed. */
async function sameOutcome({ name, mends }, template, world, judged) {
  if (mends !== true) return [];
  template.outcomes ??= new Map();
  const outcome = outcomeOf(world, judged);
  const undisturbed = template.outcomes.get(name);
  if (undisturbed === undefined) {
    template.outcomes.set(name, outcome);
    return [];
  }
  return outcome === undisturbed
    ? []
    : [`done again after the fault it comes to something else than undisturbed: ${different(undisturbed, outcome)}`];
}

function different(wanted, found) {
  let at = 0;
  while (at < wanted.length && wanted[at] === found[at]) at += 1;
  return `${wanted.slice(Math.max(0, at - 30), at + 120)} became ${found.slice(Math.max(0, at - 30), at + 120)}`;
}
