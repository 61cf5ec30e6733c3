import { byteLength } from '../../base/byte-budget.js';
import { hole } from '../../base/hole.js';
import { limits } from '../../base/limits.js';
import { oncePerObject } from '../../base/once-per-object.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Rejection } from '../../base/rejection.js';
import type { ListedWorkflow } from '../../contract/answer.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { listedText, listReply } from '../../respond/list-reply.js';
import { askedWords } from '../../sessions/asked-words.js';
import { foldText, hasAllWords, wordsOf } from '../../base/search-words.js';
import type { Environment } from '../world/environment.js';
import { wrongCursor, readCursor } from '../world/cursors.js';
import { listedEntry } from './listed-entry.js';

export async function listWorkflows(
  env: Environment,
  request: RequestOf<'list_workflows'>,
): Promise<Result<Reply, Rejection>> {
  const { query, tag, kind, cursor } = request;
  const from = readCursor(cursor);
  if (from === undefined) return err(wrongCursor('list_workflows', cursor ?? ''));
  const all = (await env.library.list()).filter((entry) => isOfKind(entry, request));
  const found = all.filter((entry) => matches(entry, query));
  const nearest = found.length > 0 || query === undefined ? [] : await nearestTo(env, query, all);
  const entries = found.length > 0 ? found : nearest;
  const page = pageOf(entries.slice(from, from + limits.listPage).map(told));
  const next = from + page.length < entries.length ? String(from + page.length) : undefined;
  const asked = [query, tag === undefined ? undefined : `tag ${tag}`, kind === undefined ? undefined : `kind ${kind}`]
    .filter((part) => part !== undefined)
    .join(', ');
  return ok(
    listReply(
      {
        workflows: page,
        total: found.length,
        ...(nearest.length > 0 && { nearest: true }),
        ...(next !== undefined && { nextCursor: next }),
        ...(page.length > 0 && {
          nextCall: { tool: 'inspect_workflow', arguments: { workflowId: hole('the id that fits') } },
        }),
      },
      asked,
    ),
  );
}

/** What an answer says around the entries. */
const around = 512;
const told = oncePerObject((entry: LibraryEntry) => listedEntry(entry, { description: 600, violations: 5 }));

/** As many as an answer holds, and at least one. */
function pageOf(entries: readonly ListedWorkflow[]): readonly ListedWorkflow[] {
  let left: number = limits.answer - around;
  const end = entries.findIndex((entry, at) => {
    left -= byteLength(listedText(entry)) + 1;
    return left < 0 && at > 0;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

function isOfKind(entry: LibraryEntry, { tag, kind }: RequestOf<'list_workflows'>): boolean {
  if (kind !== undefined && entry.kind !== kind) return false;
  return tag === undefined || entry.tags.some((own) => foldText(own) === foldText(tag));
}

function matches(entry: LibraryEntry, query: string | undefined): boolean {
  if (query === undefined || query.trim() === '') return true;
  const text = `${entry.id} ${entry.title} ${entry.description} ${entry.tags.join(' ')}`;
  return hasAllWords(wordsOf(query), text) || foldText(text).includes(foldText(query.trim()));
}

/** By some of its words, by its purpose, or by a slip of the hand: the best first. */
async function nearestTo(
  env: Environment,
  query: string,
  among: readonly LibraryEntry[],
): Promise<readonly LibraryEntry[]> {
  const near = await env.library.closest(askedWords(query).words.join(' '));
  return near.flatMap((id) => among.find((entry) => entry.id === id) ?? []);
}
