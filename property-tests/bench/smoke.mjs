// The shape of what WorkRail costs, for CI: counts, bytes, and how counts and processor time grow from a short session to a long one. No milliseconds, and under a minute.
//   npm run bench:smoke                  every check
//   npm run bench:smoke -- --only NAME   one of them; --of FOLDER runs it on another clone's build
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values: asked } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [] }, of: { type: 'string' } },
});
if (asked.of !== undefined) process.env.BENCH_DIST = join(resolve(asked.of), 'dist');

const { countBytes } = await import('./measurements/step-bytes.mjs');
const { hasStrace, traceSteps } = await import('./frame/traced-steps.mjs');
const { growthOfWork } = await import('./frame/growth-of-work.mjs');

const at = (facts, name) => {
  const found = facts.find(([says]) => says === name);
  if (found === undefined) throw new Error(`nothing is counted as ${name}`);
  return found[1];
};

async function growthOf({ lookRoom, ...sessions }) {
  const { early, late } = await growthOfWork(sessions);
  const [short, long] = [sessions.short, sessions.long].map((steps) => steps.toLocaleString('en'));
  const wrong = [];
  const ratio = late.time / early.time;
  if (ratio > 1.6)
    wrong.push(
      `a step in a session of ${long} takes ${ratio.toFixed(2)} times the processor time of one in a session of ${short} (${late.time.toFixed(1)} to ${early.time.toFixed(1)} µs, the best of several)`,
    );
  // Room for digits, and for a look or two that depend on the moment; none for anything once a node.
  const bounds = [
    ['calls', 1, 'calls of the file system'],
    ['looks', lookRoom, 'looks into maps'],
    ['bytes', 8, 'bytes on disk'],
  ];
  for (const [what, room, says] of bounds)
    if (late[what] > early[what] + room)
      wrong.push(
        `a step in a session of ${long} makes ${late[what].toFixed(1)} ${says}, one in a session of ${short} ${early[what].toFixed(1)}`,
      );
  if (Math.max(early.syncs, late.syncs) !== 1)
    wrong.push(`a step syncs ${Math.max(early.syncs, late.syncs)} times; once is right`);
  const grown = bounds
    .map(([what, , says]) => `${early[what].toFixed(1)} → ${late[what].toFixed(1)} ${says}`)
    .join(', ');
  return {
    found: `${early.time.toFixed(0)} → ${late.time.toFixed(0)} µs of processor time a step (${ratio.toFixed(2)} ×), ${grown}`,
    wrong,
  };
}

/** Each gives what it found, and what is wrong with it. Bounds leave room for a field or two, and for no second of anything. */
const checks = {
  async syscalls() {
    if (!hasStrace())
      return {
        found: 'strace is not here; only what the program itself calls is counted, by the next check but one',
        wrong: [],
        left: true,
      };
    const { acked, steps, replays } = await traceSteps();
    const wrong = [];
    if (acked < 3) wrong.push(`only ${acked} steps were watched`);
    if (steps.writes !== acked)
      wrong.push(`${acked} steps made ${steps.writes} writes into the log; one each is right`);
    if (steps.syncs !== acked) wrong.push(`${acked} steps made ${steps.syncs} syncs; one each is right`);
    if (steps.made.length > 0) wrong.push(`a step makes, renames or removes: ${steps.made[0]}`);
    if (steps.beside.length > 0) wrong.push(`a step touches what lies beside the sessions: ${steps.beside[0]}`);
    if (steps.elsewhere.length > 0) wrong.push(`a step touches what is not below the data root: ${steps.elsewhere[0]}`);
    if (replays.writes + replays.syncs + replays.made.length > 0)
      wrong.push(`${replays.asked} replays made ${replays.writes} writes and ${replays.syncs} syncs; none is right`);
    return {
      found: `${acked} steps: ${steps.writes} writes, ${steps.syncs} syncs, ${steps.made.length} files made; ${replays.asked} replays: ${replays.writes + replays.syncs}`,
      wrong,
    };
  },
  async bytes() {
    const facts = await countBytes();
    const bounds = [
      ['tools/list, default set', 12_288],
      ["text of a step's answer beyond the author's prompt, at most", 1536],
      ['a whole result with its _meta, at most', 4096],
      ['a step on disk beyond its notes, one step after another', 400],
      ['a step on disk beyond its notes, two loops deep', 480],
    ];
    const wrong = bounds.flatMap(([name, bound]) =>
      at(facts, name) <= bound ? [] : [`${name}: ${at(facts, name)} bytes, allowed are ${bound}`],
    );
    return { found: bounds.map(([name]) => `${name} ${at(facts, name)}`).join('; '), wrong };
  },
  growth: () => growthOf({ short: 200, long: 3000, lookRoom: 10 }),
  // A name that was set long ago, or never, is looked for in a few places more.
  straight: () => growthOf({ short: 100, long: 1200, turns: 10, straight: 1500, lookRoom: 40 }),
};

const unknown = asked.only.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`bench:smoke: no check ${unknown.join(', ')}; there are ${Object.keys(checks).join(', ')}`);
  process.exit(2);
}
let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  if (asked.only.length > 0 && !asked.only.includes(name)) continue;
  const {
    found,
    wrong,
    left = false,
  } = await check().catch((cause) => ({
    found: 'it could not be looked at',
    wrong: [cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)],
  }));
  if (wrong.length > 0) failed += 1;
  console.log(`${wrong.length > 0 ? 'FAILED' : left ? 'not run' : 'passed'}  ${name}: ${found}`);
  for (const what of wrong) console.log(`        ${what}`);
}
process.exit(failed === 0 ? 0 : 1);
