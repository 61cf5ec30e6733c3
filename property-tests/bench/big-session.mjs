// A generated session of a wanted size is exported, imported elsewhere (which verifies every byte), and imported again.
// Prints time and the most memory each command held: that must not grow with the session.
//   npm run build && node property-tests/bench/big-session.mjs 64 1024
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeLine } from '../../dist/events/line-codec.js';
import { segmentName } from '../../dist/log/segments/segment-name.js';

const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const MiB = 1024 * 1024;
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0 || sizes.some((size) => !(size > 0))) {
  console.error('usage: big-session.mjs <MiB> [<MiB>…]');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'big-session-'));
const letters = '0123456789abcdefghjkmnpqrstvwxyz';
const syllables = ['ba', 'co', 'di', 'fe', 'gu', 'lo', 'mi', 'ne', 'pa', 'ru', 'sa', 'te', 'vi', 'wo', 'za', 'qui'];

/** Numbers that look random and are the same each time. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Words enough that it packs about as well as real notes do. */
function prose(roll, bytes) {
  const words = [];
  for (let length = 0; length < bytes; length += words.at(-1).length + 1)
    words.push(Array.from({ length: 1 + roll(4) }, () => syllables[roll(syllables.length)]).join(''));
  return words.join(' ');
}

/** Segments of the size that a log rotates at, of notes between 200 bytes and 16 KiB. */
function generate(root, id, bytes) {
  const segments = join(root, 'sessions', id, 'segments');
  mkdirSync(segments, { recursive: true });
  const roll = dice(bytes);
  const paragraphs = Array.from({ length: 400 }, () => prose(roll, 4096));
  let [seq, prev, written] = [0, '', 0];
  while (written < bytes) {
    const writer = Array.from({ length: 10 }, () => letters[roll(32)]).join('');
    const fd = openSync(join(segments, segmentName(seq + 1, writer)), 'wx');
    for (let size = 0, first = true; size < 8 * MiB && written < bytes; first = false) {
      seq += 1;
      const at = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
      const text = Array.from({ length: 4 }, () => paragraphs[roll(paragraphs.length)].slice(0, 50 + roll(4046))).join(
        '\n',
      );
      const draft =
        seq === 1
          ? {
              kind: 'session_started',
              data: {
                title: 'A very long piece of work',
                preferences: {
                  autonomy: 'guided',
                  gateHandling: 'block',
                  assumptionPolicy: 'ask_when_missing',
                  riskPolicy: 'conservative',
                },
                producer: 'bench',
              },
            }
          : { kind: 'note_added', data: { text: `${seq} ${text}` } };
      const { line, event } = encodeLine(draft, { seq, by: writer, at, prev, ...(first && { origin: id }) });
      writeSync(fd, line);
      prev = event.sum;
      size += line.length;
      written += line.length;
    }
    fsyncSync(fd);
    closeSync(fd);
  }
  return seq;
}

/** Runs a command and tells how long it took and the most memory it held. */
async function measured(args) {
  const tell =
    'data:text/javascript,import{writeSync}from"node:fs";process.on("exit",()=>writeSync(3,String(process.resourceUsage().maxRSS)))';
  const begun = performance.now();
  const child = spawn(process.execPath, ['--import', tell, program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    env: { ...process.env, HOME: join(folder, 'home'), XDG_DATA_HOME: '', XDG_CONFIG_HOME: '', WORKRAIL_DATA_DIR: '' },
  });
  let [out, rss] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stdio[3].on('data', (chunk) => (rss += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`workrail ${args.join(' ')} ended with ${code}: ${out}`);
  return { answer: JSON.parse(out), seconds: (performance.now() - begun) / 1000, mib: Number(rss) / 1024 };
}

mkdirSync(join(folder, 'home'));
console.log('session      lines   command        seconds   most memory   file');
try {
  for (const size of sizes) {
    const [from, to, bundle] = ['from', 'to', 'bundle'].map((name) => join(folder, `${name}-${size}`));
    const lines = generate(from, 'ses_big', size * MiB);
    const row = (name, { seconds, mib }, file = '') =>
      console.log(
        `${String(size).padStart(5)} MiB ${String(lines).padStart(8)}   ${name.padEnd(12)} ${seconds.toFixed(1).padStart(9)} ${mib.toFixed(0).padStart(9)} MiB   ${file}`,
      );
    const exported = await measured(['export', 'ses_big', '--data-dir', from, '-o', bundle, '--json']);
    row('export', exported, `${(statSync(bundle).size / MiB).toFixed(0)} MiB`);
    const imported = await measured(['import', bundle, '--data-dir', to, '--json']);
    if (imported.answer.outcome !== 'imported') throw new Error(JSON.stringify(imported.answer));
    row('import', imported);
    const again = await measured(['import', bundle, '--data-dir', to, '--json']);
    if (again.answer.outcome !== 'already_here') throw new Error(JSON.stringify(again.answer));
    row('import again', again);
    for (const path of [from, to, bundle]) rmSync(path, { recursive: true, force: true });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
