import type { StateVersions } from '../../contract/states-told.js';
import { visibleTitle } from '../../render/visible-text.js';

type VersionTold = StateVersions['versions'][number];

const made: Readonly<Record<VersionTold['made'], string>> = {
  create: 'Created',
  patch: 'Patched',
  update: 'Replaced',
  merge: 'Merged',
  migrate: 'Put under another schema',
};

/** How a version came to be. */
export const madeWords = ({ made: how }: Pick<VersionTold, 'made'>): string => made[how];

const atDoor = new Map([
  ['terminal', 'on the command line'],
  ['page', 'in the page'],
  ['client', 'in the agent’s program'],
]);

/** Who did something to a state, or where, behind what was done; undefined where nobody recorded it. */
export function whoWords({ agent, person, door }: Pick<VersionTold, 'agent' | 'person' | 'door'>): string | undefined {
  if (agent !== undefined) return `by ${visibleTitle(agent)}`;
  const where = door === undefined ? undefined : (atDoor.get(door) ?? door);
  if (person !== undefined)
    return `by ${visibleTitle([person, where].filter((part) => part !== undefined).join(', '))}`;
  return where;
}

/** A version as it is spoken of: its number, and its label where another has the same number. */
export function versionName(one: Pick<VersionTold, 'version' | 'etag'>, all: readonly VersionTold[]): string {
  const isAlone = all.every(({ version, etag }) => version !== one.version || etag === one.etag);
  return isAlone ? `Version ${one.version}` : one.etag;
}
