// One process at work on one session, on the built program. Run as: node log-child.mjs <scenario> <data root> <name> <count> <lock>
// Says on stdout what was acknowledged, one line each, at once and in one write.
import { randomBytes } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openFileStore } from '../../dist/log/file-store.js';

const [scenario, folder, name, count, lock] = process.argv.slice(2);
const root = { kind: 'given', folder };
const listing = {
  version: 'listing 1',
  empty: () => ({ sums: [], texts: [] }),
  fold: (state, events) => {
    for (const event of events) {
      state.sums.push(event.sum);
      state.texts.push(event.kind === 'note_added' ? event.data.text : event.kind);
    }
    return state;
  },
};
const store = openFileStore({
  roots: [root],
  newSessions: root,
  projection: listing,
  now: () => new Date(),
  randomBytes: (bytes) => randomBytes(bytes),
  lock,
  log: () => undefined,
});
const log = store.create('ses_example');
const say = (line) => writeSync(1, `${line}\n`);
const note = (text) => ({ kind: 'note_added', data: { text } });

/** As an ack: what is recorded already is answered, not recorded again. */
const once =
  (text) =>
  ({ state }) =>
    state.texts.includes(text) ? { answer: 'again' } : { answer: 'new', events: [note(text), note(`${text}+`)] };

if (scenario === 'burst') {
  for (let i = 0; i < Number(count); i += 1) {
    const text = `${name} ${i}`;
    const before = performance.now();
    const done = await log.append(() => ({ answer: '', events: [note(text)] }));
    say(done.ok ? `acked ${text}` : `refused ${done.error.code} ${done.error.message}`);
    if (done.ok) say(`took ${performance.now() - before}`);
  }
} else if (scenario === 'steps') {
  for (let i = 0; i < 10; i += 1) await log.append(() => ({ answer: '', events: [note('warm')] }));
  say('begin');
  for (let i = 0; i < Number(count); i += 1) await log.append(() => ({ answer: '', events: [note(`step ${i}`)] }));
  say('end');
} else if (scenario === 'look') {
  for (let i = 0; i < 2; i += 1) {
    await log.append(() => ({ answer: '' }));
    say('answered');
  }
} else if (scenario === 'retry') {
  const acked = [];
  const refusals = [];
  for (let i = 0; i < Number(count); i += 1) {
    const text = `${name} ${i}`;
    for (let tries = 0; tries < 5; tries += 1) {
      const done = await log.append(once(text));
      if (done.ok) {
        acked.push(text);
        break;
      }
      refusals.push(done.error.code);
    }
  }
  await store.close();
  const report = `${JSON.stringify({ acked, refusals })}\n`;
  // The fault may hit this very write; what it reports is asked for until it is out.
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      writeSync(1, report);
      break;
    } catch {
      continue;
    }
  }
}
await store.close();
