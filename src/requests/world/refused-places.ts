import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import type { DataRoots } from '../../machine/data-roots.js';
import { openLinkWatch } from '../../machine/links-of-root.js';

/** Asked before every request: whether a data folder here must not be used at all, being a link, holding one, or somebody else's. */
export function openRefusal({ reading, foreign }: DataRoots, isNamed: boolean): () => Rejection | undefined {
  const watches = reading.map(({ folder }) => openLinkWatch(folder));
  return () => {
    // Whoever names the one folder to use is not served from any other.
    if (foreign !== undefined && !isNamed) return foreignRefused(foreign);
    for (const watch of watches) {
      const link = watch();
      if (link !== undefined) return linkRefused(link);
    }
    return undefined;
  };
}

const linkRefused = (file: string): Rejection => ({
  code: 'STORAGE_FAULT',
  message: `${file} is a symbolic link, which a data folder must not be or contain: its target is not read or written. Nothing was done`,
  action: 'replace it with its target, or remove it, then make the same call again',
  context: { file, system: 'ELOOP' },
});

export const foreignRefused = ({ folder, owner }: NonNullable<DataRoots['foreign']>): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `${folder} belongs to user ${owner}, not to you, and its workflows tell agents what to do, so it is not used until you trust it. Nothing was done`,
  action: ['if you trust its owner: ', command('init', '--trust', folder)],
  context: { file: folder },
});
