import { sha256Hex } from '../../base/digest.js';
import { err, ok, type Result } from '../../base/result.js';
import { type CallProblem, callProblem } from '../../calls/call-problem.js';
import type { OpenedFile, OpenFile } from '../../calls/request-body.js';
import type { SentFile } from '../../decide/commands/sent-files.js';
import { fileAt } from '../../definitions/compiled/file-reference.js';
import type { WorkspaceFiles } from '../world/workspace-files.js';

/** Opens what a step sends as a file: one of the workspace, or what an earlier step brought. */
export function openSentFile(
  files: Pick<WorkspaceFiles, 'read'>,
  kept: (sha256: string) => Promise<Uint8Array | undefined>,
  meant: readonly SentFile[],
): OpenFile {
  return async (file) => {
    const { kind, at } = fileAt(file);
    if (kind === 'path') return openAsMeant(files, at, meant);
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

/** The very bytes that the request was decided with: they are read at once, so that none changes on the way out. */
function openAsMeant(
  files: Pick<WorkspaceFiles, 'read'>,
  name: string,
  meant: readonly SentFile[],
): Result<OpenedFile, CallProblem> {
  const read = files.read(name);
  if (!read.ok) return refused(read.error.message, read.error.action);
  const { sha256 } = meant.find(({ file }) => file === name) ?? {};
  return sha256 === sha256Hex(read.value)
    ? ok(whole(read.value))
    : refused(
        `\`${name}\` was changed just before it would have been sent`,
        'once nothing writes to it any more, go back to the step before, or start again',
      );
}
