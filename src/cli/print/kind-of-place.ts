import { statSync } from 'node:fs';

/** What stands at a path. Nothing, where it may be made; unreachable, where the way there leads through a file or is closed. */
export function kindOfPlace(place: string): 'folder' | 'file' | 'nothing' | 'unreachable' {
  try {
    const stats = statSync(place, { throwIfNoEntry: false });
    if (stats === undefined) return 'nothing';
    return stats.isDirectory() ? 'folder' : 'file';
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return 'unreachable';
    throw cause;
  }
}
