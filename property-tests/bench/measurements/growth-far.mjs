import { grow } from '../frame/grow.mjs';

/** Ten times as far as a session is asked to go. */
export const measurement = {
  name: 'growth-far',
  says: 'one session to 100,000 steps, through the library',
  rounds: 1,
  async run({ figure, lacks }) {
    const { done, windows, rss, heap } = await grow({ steps: 100_000, every: 10_000, seconds: 75 });
    if (done < 100_000)
      lacks(`the disk was too slow for 100,000 steps in 75 s; the session has ${done.toLocaleString('en')}`);
    for (const { from, step, floor } of windows)
      figure(`steps ${from.toLocaleString('en')} and on, p50`, step, 'ms', { floor });
    figure('late against early', windows.at(-1).step / windows[0].step, '×');
    figure('memory of the process at the end', rss / 1024 ** 2, 'MiB');
    figure('of that the heap in use', heap / 1024 ** 2, 'MiB');
  },
};
