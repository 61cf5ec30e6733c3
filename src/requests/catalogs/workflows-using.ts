import type { LibraryEntry } from '../../library/library-entry.js';
import type { Environment } from '../world/environment.js';

/** The workflows that run commands of a catalog, whether or not they can be started now. */
export async function workflowsUsing(env: Environment, catalog: string): Promise<readonly LibraryEntry[]> {
  const using: LibraryEntry[] = [];
  // What cannot be compiled just now, since the catalog is disabled, still names it.
  const named = new RegExp(`\\brun["']?\\s*:\\s*["']?${catalog.replaceAll('.', '\\.')}\\s`, 'u');
  for (const entry of await env.library.list()) {
    const found = await env.library.find(entry.id);
    const { workflow, source = '' } = found ?? {};
    const uses =
      workflow === undefined
        ? named.test(source)
        : Object.keys(workflow.operations ?? {}).some((key) => key.startsWith(`${catalog} `));
    if (uses) using.push(entry);
  }
  return using;
}
