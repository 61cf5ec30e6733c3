import { grow } from '../frame/grow.mjs';

/** One session until it has 10,000 steps, and one of a workflow of 1,500 steps in a row, each in a process of its own. */
export const measurement = {
  name: 'growth',
  says: 'one session to 10,000 steps in a loop and one to 1,500 steps in a row, through the library',
  rounds: 3,
  async run({ figure }) {
    const { windows, rss, heap, aStep } = await grow({ steps: 10_000, every: 1000 });
    const [early, late] = [windows[0], windows.at(-1)];
    figure('steps 100 to 200, p50', early.step, 'ms', { floor: early.floor });
    figure('steps 9,900 to 10,000, p50', late.step, 'ms', { floor: late.floor });
    figure('late against early', late.step / early.step, '×');
    figure('late against early, beyond the floor of each', (late.step - late.floor) / (early.step - early.floor), '×');
    figure('memory of the process after 10,000 steps', rss / 1024 ** 2, 'MiB');
    figure('of that the heap in use', heap / 1024 ** 2, 'MiB');
    figure('heap that a step keeps, in a loop', aStep / 1024, 'KiB');
    const row = await grow({ steps: 1500, window: 150, straight: true });
    const [first, last] = row.windows;
    figure('in a row: steps 100 to 250, mean', first.mean, 'ms', { floor: first.floor });
    figure('in a row: steps 1,350 to 1,500, mean', last.mean, 'ms', { floor: last.floor });
    figure('in a row: late against early', last.mean / first.mean, '×');
    figure('in a row: late against early, p50', last.step / first.step, '×');
    figure('heap that a step keeps, in a row', row.aStep / 1024, 'KiB');
  },
};
