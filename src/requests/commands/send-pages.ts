import { assert } from '../../base/assert.js';
import { byteLength } from '../../base/byte-budget.js';
import { sha256Hex } from '../../base/digest.js';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { err, ok, type Result } from '../../base/result.js';
import type { BuiltRequest } from '../../catalogs/built-request.js';
import type { NextPage } from '../../catalogs/next-page.js';
import { firstPage, markOfPage, pageAfter } from '../../catalogs/page-after.js';
import type { Sent } from '../../decide/commands/decide-tried.js';
import type { RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { type CallAnswer, judgePage, keptItem, withAnswer } from '../../engine/judge-call.js';
import { rightVerdict, wrongLeft } from './keep-answer.js';
import { pageLink } from './page-link.js';
import { type Failure, type PreparedCommand, requestWith, timeIsOver } from './prepare-command.js';
import { toldOutcome } from './told-outcome.js';

/** A list as far as it has come. */
interface List {
  readonly paginate: NonNullable<RunStep['paginate']>;
  readonly items: JsonValue[];
  /** Of its items as they are kept, written as JSON. */
  kept: number;
  /** Of its pages as they came. */
  bytes: number;
  ms: number;
  pages: number;
  first: BuiltRequest | undefined;
  /** What its pages are told apart by. */
  readonly seen: Set<string>;
}

/** Asks for a list page by page, to its end or to as much of it as is wanted. Its body is the list of what is kept. */
export async function sendPages(prepared: PreparedCommand, paginate: List['paginate']): Promise<Sent> {
  const list: List = { paginate, items: [], kept: 0, bytes: 0, ms: 0, pages: 0, first: undefined, seen: new Set() };
  const { maxPages = limits.commandPagesUsual } = paginate;
  let page: NextPage | undefined = firstPage(paginate, prepared.command.with);
  let last: Sent | undefined;
  while (page !== undefined && list.pages < maxPages && !list.seen.has(markOfPage(paginate, page) ?? '')) {
    list.pages += 1;
    const asked: Asked = await askPage(prepared, list, page);
    list.bytes += asked.sent.bytes;
    list.ms += asked.sent.ms;
    last = { ...asked.sent, bytes: list.bytes, ms: list.ms, pages: list.pages };
    if (!('next' in asked)) return onPage(list.pages, last);
    page = asked.next;
  }
  assert(last !== undefined && 'verdict' in last.came, 'a list has a first page');
  const isAsTold = list.pages === 1 || prepared.command.secretParts.length > 0;
  const url = isAsTold ? last.url : prepared.calls.mask(list.first?.url ?? last.url);
  const verdict = await rightVerdict(prepared, { headers: {} }, list.items);
  return { ...last, url, came: { ...last.came, verdict } };
}

/** A page, and the one after it; or what came of it, where that ends the list before its time. */
type Asked = { readonly sent: Sent } | { readonly sent: Sent; readonly next: NextPage | undefined };

async function askPage(prepared: PreparedCommand, list: List, page: NextPage): Promise<Asked> {
  const { command, calls, options } = prepared;
  const { method, path } = command.operation;
  const { withinMs = Infinity } = options;
  const leftMs = withinMs - list.ms;
  const built = leftMs > 0 ? requestOf(prepared, list, page) : err(timeIsOver);
  if (!built.ok)
    return { sent: { method, url: path, bytes: 0, ms: 0, came: { outcome: 'not_sent', error: built.error } } };
  list.first ??= built.value;
  list.seen.add(markOfPage(list.paginate, page) ?? built.value.url);
  const outcome = await calls.send(built.value, { ...options, withinMs: leftMs });
  let next = undefined as Result<NextPage | undefined, string> | undefined;
  const sent = await toldOutcome(prepared, outcome, (answer) => {
    const came = outcome.kind === 'answered' ? outcome.bytes : 0;
    next = takePage(prepared, list, { page, url: outcome.url, bytes: came }, answer);
    return next.ok ? { kind: 'not_yet' } : { kind: 'wrong', message: next.error, left: wrongLeft(prepared, answer) };
  });
  return next?.ok === true ? { sent, next: next.value } : { sent };
}

function requestOf(prepared: PreparedCommand, { first }: List, page: NextPage): Result<BuiltRequest, Failure> {
  if ('with' in page) return requestWith(prepared, page.with);
  assert(first !== undefined, 'a page that is linked has one before it');
  return ok({ ...first, url: pageLink(page.url, first.url) });
}

/** Takes the items of a page. Gives the page after it, or says what is wrong with this one. */
function takePage(
  { command: { step, scope, with: given }, answerBytes }: PreparedCommand,
  list: List,
  { page, url, bytes }: { readonly page: NextPage; readonly url: string; readonly bytes: number },
  answer: CallAnswer,
): Result<NextPage | undefined, string> {
  const { paginate } = list;
  if (list.bytes + bytes > limits.commandPagesBytes)
    return err(`the pages have more than ${limits.commandPagesBytes} bytes together; ask for less of them`);
  const read = judgePage(step, answer, scope);
  if (!read.ok) return read;
  if (paginate.by === 'page' || paginate.by === 'offset') {
    const mark = sha256Hex(JSON.stringify(answer.body));
    // The server does not heed the number: it would give the same page for ever.
    if (list.seen.has(mark) && read.value.length > 0) return ok(undefined);
    list.seen.add(mark);
  }
  const { maxItems = limits.commandItems } = paginate;
  for (const item of read.value.slice(0, maxItems - list.items.length)) {
    const kept = keptItem(step, item, list.items.length, scope);
    if (!kept.ok) return err(`item ${list.items.length}: ${kept.error}`);
    list.kept += byteLength(JSON.stringify(kept.value)) + 1;
    if (list.kept > answerBytes) return err(tooMuch(answerBytes));
    list.items.push(kept.value);
  }
  if (list.items.length >= maxItems) return ok(undefined);
  const origin = new URL(list.first?.url ?? url).origin;
  const { headers, body } = answer;
  const told = { url, headers: headers as Readonly<Record<string, string>>, body, items: read.value.length };
  return pageAfter(paginate, { page, given, origin }, told, withAnswer(answer, scope));
}

const tooMuch = (bytes: number): string =>
  `what is kept of the list has more than ${bytes} bytes; keep less of each item with \`keep\`, take fewer with \`max_items\`, or raise \`limits.answerBytes\` of the catalog`;

/** Says of what went wrong on which page it did. */
function onPage(page: number, sent: Sent): Sent {
  const { came } = sent;
  const said = (message: string): string => `page ${page}: ${message}`;
  if (!('verdict' in came)) {
    // Of the pages before it something was sent.
    const outcome = came.outcome === 'not_sent' && page > 1 ? 'failed' : came.outcome;
    return { ...sent, came: { ...came, outcome, error: { ...came.error, message: said(came.error.message) } } };
  }
  const { verdict } = came;
  return verdict.kind === 'wrong'
    ? { ...sent, came: { ...came, verdict: { ...verdict, message: said(verdict.message) } } }
    : sent;
}
