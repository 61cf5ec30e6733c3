import path from 'node:path';
import type { CatalogSource } from '../../library/catalog-files.js';
import type { WorkflowSource } from '../../library/library-entry.js';

/** Catalogs lie beside workflows: the user's, then those of the project. */
export const catalogSources = (workflows: readonly WorkflowSource[]): readonly CatalogSource[] =>
  workflows.flatMap(({ name, folder, refused }) => {
    if (name !== 'user' && name !== 'project') return [];
    const above = path.dirname(folder);
    const label = name === 'user' ? 'user/catalogs' : `${path.basename(above)}/catalogs`;
    return [{ name, folder: path.join(above, 'catalogs'), label, refused }];
  });
