import { createHash } from 'node:crypto';
import { type BigIntStats, constants, fstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import type { LookedAt } from '../../decide/commands/sent-files.js';
import { errorCode } from '../../files/fault-reason.js';
import { withOpen } from '../../files/folders.js';
import { readChunks } from '../../files/read-chunks.js';

/** Files that steps send, by their names in the workspace. */
export interface WorkspaceFiles {
  /** What its bytes are now; undefined where none of them would be sent. */
  readonly look: (name: string) => LookedAt | undefined;
  /** Its bytes, all of one moment; or why they are not sent. */
  readonly read: (name: string) => Result<Buffer, WhyNot>;
}

export interface WhyNot {
  readonly message: string;
  readonly action: string;
}

/** Digests of files that have not changed since are kept: a step that waits is looked at time and again. */
const looksKept = 100;

/** What changed a moment ago may change once more without another time on it. */
const settledMs = 2000;

export function openWorkspaceFiles(workspace: string, config: string): WorkspaceFiles {
  const looks = new Map<string, LookedAt>();
  return {
    read: (name) => {
      const found = fileBelow(workspace, name, config);
      return found.ok ? readable(name, () => Buffer.concat([...readChunks(found.value.real, limits.sentFile)])) : found;
    },
    look: (name) => {
      const found = fileBelow(workspace, name, config);
      if (!found.ok) return undefined;
      const { real, stats } = found.value;
      const { dev, ino, size, mtimeNs, ctimeNs } = stats;
      const mark = [real, dev, ino, size, mtimeNs, ctimeNs].join('\n');
      const known = looks.get(mark);
      if (known !== undefined) return known;
      const read = readable(name, () => digestOfFile(real));
      if (!read.ok) return undefined;
      if (isSettled(stats)) {
        looks.set(mark, read.value);
        const [oldest] = looks.keys();
        if (looks.size > looksKept && oldest !== undefined) looks.delete(oldest);
      }
      return read.value;
    },
  };
}

const isSettled = ({ mtimeMs, ctimeMs }: BigIntStats): boolean =>
  Date.now() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) > settledMs;

function digestOfFile(real: string): LookedAt {
  const digest = createHash('sha256');
  let bytes = 0;
  for (const chunk of readChunks(real, limits.sentFile)) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: digest.digest('hex'), bytes };
}

const action = 'name a file in the workspace, such as `reports/build.zip`';

const refused = (message: string, what = action): Result<never, WhyNot> => err({ message, action: what });

/** A file of the workspace, wherever in it links lead; none outside of it, and none with the person's own secrets. */
function fileBelow(
  workspace: string,
  name: string,
  config: string,
): Result<{ readonly real: string; readonly stats: BigIntStats }, WhyNot> {
  const found = readable(name, () => {
    const real = realpathSync(path.resolve(workspace, name));
    return { real, isInside: !path.isAbsolute(name) && isBelow(realpathSync(workspace), real) };
  });
  if (!found.ok) return found;
  const { real, isInside } = found.value;
  if (!isInside) return refused(`\`${name}\` is outside the workspace`);
  if (isBelow(path.resolve(config), real)) return refused(`\`${name}\` is WorkRail’s own and is not sent`);
  const stats = readable(name, () => withOpen(real, constants.O_RDONLY, (fd) => fstatSync(fd, { bigint: true })));
  if (!stats.ok) return stats;
  const { size } = stats.value;
  return size > limits.sentFile
    ? refused(`\`${name}\` has ${size} bytes, and at most ${limits.sentFile} are sent`, 'send a smaller file')
    : ok({ real, stats: stats.value });
}

function readable<A>(name: string, read: () => A): Result<A, WhyNot> {
  try {
    return ok(read());
  } catch (cause) {
    const code = errorCode(cause);
    const why = code === 'ENOENT' ? 'does not exist in the workspace' : `cannot be read (${code ?? 'no code'})`;
    return refused(`\`${name}\` ${why}`);
  }
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
