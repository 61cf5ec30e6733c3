// The shape of what WorkRail costs, for CI: counts, bytes and how cost grows. No milliseconds, and under a minute.
//   npm run bench:smoke                  every check
//   npm run bench:smoke -- --only NAME   one of them; --of FOLDER runs it on another clone's build
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: asked } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [] }, of: { type: 'string' } } });
if (asked.of !== undefined) process.env.BENCH_DIST = fileURLToPath(new URL('dist', new URL(`file://${asked.of}/`)));

const { countBytes } = await import('./measurements/step-bytes.mjs');
const { hasStrace, traceSteps } = await import('./frame/traced-steps.mjs');
const { growthOfWork } = await import('./frame/growth-of-work.mjs');

const at = (facts, name) => {
  const found = facts.find(([says]) => says === name);
  if (found === undefined) throw new Error(`nothing is counted as ${name}`);
  return found[1];
};

/** Each gives what it found, and what is wrong with it. Bounds leave room for a field or two, and for no second of anything. */
const checks = {
  async syscalls() {
    if (!hasStrace()) return { found: 'strace is not here; system calls are not counted', wrong: [] };
    const { acked, steps, replays } = await traceSteps();
    const wrong = [];
    if (acked < 3) wrong.push(`only ${acked} steps were watched`);
    if (steps.writes !== acked) wrong.push(`${acked} steps made ${steps.writes} writes into the log; one each is right`);
    if (steps.syncs !== acked) wrong.push(`${acked} steps made ${steps.syncs} syncs; one each is right`);
    if (steps.made.length > 0) wrong.push(`a step makes, renames or removes: ${steps.made[0]}`);
    if (steps.elsewhere.length > 0) wrong.push(`a step touches what is not below the data root: ${steps.elsewhere[0]}`);
    if (replays.writes + replays.syncs + replays.made.length > 0) wrong.push(`${replays.asked} replays made ${replays.writes} writes and ${replays.syncs} syncs; none is right`);
    return { found: `${acked} steps: ${steps.writes} writes, ${steps.syncs} syncs, ${steps.made.length} files made; ${replays.asked} replays: ${replays.writes + replays.syncs}`, wrong };
  },
  async bytes() {
    const facts = await countBytes();
    const bounds = [
      ['tools/list, default set', 12_288],
      ["text of a step's answer beyond the author's prompt, at most", 1536],
      ['a whole result with its _meta, at most', 4096],
      ['a step on disk beyond its notes, one step after another', 640],
      ['a step on disk beyond its notes, two loops deep', 720],
    ];
    const wrong = bounds.flatMap(([name, bound]) => (at(facts, name) <= bound ? [] : [`${name}: ${at(facts, name)} bytes, allowed are ${bound}`]));
    return { found: bounds.map(([name]) => `${name} ${at(facts, name)}`).join('; '), wrong };
  },
  async growth() {
    const { early, late, lateCalls, earlyCalls, ratio } = await growthOfWork();
    const wrong = [];
    if (ratio > 1.6) wrong.push(`a step in a session of 3,000 takes ${ratio.toFixed(2)} times the processor time of one in a session of 200 (${late.toFixed(1)} to ${early.toFixed(1)} µs, the best of several)`);
    if (lateCalls !== earlyCalls) wrong.push(`a step in a session of 3,000 asks the file system ${lateCalls} times, one in a session of 200 ${earlyCalls} times`);
    return { found: `${early.toFixed(0)} → ${late.toFixed(0)} µs of processor time a step (${ratio.toFixed(2)} ×), ${earlyCalls} → ${lateCalls} calls of the file system`, wrong };
  },
};

const unknown = asked.only.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`bench:smoke: no check ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (asked.only.length > 0 && !asked.only.includes(name)) continue;
  const { found, wrong } = await check().catch((cause) => ({ found: 'it could not be looked at', wrong: [cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)] }));
  if (wrong.length > 0) failed += 1;
  console.log(`${wrong.length > 0 ? 'FAILED' : 'passed'}  ${name}: ${found}`);
  for (const what of wrong) console.log(`        ${what}`);
}
process.exit(failed === 0 ? 0 : 1);
