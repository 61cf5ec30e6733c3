import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type IDependency, type IModule } from 'dependency-cruiser';
import { narrowBuiltins, packages, pureBuiltins, rooms } from './rooms.js';

interface Import {
  readonly kind: 'file' | 'package' | 'builtin' | 'unresolved';
  /** A path below src/, a package or a builtin without `node:`. */
  readonly to: string;
}

interface Module {
  /** A path below src/. */
  readonly file: string;
  readonly imports: readonly Import[];
  /** The files of a cycle this module is on, itself first. */
  readonly cycles: readonly (readonly string[])[];
}

const belowSrc = (path: string): string => path.replace(/^src\//u, '');
const roomOf = (file: string): string => file.split('/')[0] ?? file;
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
    if (other === name || room.imports.includes(other)) return undefined;
    return (
      `src/${file} imports src/${to}, but ${name} (${room.holds}) may import ${placesOf(room.imports)} only. ` +
      `Move what is shared to a room both may import, or let requests join the two.`
    );
  }
  if (kind === 'package') {
    const places = packages[to];
    if (places === undefined)
      return `src/${file} imports the package ${to}, which property-tests/rooms.ts gives to no room.`;
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

/** Every import that breaks the table of rooms, in words that say why. */
export function crossings(graph: readonly Module[]): string[] {
  return graph.flatMap(({ file, imports }) => imports.flatMap((one) => wrongImport(file, one) ?? []));
}

/** Files that live in no room of the table. */
export function strays(graph: readonly Module[]): string[] {
  return graph
    .filter(({ file }) => !file.includes('/') || rooms[roomOf(file)] === undefined)
    .map(({ file }) => `src/${file} is in no room; rooms are folders of src/ listed in property-tests/rooms.ts.`);
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
