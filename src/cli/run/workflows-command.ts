import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject } from '../../base/json-value.js';
import type { WrittenAnswer } from '../../contract/author-answers.js';
import { kindOfPlace } from '../print/kind-of-place.js';
import type { Page } from '../print/page.js';
import { ask } from '../shell/ask.js';
import { confirmedRevision } from '../shell/confirmed-revision.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';

export const runWorkflowsSave = withRequests('workflows save', async (asked) => {
  const { parsed, misused, reject, environment } = asked;
  const [file] = parsed.words;
  if (file === undefined) return misused('which file? `workrail workflows save mine.yaml`');
  const place = path.resolve(environment.workingFolder, file);
  if (kindOfPlace(place) !== 'file')
    return reject({ code: 'NOT_FOUND', message: `no such file: ${file}`, action: 'name a workflow file' });
  const to = parsed.text('to');
  return write(asked, 'save_workflow', {
    content: readFileSync(place, 'utf8'),
    ...(to !== undefined && { to }),
    ...(parsed.has('overwrite') && { overwrite: true }),
  });
});

export const runWorkflowsRename = withRequests('workflows rename', async (asked) => {
  const [workflowId, newId] = asked.parsed.words;
  if (workflowId === undefined || newId === undefined)
    return asked.misused('which workflow, and what is its new id? `workrail workflows rename team.old team.new`');
  return write(asked, 'rename_workflow', { workflowId, newId });
});

export const runWorkflowsDelete = withRequests('workflows delete', async (asked) => {
  const [workflowId] = asked.parsed.words;
  if (workflowId === undefined) return asked.misused('which workflow? `workrail list` shows them');
  const revision = await confirmedRevision(asked, {
    tool: 'delete_workflow',
    args: { workflowId },
    question: `Move ${workflowId} to the trash?`,
    nothingDone: 'Nothing deleted.',
    sure: ['workflows', 'delete', workflowId],
  });
  return revision.ok ? write(asked, 'delete_workflow', { workflowId, confirm: revision.value }) : revision.error;
});

type Writer = 'save_workflow' | 'rename_workflow' | 'delete_workflow';

async function write(asked: RequestsContext, name: Writer, args: JsonObject): Promise<ExitCode> {
  const written = await ask(asked, name, args);
  return written.ok ? asked.tell(written.value, printWritten) : written.error;
}

const done: { readonly [happened in WrittenAnswer['happened']]: string } = {
  created: 'Saved',
  replaced: 'Replaced',
  unchanged: 'Already saved:',
  renamed: 'Renamed to',
  deleted: 'Moved to the trash:',
};

function printWritten(page: Page, { happened, workflowId, path: file, revision, warnings }: WrittenAnswer): void {
  page.say(`${done[happened]} ${workflowId} (${file}), revision ${revision}.`);
  for (const { message } of warnings) page.say(`Note: ${message}.`);
}
