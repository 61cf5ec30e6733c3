import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventSum, SessionId } from '../base/ids.js';
import { isJsonObject } from '../base/json-value.js';
import type { DataRoot } from './data-root.js';
import { localFolder } from './local-folder.js';
import type { ReadSegment } from './reading.js';
import { namesIn } from './session-folder.js';

/** What the holder of a segment leaves behind when it ends cleanly: whoever claims it may go on in the same file. */
export interface EndedSegment {
  readonly ino: number;
  readonly size: number;
  readonly sum: EventSum;
  /** Where git stood; a segment that may be committed by now must not grow. */
  readonly head: string;
}

/** Says that a segment has no holder any more. Nothing is lost if this fails: the next process begins another file. */
export function leaveSegment(root: DataRoot, id: SessionId, name: string, ended: EndedSegment, unique: string): void {
  const folder = localFolder(root, 'ended');
  if (folder === undefined) return;
  try {
    const own = join(folder, id);
    if (!existsSync(own)) mkdirSync(own);
    const temporary = join(own, `.${unique}`);
    writeFileSync(temporary, JSON.stringify(ended), { flag: 'wx' });
    renameSync(temporary, join(own, name));
  } catch {
    return;
  }
}

/**
 * Takes up a segment that was left. The claim is a rename, which one process wins; the checks make sure that the file
 * is still the one that was left, so that a claim that a crash brought back cannot lead to two holders of one segment.
 */
export function claimSegment(root: DataRoot, id: SessionId, segments: ReadonlyMap<string, ReadSegment>, head: string, unique: string): ReadSegment | undefined {
  const folder = join(root.folder, 'local', 'ended', id);
  for (const name of namesIn(folder)) {
    if (name.startsWith('.')) continue;
    const segment = segments.get(name);
    const claimed = join(folder, `.${unique}`);
    try {
      renameSync(join(folder, name), claimed);
      const ended: unknown = JSON.parse(readFileSync(claimed, 'utf8'));
      rmSync(claimed);
      if (segment !== undefined && isJsonObject(ended) && stillAsLeft(segment, ended, head)) return segment;
    } catch {
      continue;
    }
  }
  return undefined;
}

function stillAsLeft(segment: ReadSegment, ended: { readonly [field in keyof EndedSegment]?: unknown }, head: string): boolean {
  return (
    segment.stop === undefined &&
    segment.mark.ino === ended.ino &&
    segment.mark.size === ended.size &&
    segment.position.offset === ended.size &&
    segment.position.sum === ended.sum &&
    head === ended.head
  );
}
