import { grow } from '../frame/grow.mjs';

/** One session until it has 10,000 steps, in a process of its own. */
export const measurement = {
  name: 'growth',
  says: 'one session to 10,000 steps, through the library',
  rounds: 3,
  async run({ figure }) {
    const { windows, rss, heap } = await grow(10_000, 1000);
    const [early, late] = [windows[0], windows.at(-1)];
    figure('steps 100 to 200, p50', early.step, 'ms', { floor: early.floor });
    figure('steps 9,900 to 10,000, p50', late.step, 'ms', { floor: late.floor });
    figure('late against early', late.step / early.step, '×');
    figure('late against early, beyond the floor of each', (late.step - late.floor) / (early.step - early.floor), '×');
    figure('memory of the process after 10,000 steps', rss / 1024 ** 2, 'MiB');
    figure('of that the heap in use', heap / 1024 ** 2, 'MiB');
  },
};
