import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../library-listing.mjs', import.meta.url));

export const measurement = {
  name: 'listing',
  says: 'listing 500 workflow files, each round a process of its own',
  rounds: 2,
  async run({ figure }) {
    const { status, stdout } = spawnSync(process.execPath, [script, '--files', '500', '--rounds', '1'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`listing workflow files ended with ${status}`);
    const { floor, cold, later, warm, watched } = JSON.parse(stdout.trim().split('\n').at(-1));
    figure('reading the 500 files', floor, 'ms');
    figure('the first look, with nothing kept', cold, 'ms');
    figure('the first look of a later process', later, 'ms');
    figure('a look again', warm, 'ms');
    figure('a look while the folders are watched', watched, 'ms');
  },
};
