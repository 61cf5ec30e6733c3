import path from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import { hole } from '../../base/hole.js';
import type { PatchOperation } from '../../base/patch/json-patch.js';
import { either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { revisionOf } from '../../library/revision.js';
import type { WarningTold } from '../../contract/answer.js';
import type { WrittenAnswer } from '../../contract/author-answers.js';
import type { AskedOperation } from '../../contract/tools/author-schemas.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { editedText } from '../../definitions/source/edited-text.js';
import { doubtfulSchemaRule } from '../../definitions/source/finding.js';
import type { JudgedFile } from '../../library/judge-files.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import type { FileInLibrary } from '../../library/workflow-library.js';
import { writeWorkflow } from '../../library/write-workflow.js';
import { writtenReply } from '../../respond/author/author-replies.js';
import type { Environment } from '../world/environment.js';
import { workflowHere } from './asked-workflow.js';
import { fileTold } from './get-workflow.js';
import { invalidWorkflow } from './invalid-workflow.js';
import { changedMeanwhile, freeName, type WorkflowFolder, writableFolder } from './workflow-folder.js';

/** Writes a workflow file that holds what was sent, once that is right. */
export async function saveWorkflow(
  env: Environment,
  request: RequestOf<'save_workflow'>,
): Promise<Result<Reply, Rejection>> {
  const text = await askedText(env, request);
  if (!text.ok) return text;
  const place = await placeFor(env, request, text.value);
  if (!place.ok) return place;
  const { folder, standing, judged } = place.value;
  const entry = strictly(judged.entry);
  if (entry.violations.length > 0) return err(invalidWorkflow({ ...judged, entry }, 'save_workflow'));
  const revision = revisionOf(sha256Hex(text.value.text));
  if (standing !== undefined && revisionOf(standing.entry.sourceDigest) === revision)
    return ok(answered(env, judged, revision, 'unchanged', await aboutIt(env, judged)));
  const written = await writeWorkflow(
    folder.folder,
    judged.path,
    text.value.text,
    standing === undefined ? 'absent' : { revision: revisionOf(standing.entry.sourceDigest) },
  );
  if (!written.ok)
    return err(
      changedMeanwhile(judged.entry.id, written.error.kind === 'changed' ? written.error.revision : undefined),
    );
  const happened = standing === undefined ? 'created' : 'replaced';
  return ok(answered(env, judged, written.value, happened, await aboutIt(env, judged)));
}

/** What a file of before may still say, a new one may not. */
const strictly = (entry: LibraryEntry): LibraryEntry => ({
  ...entry,
  violations: [...entry.violations, ...entry.warnings.filter(({ rule }) => rule === doubtfulSchemaRule)],
});

interface AskedText {
  readonly text: string;
  /** Where it was, if it is a change of a file that is here. */
  readonly of?: FileInLibrary;
}

/** What is to be written: as it was sent, or what a file becomes. */
async function askedText(
  env: Environment,
  { content, workflowId = '', patch = [], expectedRevision }: RequestOf<'save_workflow'>,
): Promise<Result<AskedText, Rejection>> {
  if (content !== undefined) return ok({ text: content });
  const found = await workflowHere(env, workflowId);
  if (!found.ok) return found;
  const { entry, source, path: file } = found.value;
  const revision = revisionOf(entry.sourceDigest);
  if (expectedRevision !== undefined && expectedRevision !== revision) return err(changedMeanwhile(entry.id, revision));
  const edited = editedText(source, entry.file, patch.map(asOperation));
  if (edited.ok) return ok({ text: edited.value, of: { path: file, text: source, entry } });
  const { index, message } = edited.error;
  return err({
    code: 'PRECONDITION_FAILED',
    message: `operation ${index + 1} of the patch: ${message}; nothing was written`,
    action: 'look at the file as it is, then send another patch or the whole content',
    nextCall: { tool: 'get_workflow', arguments: { workflowId: entry.id } },
    violations: [{ path: `/patch/${index}`, rule: 'patch', message }],
    context: { workflowId: entry.id },
  });
}

/** The contract has seen to it that each operation has what it needs. */
function asOperation({ op, path: at, from = '', value = null }: AskedOperation): PatchOperation {
  if (op === 'remove') return { op, path: at };
  return op === 'move' || op === 'copy' ? { op, from, path: at } : { op, path: at, value };
}

interface PlaceFound {
  readonly folder: WorkflowFolder;
  /** What is replaced. */
  readonly standing: FileInLibrary | undefined;
  readonly judged: JudgedFile;
}

async function placeFor(
  env: Environment,
  request: RequestOf<'save_workflow'>,
  { text, of }: AskedText,
): Promise<Result<PlaceFound, Rejection>> {
  const folder = writableFolder(env, request.to, of);
  if (!folder.ok) return folder;
  const { source } = folder.value;
  const { id } = judgeAt(env, text, of?.path ?? path.join(source.folder, '.new.yaml'), folder.value).entry;
  const here = (await env.library.files()).find(
    ({ path: at, entry }) => entry.id === id && at.startsWith(source.folder + path.sep),
  );
  if (of !== undefined && id !== of.entry.id) return err(renamed(of.entry.id, id));
  const standing = of ?? here;
  const refused = mayNotReplace(request, id, standing, text);
  if (refused !== undefined) return err(refused);
  const file = standing?.path ?? path.join(source.folder, freeName(source.folder, id, text));
  return ok({ folder: folder.value, standing, judged: judgeAt(env, text, file, folder.value) });
}

/** Another id is another name of the file, and whoever calls it has to know. */
const renamed = (workflowId: string, newId: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `the patch would rename ${workflowId} to ${newId}; nothing was written`,
  action: 'rename it with rename_workflow, which names the workflows that call it; then patch the rest',
  nextCall: { tool: 'rename_workflow', arguments: { workflowId, newId } },
  context: { workflowId },
});

/** What is here already is replaced by who has seen it, or says so. */
function mayNotReplace(
  { overwrite = false, expectedRevision, patch }: RequestOf<'save_workflow'>,
  id: string,
  standing: FileInLibrary | undefined,
  text: string,
): Rejection | undefined {
  if (standing === undefined) return expectedRevision === undefined ? undefined : changedMeanwhile(id, undefined);
  const revision = revisionOf(standing.entry.sourceDigest);
  // Whoever saves again what they have saved gets the same answer.
  if (revision === revisionOf(sha256Hex(text))) return undefined;
  if (expectedRevision !== undefined && expectedRevision !== revision) return changedMeanwhile(id, revision);
  return patch === undefined && !overwrite && expectedRevision === undefined ? exists(standing) : undefined;
}

function judgeAt(env: Environment, text: string, file: string, { source }: WorkflowFolder): JudgedFile {
  const relative = path.relative(source.folder, file).split(path.sep).join('/');
  const [judged] = env.judgeFiles([{ path: file, label: `${source.label}/${relative}`, text, source: source.name }]);
  if (judged === undefined) throw new Error('a text that is given is judged');
  return judged;
}

function exists({ entry }: FileInLibrary): Rejection {
  const revision = revisionOf(entry.sourceDigest);
  return {
    code: 'ALREADY_EXISTS',
    message: `${entry.id} is here already, in ${entry.file}; nothing was written`,
    action: [
      'look at it first; ',
      either('to replace it send its revision as expectedRevision', 'to replace it add --overwrite'),
      '; else choose another id',
    ],
    nextCall: { tool: 'get_workflow', arguments: { workflowId: entry.id } },
    context: { workflowId: entry.id, file: entry.file, revision },
  };
}

/** What else there is to know of a file that was written. */
async function aboutIt(env: Environment, { path: file, entry }: JudgedFile): Promise<readonly WarningTold[]> {
  const warnings: WarningTold[] = entry.warnings.slice(0, 10).map(({ rule, message, line }) => ({
    code: rule.toUpperCase(),
    message: line === undefined ? message : `line ${line}: ${message}`,
  }));
  const now = await env.library.find(entry.id);
  if (now !== undefined && now.path !== file)
    warnings.push({
      code: 'HIDDEN',
      message: `${now.entry.file} has the same id and comes before it: that one is started`,
    });
  for (const hidden of now?.path === file ? now.entry.hides : [])
    warnings.push({ code: 'HIDES', message: `it hides the one of the same id in ${hidden.file} (${hidden.source})` });
  return warnings;
}

function answered(
  env: Environment,
  { entry }: JudgedFile,
  revision: string,
  happened: WrittenAnswer['happened'],
  warnings: readonly WarningTold[],
): Reply {
  const startable = env.offered.has('start_workflow') && entry.kind === 'workflow';
  return writtenReply({
    ...fileTold(entry),
    revision,
    happened,
    warnings,
    nextCall: startable
      ? {
          tool: 'start_workflow',
          arguments: {
            workflowId: entry.id,
            ...(entry.requiredInputs !== undefined && {
              context: Object.fromEntries(
                entry.requiredInputs.map(({ name, description }) => [name, hole(description ?? name)]),
              ),
            }),
          },
        }
      : { tool: 'inspect_workflow', arguments: { workflowId: entry.id } },
  });
}
