// One agent at work on one session, on the built program. Run as: node moving-child.mjs <workspace> <home> <lock> <name> [again]
// Says on stdout what was acknowledged, one line each; ends when its stdin ends.
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openRequests } from '../../dist/requests/requests.js';

const [workspace, home, lock, name, again] = process.argv.slice(2);
const requests = openRequests({
  workspace,
  dataDir: undefined,
  env: lock === 'off' ? { WORKRAIL_LOCK: 'off' } : {},
  home,
  bundledWorkflows: workspace,
  version: '0.0.0-test',
  now: () => new Date(),
  randomBytes: (count) => randomBytes(count),
  log: () => undefined,
});
let ended = false;
let rests = 0;
process.stdin.on('end', () => (ended = true)).resume();
const say = (line) => writeSync(1, `${line}\n`);
const { answer: begun } = await requests.call('start_session', { session: 'WORK-1', title: 'Moved about' });
say(begun.sessionToken === undefined ? `failed ${JSON.stringify(begun)}` : 'begun');
for (let i = 0; !ended; i += 1) {
  const text = `${name} ${i}`;
  const { failed, answer } = await requests.call('checkpoint_workflow', {
    sessionToken: begun.sessionToken,
    output: { notesMarkdown: text },
  });
  say(failed ? `refused ${answer.error_code} ${answer.message}` : `acked ${text}`);
  // It was taken away: the work is begun again under its key.
  if (failed && again === 'again') {
    rests = 0;
    await requests.call('start_session', { session: 'WORK-1' });
  }
  // Each rest is longer than the one before, or a busy machine could grow the log faster than anything can look through it.
  const rest = again === 'again' && i % 12 === 11 ? 60 * (rests += 1) : 0;
  await new Promise((resolve) => (rest > 0 ? setTimeout(resolve, rest) : setImmediate(resolve)));
}
await requests.close();
