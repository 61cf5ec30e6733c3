import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { FileJudged, FilesJudged } from '../../contract/people-answers.js';
import type { GivenFile } from '../../library/judge-files.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { asJson } from '../../contract/reply-with.js';
import type { Environment } from '../world/environment.js';
import { unknownToPeople } from '../steps/find-workflow.js';

export interface FilesAsked {
  readonly files: readonly GivenFile[];
  /** Of workflows in the library. */
  readonly ids: readonly string[];
}

/** Everything that is wrong with workflow files, at once. Without a file or an id, those of the library that did not come with WorkRail. */
export async function validateFiles(
  env: Environment,
  { files, ids }: FilesAsked,
): Promise<Result<FilesJudged, Rejection>> {
  const judged: FileJudged[] = [];
  const entries = files.length === 0 ? [] : env.judgeFiles(files);
  for (const [index, entry] of entries.entries()) {
    if (entry === undefined) return err(missing(files[index]!.label));
    judged.push(told(entry));
  }
  for (const id of ids) {
    const found = await env.library.find(id);
    if (found === undefined) return err(await unknownToPeople(env, id, '; no file is called so either'));
    judged.push(...[...found.passedOver, found.entry].map(told));
  }
  if (files.length + ids.length === 0)
    judged.push(...(await env.library.list()).filter(({ source }) => source !== 'bundled').map(told));
  return ok({ files: judged, sound: judged.every(({ violations }) => violations.length === 0) });
}

function told({ file, id, title, kind, idStatus, violations, warnings }: LibraryEntry): FileJudged {
  return {
    file,
    ...(idStatus !== 'unknown' && { id, title }),
    kind,
    violations: violations.map(asJson),
    warnings: warnings.map(asJson),
  };
}

const missing = (file: string): Rejection => ({
  code: 'NOT_FOUND',
  message: `there is no file ${file}`,
  action: ['name a file, a folder or the id of a workflow; the ids: ', command('list')],
  context: { file },
});
