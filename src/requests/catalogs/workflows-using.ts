import type { LibraryEntry } from '../../library/library-entry.js';
import type { Environment } from '../world/environment.js';

/** The workflows that run commands of a catalog and can be started as long as it is there. */
export async function workflowsUsing(env: Environment, catalog: string): Promise<readonly LibraryEntry[]> {
  const using: LibraryEntry[] = [];
  for (const entry of await env.library.list()) {
    if (entry.runsCommands !== true) continue;
    const found = await env.library.find(entry.id);
    if (Object.keys(found?.workflow?.operations ?? {}).some((key) => key.startsWith(`${catalog} `))) using.push(entry);
  }
  return using;
}
