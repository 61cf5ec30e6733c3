import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type IDependency, type IModule } from 'dependency-cruiser';
import { limitOfFlatRooms, narrowBuiltins, packages, pureBuiltins, type Room, rooms } from './rooms.js';

interface Import {
  readonly kind: 'file' | 'package' | 'builtin' | 'unresolved';
  /** A path below src/, a package or a builtin without `node:`. */
  readonly to: string;
}

export interface Module {
  /** A path below src/. */
  readonly file: string;
  readonly imports: readonly Import[];
  /** The files of a cycle this module is on, itself first. */
  readonly cycles: readonly (readonly string[])[];
}

const belowSrc = (path: string): string => path.replace(/^src\//u, '');
export const roomOf = (file: string): string => file.split('/')[0] ?? file;
/** The folder of a big room that a file lies in; `.` for what lies in none. */
export const folderOf = (file: string): string => file.split('/').slice(1, -1).join('/') || '.';
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function importOf(dependency: IDependency): Import {
  if (dependency.coreModule) return { kind: 'builtin', to: dependency.module.replace(/^node:/u, '') };
  if (dependency.resolved.startsWith('src/')) return { kind: 'file', to: belowSrc(dependency.resolved) };
  if (/^\.{0,2}\//u.test(dependency.module)) return { kind: 'unresolved', to: dependency.module };
  return { kind: 'package', to: packageOf(dependency.module) };
}

function moduleOf(found: IModule): Module {
  return {
    file: belowSrc(found.source),
    imports: found.dependencies.map(importOf),
    cycles: found.dependencies.flatMap(({ cycle }) =>
      cycle === undefined ? [] : [[belowSrc(found.source), ...cycle.map(({ name }) => belowSrc(name))]],
    ),
  };
}

/** The import graph of the src/ folder inside `root`, types included, tests left out. */
export async function drawGraph(root: string): Promise<readonly Module[]> {
  if (!existsSync(join(root, 'src'))) return [];
  const { output } = await cruise(['src'], {
    baseDir: root,
    tsPreCompilationDeps: true,
    exclude: { path: '\\.test\\.ts$' },
    doNotFollow: { path: 'node_modules' },
  });
  if (typeof output === 'string')
    throw new Error(`dependency-cruiser gave text where a graph was expected: ${output.slice(0, 200)}`);
  return output.modules.filter(({ source }) => source.startsWith('src/')).map(moduleOf);
}

const mayUse = (file: string, places: readonly string[]): boolean => {
  return places.some((place) => (place.includes('/') ? file.startsWith(place) : roomOf(file) === place));
};

const placesOf = (places: readonly string[]): string => (places.length === 0 ? 'no room' : places.join(', '));

function wrongImport(file: string, { kind, to }: Import): string | undefined {
  const name = roomOf(file);
  const room = rooms[name];
  if (room === undefined) return undefined;
  if (kind === 'unresolved') return `src/${file} imports ${to}, which is not in src/.`;
  if (kind === 'file') {
    const other = roomOf(to);
    if (other === name) return wrongFolder(file, to, room);
    if (room.imports.includes(other)) return wrongDoor(file, to);
    return (
      `src/${file} imports src/${to}, but ${name} (${room.holds}) may import ${placesOf(room.imports)} only. ` +
      `Move what is shared to a room both may import, or let requests join the two.`
    );
  }
  if (kind === 'package') {
    const places = packages[to];
    if (places === undefined)
      return `src/${file} imports the package ${to}, which property-tests/source/rooms.ts gives to no room.`;
    if (mayUse(file, places)) return undefined;
    return `src/${file} imports the package ${to}, which belongs to ${placesOf(places)}: one wrapper a package, so that it can be replaced.`;
  }
  if (room.pure && !pureBuiltins.includes(to)) {
    return `src/${file} imports node:${to}, but ${name} is a pure room: the border does that and passes the result in as data.`;
  }
  const narrow = narrowBuiltins[packageOf(to)];
  if (narrow === undefined || mayUse(file, narrow)) return undefined;
  return `src/${file} imports node:${to}, which belongs to ${placesOf(narrow)}: no process and no socket behind the user's back.`;
}

/** An import from another room that shows only a part of itself. */
function wrongDoor(file: string, to: string): string | undefined {
  const { doors, holds } = rooms[roomOf(to)] ?? { holds: '' };
  const inside = to.slice(roomOf(to).length + 1);
  if (doors === undefined || doors.some((door) => inside === door || inside.startsWith(`${door}/`))) return undefined;
  return (
    `src/${file} imports src/${to}, but of ${roomOf(to)} (${holds}) other rooms know ${doors.join(', ')} alone. ` +
    `Say in ${doors[0] ?? ''} what is needed, and let every implementation give it.`
  );
}

/** An import inside a room that has folders. */
function wrongFolder(file: string, to: string, { folders }: Room): string | undefined {
  const [from, other] = [folderOf(file), folderOf(to)];
  if (folders === undefined || from === other) return undefined;
  const name = roomOf(file);
  const { imports, holds } = folders[from] ?? { imports: [], holds: 'not listed' };
  if (!imports.includes(other))
    return (
      `src/${file} imports src/${to}, but the folder ${from} of ${name} (${holds}) may import ${placesOf(imports)} only. ` +
      `Move what is shared to a folder both may import.`
    );
  const door = folders[other]?.onlyFrom;
  if (door === undefined || file === `${name}/${door}`) return undefined;
  return `src/${file} imports src/${to}, but ${name}/${other} (${folders[other]?.holds ?? ''}) is reached through ${door} alone.`;
}

/** Every import that breaks the table of rooms, in words that say why. */
export function crossings(graph: readonly Module[]): string[] {
  return graph.flatMap(({ file, imports }) => imports.flatMap((one) => wrongImport(file, one) ?? []));
}

/** Files that live in no room of the table. */
export function strays(graph: readonly Module[]): string[] {
  return graph
    .filter(({ file }) => !file.includes('/') || rooms[roomOf(file)] === undefined)
    .map(
      ({ file }) => `src/${file} is in no room; rooms are folders of src/ listed in property-tests/source/rooms.ts.`,
    );
}

/** What is wrong with the folders themselves: a file in none that is listed, a listed one that is empty, a big room without. */
export function foldersAmiss(graph: readonly Module[], table: Readonly<Record<string, Room>> = rooms): string[] {
  return Object.entries(table).flatMap(([name, { folders }]) => {
    const files = graph.filter(({ file }) => roomOf(file) === name).map(({ file }) => file);
    if (folders === undefined)
      return files.length > limitOfFlatRooms && files.every((file) => folderOf(file) === '.')
        ? [
            `src/${name} has ${files.length} files side by side: more than ${limitOfFlatRooms} need folders in rooms.ts.`,
          ]
        : [];
    const listed = Object.keys(folders);
    const found = new Set(files.map(folderOf));
    return [
      ...files
        .filter((file) => !listed.includes(folderOf(file)))
        .map((file) => `src/${file} is in no folder of ${name}: rooms.ts lists ${listed.join(', ')}.`),
      ...listed.filter((folder) => !found.has(folder)).map((folder) => `src/${name}/${folder} is listed and empty.`),
      ...listed.flatMap((folder) =>
        (folders[folder]?.imports ?? [])
          .filter((other) => folder < other && folders[other]?.imports.includes(folder))
          .map(
            (other) =>
              `rooms.ts lets ${name}/${folder} and ${name}/${other} import each other: folders have one direction.`,
          ),
      ),
    ];
  });
}

/** Each cycle between files once, whoever it was met from. */
export function cycles(graph: readonly Module[]): string[] {
  const seen = new Map<string, string>();
  for (const cycle of graph.flatMap((module) => module.cycles)) {
    const key = [...new Set(cycle)].sort().join(' ');
    if (!seen.has(key))
      seen.set(
        key,
        `${cycle.join(' → ')}: files import each other in a circle; move what they share to a file of its own.`,
      );
  }
  return [...seen.values()];
}
