// Copied into the folder where a peer is installed, and run there: node run-state-peer.mjs PEER TASKS VERSIONS
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [, , peer, tasks, versions] = process.argv;
const folder = mkdtempSync(join(process.cwd(), 'work-'));
const { open } = await import(new URL(`${peer}.mjs`, import.meta.url).href);
const { boardOf, changeBoard } = await import(new URL('board.mjs', import.meta.url).href);
const document = boardOf(Number(tasks));
const lane = await open({ folder, document });
const floorFile = openSync(join(folder, 'floor'), 'ax');
const line = Buffer.alloc(460, 'x');
const before = lane.bytes();
const [times, floors] = [[], []];
for (let at = 0; at < Number(versions); at += 1) {
  changeBoard(document, at, Number(tasks));
  const begin = performance.now();
  writeSync(floorFile, line);
  fdatasyncSync(floorFile);
  const between = performance.now();
  await lane.write();
  floors.push(between - begin);
  times.push(performance.now() - between);
}
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const bytes = (lane.bytes() - before) / Number(versions);
closeSync(floorFile);
await lane.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
process.stdout.write(`${JSON.stringify({ p50: median(times), floor: median(floors), bytes })}\n`, () => process.exit());
