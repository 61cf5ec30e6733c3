import path from 'node:path';
import type { CatalogSource } from '../../library/catalog-files.js';
import type { WorkflowSource } from '../../library/library-entry.js';

/** Catalogs and schemas lie beside workflows: the user's, then those of the project. */
export const besideWorkflows = (
  workflows: readonly WorkflowSource[],
  what: 'catalogs' | 'schemas',
): readonly CatalogSource[] =>
  workflows.flatMap(({ name, folder, refused }) => {
    if (name !== 'user' && name !== 'project') return [];
    const above = path.dirname(folder);
    const label = name === 'user' ? `user/${what}` : `${path.basename(above)}/${what}`;
    return [{ name, folder: path.join(above, what), label, refused }];
  });
