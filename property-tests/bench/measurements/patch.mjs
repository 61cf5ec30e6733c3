import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built } from '../bench-world.mjs';
import { median, timed, timesOf } from '../frame/numbers.mjs';
import { boardPatch } from '../frame/state-board.mjs';
import { boardOf } from '../peers/board.mjs';
import { lane } from '../lanes/floor.mjs';

const versions = 10_000;

/** One document that many write to: what its versions cost before anything of them is on disk. */
export const measurement = {
  name: 'patch',
  says: '10,000 versions of a document of 100 KB, each patched in place, and what differs between two',
  rounds: 3,
  async run({ figure }) {
    const { openDocument } = await built('base/patch/live-document.js');
    const { applyPatch } = await built('base/patch/apply-patch.js');
    const { jsonDifference } = await built('base/patch/json-difference.js');
    const document = openDocument(boardOf(500)).value;
    const start = JSON.stringify(document.value);
    const patches = Array.from({ length: versions }, (_, at) => boardPatch(at, 500));
    figure('bytes of the document', document.bytes, 'bytes');
    const floor = await syncedLine(Buffer.byteLength(JSON.stringify(patches[0])));
    const all = await timed(() => patches.forEach((patch) => apply(applyPatch, document, patch)));
    figure('all versions', all, 'ms');
    figure('floor: append and fdatasync of such a patch, p50', floor, 'ms');
    figure('one version', all / versions, 'ms', { floor });
    const undone = await timed(() =>
      patches.slice(0, 1000).forEach((patch) => apply(applyPatch, document, patch).undo()),
    );
    figure('a version and back again', undone / 1000, 'ms');
    const [before, after] = [JSON.parse(start), document.value];
    const differences = [];
    for (let at = 0; at < 15; at += 1) differences.push(await timed(() => jsonDifference(before, after)));
    figure('what differs after all of them, p50', median(differences), 'ms');
  },
};

async function syncedLine(lineBytes) {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'patch-'));
  const open = await lane.open({ folder, lineBytes });
  try {
    return median(await timesOf(200, () => open.step()));
  } finally {
    open.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function apply(applyPatch, document, patch) {
  const applied = applyPatch(document, patch);
  if (!applied.ok) throw new Error(applied.error.message);
  return applied.value;
}
