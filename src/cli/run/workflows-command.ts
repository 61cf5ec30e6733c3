import { readFileSync } from 'node:fs';
import path from 'node:path';
import { command } from '../../base/sentence.js';
import type { JsonObject } from '../../base/json-value.js';
import type { WrittenAnswer } from '../../contract/author-answers.js';
import { kindOfPlace } from '../print/kind-of-place.js';
import type { Page } from '../print/page.js';
import { ask } from '../shell/ask.js';
import { confirm } from '../shell/confirm.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
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
  const { parsed, misused, reject, requests, environment, page, json } = asked;
  const [workflowId] = parsed.words;
  if (workflowId === undefined) return misused('which workflow? `workrail list` shows them');
  const { rejection } = await requests.call('delete_workflow', { workflowId });
  const revision = rejection?.context?.['revision'];
  if (rejection !== undefined && (rejection.code !== 'CONFIRMATION_REQUIRED' || typeof revision !== 'string'))
    return reject(rejection);
  const mayAsk = environment.stdinIsTerminal && environment.stdoutIsTerminal && !json;
  if (!parsed.has('yes') && !mayAsk) {
    const { code = 'CONFIRMATION_REQUIRED', message = '' } = rejection ?? {};
    return reject({ code, message, action: ['to delete it: ', command('workflows', 'delete', workflowId, '--yes')] });
  }
  if (!parsed.has('yes') && !(await confirm(environment, `Move ${workflowId} to the trash?`))) {
    page.say('Nothing deleted.');
    return exitCodes.done;
  }
  return write(asked, 'delete_workflow', { workflowId, confirm: revision ?? '' });
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
