import { command } from '../../base/sentence.js';
import { defined } from '../../base/defined.js';
import type { Rejection, RequestViolation } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { asJson } from '../../contract/reply-with.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { isUnread } from '../../library/decode-file.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import type { Environment } from '../world/environment.js';

export interface FoundWorkflow {
  readonly entry: LibraryEntry;
  readonly workflow: CompiledWorkflow;
  /** Broken files of the same id that would come before it. */
  readonly passedOver: readonly LibraryEntry[];
}

export async function findWorkflow(env: Environment, id: string): Promise<Result<FoundWorkflow, Rejection>> {
  const found = await env.library.find(id);
  if (found === undefined) return err(await unknownWorkflow(env, id));
  if (found.workflow === undefined) return err(brokenWorkflow(found.entry));
  return ok({ entry: found.entry, workflow: found.workflow, passedOver: found.passedOver });
}

export async function unknownWorkflow(env: Environment, id: string): Promise<Rejection> {
  const unread = await unreadAround(env);
  if (unread.length > 0)
    return {
      code: 'STORAGE_FAULT',
      message: `no readable workflow has the id ${JSON.stringify(id.slice(0, 100))}, but these files could not be read and may have it: ${unread.slice(0, 3).join('; ')}`,
      action: 'fix what is named, then make the same call again',
      again: [],
    };
  const near = await env.library.closest(id);
  const first = near[0];
  return {
    code: 'NOT_FOUND',
    message: `no workflow has the id ${JSON.stringify(id.slice(0, 100))}${near.length === 0 ? '' : `; closest: ${near.join(', ')}`}`,
    action: first === undefined ? 'choose one that is there' : 'look at the closest one',
    nextCall:
      first === undefined
        ? { tool: 'list_workflows', arguments: {} }
        : { tool: 'inspect_workflow', arguments: { workflowId: first } },
    context: { workflowId: id.slice(0, 200), closest: near },
  };
}

/** What may hold workflows and could not be read: files, folders, the configuration that names folders. */
async function unreadAround({ library, configFault }: Environment): Promise<readonly string[]> {
  const files = (await library.list()).filter(isUnread).map(({ violations }) => violations[0]!.message);
  return configFault === undefined ? files : [configFault, ...files];
}

/** The same for people, who look at the list themselves. */
export async function unknownToPeople(env: Environment, id: string, besides = ''): Promise<Rejection> {
  const rejection = await unknownWorkflow(env, id);
  const { code, message, context = {} } = rejection;
  if (code === 'STORAGE_FAULT') return rejection;
  return { code, message: `${message}${besides}`, action: ['list the workflows: ', command('list')], context };
}

function brokenWorkflow(entry: LibraryEntry): Rejection {
  const first = entry.violations[0];
  return {
    code: 'WORKFLOW_INVALID',
    message: `${entry.id} (${entry.file}) has ${entry.violations.length} violation${entry.violations.length === 1 ? '' : 's'} and cannot be started`,
    action: entry.violations.every(({ rule }) => rule === 'catalog')
      ? 'make the catalog ready as said there, or name another in the file; then check again'
      : 'fix the file, then run this again',
    nextCall: { tool: 'inspect_workflow', arguments: { workflowId: entry.id } },
    violations: entry.violations.map(({ pointer, rule, message, expected, actual, line, column, closest, patch }) =>
      defined<RequestViolation>({
        path:
          line === undefined ? pointer : `${entry.file}:${line}${column === undefined ? '' : `:${column}`} ${pointer}`,
        rule,
        message,
        expected: closest ?? expected,
        actual,
        patch: patch?.map((operation) => ({ ...operation })),
      }),
    ),
    context: asJson({ workflowId: entry.id, file: entry.file, line: first?.line, column: first?.column }),
  };
}
