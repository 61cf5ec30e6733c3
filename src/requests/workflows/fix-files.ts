import { readFileSync } from 'node:fs';
import type { FileFixed } from '../../contract/people-answers.js';
import { patchedText } from '../../definitions/source/patched-text.js';
import type { Violation } from '../../definitions/source/violation.js';
import { rewriteFile } from '../../files/rewrite-file.js';
import type { FileInLibrary } from '../../library/workflow-library.js';

/** What is mended shows what stood behind it; by then that much is done, or something turns round and round. */
const mostRounds = 8;

/** Does to each file what its violations say that mends them, and looks again, until nothing more can be mended. A file is written whole or stays as it is. */
export async function fixFiles(
  first: readonly FileInLibrary[],
  lookAgain: () => Promise<readonly FileInLibrary[]>,
): Promise<readonly FileFixed[]> {
  const fixed = new Map<string, FileFixed['fixed']>();
  const left = new Map<string, string>();
  let files = first;
  for (let round = 0; round < mostRounds; round += 1) {
    let changed = false;
    for (const file of files) {
      const { path, entry } = file;
      if (left.has(path) || !canBeMended(file)) continue;
      if (entry.source === 'bundled') {
        left.set(path, 'it is built in; copy it under another id to change it');
        continue;
      }
      const { text, done } = mended(file);
      if (done.length === 0) continue;
      if (!write(file, text)) {
        left.set(path, 'it changed in the meantime; run this again');
        continue;
      }
      changed = true;
      fixed.set(path, [...(fixed.get(path) ?? []), ...done.map(told)]);
    }
    if (!changed) break;
    files = await lookAgain();
  }
  const labels = new Map(first.map(({ path, entry }) => [path, entry.file]));
  return [...labels].flatMap(([path, file]) => {
    const why = left.get(path);
    const done = fixed.get(path) ?? [];
    return done.length === 0 && why === undefined
      ? []
      : [{ file, fixed: done, ...(why !== undefined && { left: why }) }];
  });
}

const told = ({ rule, pointer, line = 1, message }: Violation): FileFixed['fixed'][number] => ({
  rule,
  pointer,
  line,
  message,
});

const said = ({ entry }: FileInLibrary): readonly Violation[] =>
  [...entry.violations, ...entry.warnings].filter(({ rule, patch }) => patch !== undefined && !forAuthors.has(rule));

/** What else goes by the name is known to its author alone. */
const forAuthors = new Set(['legacy_id', 'reserved_namespace']);

const canBeMended = (file: FileInLibrary): boolean => said(file).length > 0;

/** From the end, so that what stands before keeps its place. */
function mended(file: FileInLibrary): { readonly text: string; readonly done: readonly Violation[] } {
  let { text } = file;
  const done: Violation[] = [];
  for (const violation of said(file).toSorted(
    (a, b) => (b.line ?? 0) - (a.line ?? 0) || (b.column ?? 0) - (a.column ?? 0),
  )) {
    const next = patchedText(text, file.path, violation.patch ?? []);
    if (next === undefined || next === text) continue;
    text = next;
    done.unshift(violation);
  }
  return { text, done };
}

/** False where somebody else wrote the file since it was read. */
function write({ path, text: read }: FileInLibrary, text: string): boolean {
  const mark = '\uFEFF';
  const standing = readFileSync(path, 'utf8');
  if (standing !== read && standing !== mark + read) return false;
  rewriteFile(path, standing === read ? text : mark + text);
  return true;
}
