import type { Progress } from '../../contract/bundle-answers.js';
import { byteWords } from './byte-words.js';
import type { CliEnvironment } from './cli-environment.js';

/** Long work as one line that is written over: what is done, how far, of how much. Seldom enough to cost nothing. */
export function showProgress({ progress, now }: Pick<CliEnvironment, 'progress' | 'now'>): {
  readonly show: (now: Progress) => void;
  readonly end: () => void;
} {
  let shownAt = 0;
  return {
    show: ({ doing, bytes, of }) => {
      const at = now().getTime();
      if (at - shownAt < everyMs) return;
      shownAt = at;
      const share =
        of === undefined || of === 0 ? '' : ` of ${byteWords(of)} (${Math.min(100, Math.floor((100 * bytes) / of))} %)`;
      progress(`${doing} ${byteWords(bytes)}${share}`);
    },
    end: () => progress(''),
  };
}

const everyMs = 100;
