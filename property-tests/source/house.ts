import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, type Module, roomOf } from './architecture.js';
import { type Room, rooms } from './rooms.js';

/** A room or a folder of one, as it is told and drawn. */
export interface Place {
  /** `log`, `log/segments`, or `log/*.ts` for what lies in no folder. */
  readonly name: string;
  readonly holds: string;
  readonly pure: boolean;
  readonly files: number;
  readonly lines: number;
  /** Whom it may import, and how many of its files do. */
  readonly imports: Readonly<Record<string, number>>;
  readonly folders: readonly Place[];
}

/** What a page said of a place before: its figures are kept while they are nearly right. */
export type Figures = Pick<Place, 'files' | 'lines' | 'imports'>;

export const numbered = (count: number): string => count.toLocaleString('en-US');

type Table = Readonly<Record<string, Room>>;
type Sources = readonly (Module & { readonly lines: number })[];

/** The modules of src/ with their lengths; what is no source, such as a style sheet, is not counted. */
export function withLengths(root: string, graph: readonly Module[]): Sources {
  return graph
    .filter(({ file }) => /\.tsx?$/u.test(file))
    .map((module) => ({
      ...module,
      lines: readFileSync(join(root, 'src', module.file), 'utf8').split('\n').length - 1,
    }));
}

/** `.` is how rooms.ts names what lies in no folder. */
const called = (folder: string): string => (folder === '.' ? '*.ts' : folder);

/** Every room: those that touch the world first, then the pure ones; in both, whoever imports stands before what it imports. */
export function houseOf(
  sources: Sources,
  before: ReadonlyMap<string, Figures>,
  table: Table = rooms,
): readonly Place[] {
  const depth = (name: string): number => 1 + Math.max(0, ...(table[name]?.imports ?? []).map(depth));
  const isRoof = (name: string): boolean => Object.values(table).every(({ imports }) => !imports.includes(name));
  const height = (name: string): number => (isRoof(name) ? Object.keys(table).length : depth(name));
  return Object.entries(table)
    .toSorted(([a, one], [b, other]) => Number(one.pure) - Number(other.pure) || height(b) - height(a))
    .map(([name, { holds, pure, imports, folders = {} }]) => {
      const inside = sources.filter(({ file }) => roomOf(file) === name);
      const kept = (place: string, files: Sources, counted: Readonly<Record<string, number>>): Figures =>
        nearly(before.get(place), {
          files: files.length,
          lines: files.reduce((sum, { lines }) => sum + lines, 0),
          imports: counted,
        });
      return {
        name,
        holds,
        pure,
        ...kept(name, inside, importersOf(inside, imports, roomOf)),
        folders: Object.entries(folders).map(([folder, { holds: kind, imports: others }]) => {
          const place = `${name}/${called(folder)}`;
          const files = inside.filter(({ file }) => folderOf(file) === folder);
          const within = (to: string): string => (roomOf(to) === name ? called(folderOf(to)) : '');
          return {
            name: place,
            holds: kind,
            pure,
            ...kept(place, files, importersOf(files, others.map(called), within)),
            folders: [],
          };
        }),
      };
    });
}

function importersOf(
  files: Sources,
  allowed: readonly string[],
  placeOf: (to: string) => string,
): Readonly<Record<string, number>> {
  const uses = (module: Module, other: string): boolean =>
    module.imports.some(({ kind, to }) => kind === 'file' && placeOf(to) === other);
  return Object.fromEntries(allowed.map((other) => [other, files.filter((file) => uses(file, other)).length]));
}

/** What is nothing is told at once, and what was nothing; anything else once it is off by more than a fifth. */
const isNear = (kept: number | undefined, now: number, least: number): kept is number =>
  kept !== undefined && (kept === 0) === (now === 0) && Math.abs(now - kept) <= Math.max(least, kept / 5);

function nearly(before: Figures | undefined, now: Figures): Figures {
  const tens = now.lines < 100 ? 10 : 10 ** (Math.trunc(Math.log10(now.lines)) - 1);
  return {
    files: isNear(before?.files, now.files, 2) ? before.files : now.files,
    lines: isNear(before?.lines, now.lines, 50) ? before.lines : Math.round(now.lines / tens) * tens,
    imports: Object.fromEntries(
      Object.entries(now.imports).map(([name, count]) => {
        const kept = before?.imports[name];
        return [name, isNear(kept, count, 3) ? kept : count];
      }),
    ),
  };
}
