import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAgentName } from '../../base/agent-name.js';
import { limits } from '../../base/limits.js';
import { idPatterns } from '../../base/ids.js';
import { readPlainFile } from '../../files/read-plain-file.js';
import { localFolder, localPlace } from '../../machine/local-folder.js';
import { rootOf } from '../files/file-ref.js';
import type { StoreRunning } from '../port/store-running.js';

const quietly = { throwIfNoEntry: false } as const;

/** Who handed in what waits: a small file below `local/agents` for each event that says so. Whatever goes wrong costs the name alone. */
export function fileAgents(): Pick<StoreRunning, 'noteAgent' | 'agentOf'> {
  return {
    noteAgent: (place, event, agent) => {
      const folder = idPatterns.sum.test(event) ? localFolder(rootOf(place), 'agents') : undefined;
      if (folder === undefined) return;
      const temporary = join(folder, `.${event}.${process.pid}`);
      try {
        writeFileSync(temporary, JSON.stringify(agent), { flag: 'wx', mode: 0o600 });
        renameSync(temporary, join(folder, event));
        removeOldest(folder);
      } catch {
        rmSync(temporary, { force: true });
      }
    },
    agentOf: (place, event) => {
      const folder = localPlace(rootOf(place), 'agents');
      if (folder === undefined || !idPatterns.sum.test(event)) return undefined;
      const file = join(folder, event);
      try {
        const size = lstatSync(file, quietly)?.size;
        if (size === undefined || size > limits.agentNote) return undefined;
        return readAgentName(JSON.parse(readPlainFile(file).toString('utf8')));
      } catch {
        return undefined;
      }
    },
  };
}

/** What a process that was killed left unfinished counts as well, and goes in its turn. */
function removeOldest(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= limits.agentsNoted) return;
  const byAge = names
    .map((name) => ({ name, at: lstatSync(join(folder, name), quietly)?.mtimeMs ?? 0 }))
    .toSorted((a, b) => a.at - b.at);
  for (const { name } of byAge.slice(0, names.length - limits.agentsNoted / 2))
    rmSync(join(folder, name), { force: true, recursive: true });
}
