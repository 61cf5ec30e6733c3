import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../compare.mjs';
import { sizes } from './state-patch.mjs';

const peers = fileURLToPath(new URL('../peers', import.meta.url));
const systems = {
  'state-sqlite': { peer: 'better-sqlite3', says: 'a SQLite row, FULL, no history' },
  'state-langgraph': { peer: 'langgraph', says: 'LangGraph JS, SQLite saver, FULL' },
};

/** The same document and the same changes in other systems, synced as ours: they are installed into a temporary folder. */
export const measurement = {
  name: 'state-peers',
  says: 'one write to a shared document in other systems, synced, by the size of the document',
  rounds: 1,
  /** It asks a registry of packages: nobody is to be surprised by that. */
  onlyAsked: true,
  async run({ figure, lacks }) {
    const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'workrail-peers-'));
    try {
      for (const [script, { peer, says }] of Object.entries(systems)) {
        const { folder: at, missing } = install(folder, peer);
        if (missing !== undefined) {
          lacks(`${says} is not here: ${missing}`);
          continue;
        }
        for (const file of [`${script}.mjs`, 'run-state-peer.mjs', 'board.mjs'])
          cpSync(join(peers, file), join(at, file));
        for (const [size, tasks] of Object.entries(sizes)) {
          const words = ['run-state-peer.mjs', script, String(tasks), tasks > 1_000 ? '150' : '600'];
          const { status, stdout, stderr } = spawnSync(process.execPath, words, {
            cwd: at,
            encoding: 'utf8',
            timeout: 120_000,
          });
          if (status !== 0) {
            lacks(`${says}, ${size}: its run ended with ${status ?? 'a timeout'}: ${stderr.trim().split('\n').at(-1)}`);
            continue;
          }
          const { p50, floor, bytes } = JSON.parse(stdout.trim().split('\n').at(-1));
          figure(`${size}: ${says}, p50`, p50, 'ms', { floor });
          figure(`${size}: ${says}, bytes of a version on disk`, Math.round(bytes), 'bytes');
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  },
};
