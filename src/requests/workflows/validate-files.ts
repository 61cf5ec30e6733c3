import { command } from '../../base/sentence.js';
import type { JsonObject } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { FileJudged, FilesJudged } from '../../contract/people-answers.js';
import type { GivenFile } from '../../library/judge-files.js';
import { asJson } from '../../contract/reply-with.js';
import type { Violation } from '../../definitions/source/violation.js';
import type { FileInLibrary } from '../../library/workflow-library.js';
import type { Environment } from '../world/environment.js';
import { unknownToPeople } from '../steps/find-workflow.js';
import { fixFiles } from './fix-files.js';

export interface FilesAsked {
  readonly files: readonly GivenFile[];
  /** Of workflows in the library. */
  readonly ids: readonly string[];
  /** Mend first what can be mended without guessing. */
  readonly fix?: boolean;
}

/** Everything that is wrong with workflow files, at once. Without a file or an id, those of the library that did not come with WorkRail. */
export async function validateFiles(env: Environment, asked: FilesAsked): Promise<Result<FilesJudged, Rejection>> {
  const found = await filesAsked(env, asked);
  if (!found.ok) return found;
  if (asked.fix !== true) return ok(judged(found.value));
  const fixed = await fixFiles(found.value, async () => {
    const again = await filesAsked(env, asked);
    return again.ok ? again.value : [];
  });
  const after = await filesAsked(env, asked);
  return after.ok ? ok({ ...judged(after.value), fixed }) : after;
}

async function filesAsked(
  env: Environment,
  { files, ids }: FilesAsked,
): Promise<Result<readonly FileInLibrary[], Rejection>> {
  const found: FileInLibrary[] = [];
  for (const [index, one] of (files.length === 0 ? [] : env.judgeFiles(files)).entries()) {
    if (one === undefined) return err(missing(files[index]!.label));
    found.push(one);
  }
  const inLibrary = await env.library.files();
  for (const id of ids) {
    const named = await env.library.find(id);
    if (named === undefined) return err(await unknownToPeople(env, id, ', and no file has that name'));
    for (const { file } of [...named.passedOver, named.entry])
      found.push(...inLibrary.filter(({ entry }) => entry.file === file).slice(0, 1));
  }
  if (files.length + ids.length === 0) {
    const listed = new Set((await env.library.list()).map(({ file }) => file));
    found.push(...inLibrary.filter(({ entry }) => entry.source !== 'bundled' && listed.delete(entry.file)));
  }
  return ok(found);
}

function judged(files: readonly FileInLibrary[]): FilesJudged {
  const told = files.map(toldFile);
  return { files: told, sound: told.every(({ violations }) => violations.length === 0) };
}

function toldFile({ entry, text }: FileInLibrary): FileJudged {
  const { file, id, title, kind, runsCommands, idStatus, violations, warnings } = entry;
  const lines = violations.length + warnings.length === 0 ? [] : text.split(/\r?\n/u);
  const told = (violation: Violation): JsonObject => {
    const line = violation.line === undefined ? undefined : lines[violation.line - 1];
    return {
      ...asJson(violation),
      ...(line !== undefined && line.trim() !== '' && { source: line.slice(0, longestLine) }),
    };
  };
  return {
    file,
    ...(idStatus !== 'unknown' && { id, title }),
    kind,
    ...(runsCommands && { runsCommands }),
    violations: violations.map(told),
    warnings: warnings.map(told),
  };
}

/** A file may be one line. */
const longestLine = 400;

const missing = (file: string): Rejection => ({
  code: 'NOT_FOUND',
  message: `no such file: ${file}`,
  action: ['name a file, a folder or the id of a workflow. To list the ids: ', command('list')],
  context: { file },
});
