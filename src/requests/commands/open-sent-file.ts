import { constants, fstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import { type CallProblem, callProblem } from '../../calls/call-problem.js';
import type { OpenedFile, OpenFile } from '../../calls/request-body.js';
import { fileAt } from '../../definitions/compiled/file-reference.js';
import { errorCode } from '../../files/fault-reason.js';
import { withOpen } from '../../files/folders.js';
import { readChunks } from '../../files/read-chunks.js';
import type { Environment } from '../world/environment.js';

/** Opens what a step sends as a file: one of the workspace, or what an earlier step brought. */
export function openSentFile(
  { workspace, roots }: Pick<Environment, 'workspace' | 'roots'>,
  kept: (sha256: string) => Promise<Uint8Array | undefined>,
): OpenFile {
  return async (file) => {
    const { kind, at } = fileAt(file);
    if (kind === 'path') return openBelow(workspace, at, roots.config);
    if (kind === 'text') return ok(whole(Buffer.from(at)));
    const bytes = await kept(at);
    return bytes === undefined
      ? refused(
          'what an earlier step downloaded is no longer kept',
          'run the workflow again, so that it is downloaded again',
        )
      : ok(whole(bytes));
  };
}

const refused = (message: string, action: string): Result<never, CallProblem> =>
  err(callProblem('PRECONDITION_FAILED', `${message}. Nothing was sent.`, action));

const whole = (bytes: Uint8Array): OpenedFile => ({
  size: bytes.length,
  chunks: (async function* () {
    yield bytes;
  })(),
});

/** A file of the workspace, wherever in it links lead; none outside of it, and none with the person's own secrets. */
function openBelow(workspace: string, name: string, config: string): Result<OpenedFile, CallProblem> {
  const action = 'name a file in the workspace, such as `reports/build.zip`';
  try {
    const real = realpathSync(path.resolve(workspace, name));
    if (path.isAbsolute(name) || !isBelow(realpathSync(workspace), real))
      return refused(`\`${name}\` is outside the workspace`, action);
    if (isBelow(path.resolve(config), real)) return refused(`\`${name}\` is WorkRail’s own and is not sent`, action);
    const { size } = withOpen(real, constants.O_RDONLY, (fd) => fstatSync(fd));
    if (size > limits.sentFile)
      return refused(`\`${name}\` has ${size} bytes, and at most ${limits.sentFile} are sent`, 'send a smaller file');
    return ok({ size, chunks: chunksOf(real, size) });
  } catch (cause) {
    const code = errorCode(cause);
    const why = code === 'ENOENT' ? 'does not exist in the workspace' : `cannot be read (${code ?? 'no code'})`;
    return refused(`\`${name}\` ${why}`, action);
  }
}

/** It is opened once it is read, by its real name: a link that took its place since then is not followed. */
async function* chunksOf(file: string, size: number): AsyncGenerator<Uint8Array> {
  yield* readChunks(file, size);
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
