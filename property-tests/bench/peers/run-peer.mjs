// Copied into the folder where a peer is installed, and run there: node run-peer.mjs PEER PAYLOAD STEPS
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [, , peer, payload, steps] = process.argv;
const folder = mkdtempSync(join(process.cwd(), 'work-'));
const { open } = await import(new URL(`${peer}.mjs`, import.meta.url).href);
const lane = await open({ folder, payload: Number(payload) });
const floorFile = openSync(join(folder, 'floor'), 'ax');
const line = Buffer.alloc(Number(payload) + 82, 'x');
const times = [];
const floors = [];
for (let at = 0; at < Number(steps); at += 1) {
  const before = performance.now();
  writeSync(floorFile, line);
  fdatasyncSync(floorFile);
  const between = performance.now();
  await lane.step(at);
  floors.push(between - before);
  times.push(performance.now() - between);
}
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const bytes = (await lane.bytes()) / Number(steps);
process.stdout.write(
  `${JSON.stringify({ p50: median(times), floor: median(floors), early: median(times.slice(0, 100)), late: median(times.slice(-100)), bytes })}\n`,
  () => process.exit(),
);
closeSync(floorFile);
await lane.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
