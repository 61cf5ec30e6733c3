import type { BundleImported } from '../../contract/bundle-answers.js';
import { type ApiFailure, asFailure } from '../api/api-failure.js';
import { changes } from '../api/changes.js';
import { listeners } from '../api/listeners.js';
import { queryClient } from '../api/query-client.js';

/** One file that somebody handed in, and what came of it. */
export interface Handed {
  readonly id: number;
  readonly name: string;
  readonly state:
    | { readonly is: 'waiting' }
    | { readonly is: 'reading' }
    | { readonly is: 'told'; readonly told: BundleImported }
    | { readonly is: 'refused'; readonly failure: ApiFailure };
}

let handed: readonly Handed[] = [];
let next = 0;
let line: Promise<void> = Promise.resolve();
const watchers = listeners();

function become(now: readonly Handed[]): void {
  handed = now;
  watchers.tell();
}

const settle = (id: number, state: Handed['state']): void =>
  become(handed.map((one) => (one.id === id ? { ...one, state } : one)));

async function take(id: number, file: File, merge: boolean): Promise<void> {
  settle(id, { is: 'reading' });
  try {
    settle(id, { is: 'told', told: await changes.importBundle(file, merge) });
    await queryClient.invalidateQueries({ queryKey: ['sessions'] });
  } catch (cause) {
    settle(id, {
      is: 'refused',
      failure: asFailure(cause),
    });
  }
}

/** Takes bundles in, one after the other. */
export const importDesk = {
  listen: watchers.listen,
  handed: (): readonly Handed[] => handed,
  bringIn: (files: readonly File[], merge: boolean): void => {
    for (const file of files) {
      const id = next;
      next += 1;
      become([...handed, { id, name: file.name, state: { is: 'waiting' } }]);
      line = line.then(() => take(id, file, merge));
    }
  },
  /** Puts away what has been told. */
  clear: (): void => become(handed.filter(({ state }) => state.is === 'waiting' || state.is === 'reading')),
};
