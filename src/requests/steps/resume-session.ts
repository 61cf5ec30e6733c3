import { defined } from '../../base/defined.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { WarningTold } from '../../contract/answer.js';
import type { ResumeCandidate } from '../../contract/resume-answer.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { resumeReply } from '../../render/answers/tell-resume.js';
import { notesHole } from '../../base/notes-hole.js';
import { tellNoted } from '../../respond/tell-noted.js';
import { type Sealer, sealerFor } from '../../respond/sealer.js';
import { foundWords } from '../../sessions/found-words.js';
import type { FoldedSession, Run, RunNode } from '../../sessions/folded-session.js';
import {
  candidatesOf,
  lastActivity,
  type Ranked,
  rankSessions,
  recencyTier,
  type Wanted,
} from '../../sessions/rank-sessions.js';
import { isOpen, statusAt } from '../../sessions/run-status.js';
import type { Scale } from '../../sessions/score-words.js';
import { snippetOf } from '../../sessions/snippet.js';
import type { Environment } from '../world/environment.js';
import { sessionWarnings } from './session-warnings.js';
import { type NamedByToken, tokenInQuery } from './token-in-query.js';

interface Search {
  readonly told: readonly ResumeCandidate[];
  readonly warnings: readonly WarningTold[];
  readonly found: number;
  readonly recentOnly: boolean;
  /** The best of them may well be something else. */
  readonly isLoose: boolean;
  readonly unknownWords: readonly string[];
}

/** Finds where earlier work stands. Ranks every session here, reads those it tells, appends nothing. */
export async function resumeSession(
  env: Environment,
  request: RequestOf<'resume_session'>,
): Promise<Result<Reply, Rejection>> {
  const asked = [request.query, request.gitBranch, request.gitHead, request.sessionId]
    .filter((part) => part !== undefined)
    .join(', ');
  const { rest, named, refusal } = await tokenInQuery(env, [request.query, request.sessionId].join(' '));
  if (refusal !== undefined && named === undefined && rest === '') return err(refusal);
  const isToken = rest !== [request.query, request.sessionId].join(' ').trim();
  const wanted: AskedFor = isToken
    ? { gitBranch: request.gitBranch, gitHead: request.gitHead, query: rest, token: named }
    : request;
  let search: Search | undefined;
  for (let tries = 1; search === undefined; tries += 1)
    search = await searchOnce(env, wanted, request.limit, tries >= limits.resumeTries);
  const { told, recentOnly, isLoose, unknownWords } = search;
  const warnings = [
    ...search.warnings,
    ...(refusal === undefined ? [] : [{ code: refusal.code, message: refusal.message }]),
  ];
  const [unread] = search.warnings;
  if (told.length === 0 && unread !== undefined)
    return err({
      code: 'STORAGE_FAULT',
      message: `the sessions could not be read: ${unread.message}`,
      action: 'fix what is named, then make the same call again',
      again: [],
    });
  const found = asked !== '' && recentOnly ? 0 : search.found;
  const nextCall =
    told[0]?.nextCall === undefined || found === 0 || (asked !== '' && isLoose)
      ? ({ tool: 'list_workflows', arguments: {} } as const)
      : told[0].nextCall;
  const unknown = found === 0 || unknownWords.length === 0 ? {} : { unknownWords };
  return ok(resumeReply({ candidates: told, found, ...unknown, warnings, nextCall }, asked));
}

/** Undefined where a session had changed before it was told, so that the ranking may be another by now; `settle` tells it all the same. */
async function searchOnce(
  env: Environment,
  asked: AskedFor,
  limit: number | undefined,
  settle: boolean,
): Promise<Search | undefined> {
  const { best, count, unreadable, scale, wanted, why, isLoose } = await env.register.rank(
    asked,
    limit ?? limits.resumeCandidates,
  );
  // One folder that cannot be read must not hide the others.
  const warnings = unreadable.map(({ sessionId, folder, message }) =>
    sessionId === undefined ? unlistedWarning(folder, message) : unreadableWarning(sessionId, message),
  );
  const told: ResumeCandidate[] = [];
  for (const { place, tier } of best) {
    const { ref } = place.registered;
    const log = env.store.open(ref);
    try {
      const fault = await log.confirm();
      const { holds, candidate } = await log.read(({ state, findings }) => {
        const standing = candidatesOf(log.id, state).find(({ run }) => run?.id === place.facts.runId);
        const now = standing && rankSessions([standing], wanted, scale)[0];
        const own = [
          ...sessionWarnings(findings),
          ...(fault === undefined
            ? []
            : [{ code: 'STORAGE_FAULT', message: `this may not be on disk yet: ${fault.message}` }]),
        ];
        return {
          holds: now?.tier === tier && now.why === why(place) && lastActivity(now) === place.facts.lastActivity,
          candidate: now && tellCandidate(now, sealerFor(env.keys.all(), log.id), own, { ...asked, scale }),
        };
      });
      if (!holds) env.register.forget(ref);
      if (!holds && !settle) return undefined;
      if (candidate !== undefined) told.push(candidate);
    } catch (cause) {
      env.register.forget(ref);
      if (!settle) return undefined;
      warnings.push(unreadableWarning(ref.id, cause instanceof Error ? cause.message : String(cause)));
    }
  }
  return {
    told,
    warnings,
    found: count,
    recentOnly: best[0]?.tier === recencyTier,
    isLoose: best[0] !== undefined && isLoose(best[0].place),
    unknownWords: scale.unknown,
  };
}

const unlistedWarning = (folder: string, why: string): WarningTold => ({
  code: 'SESSION_UNREADABLE',
  message: `the sessions in ${folder} could not be listed: ${why}`,
});

const unreadableWarning = (id: string, why: string): WarningTold => ({
  code: 'SESSION_UNREADABLE',
  message: `session ${id} could not be read: ${why}`,
});

/** A token may name a node besides its place. */
interface AskedFor extends Wanted {
  readonly token?: NamedByToken | undefined;
}

function tellCandidate(
  candidate: Ranked,
  sealer: Sealer,
  warnings: readonly WarningTold[],
  asked: AskedFor & { readonly scale: Scale },
): ResumeCandidate {
  const { session, run, tip, why } = candidate;
  const branch = session.observations.findLast((seen) => seen.branch !== undefined)?.branch;
  const stateToken = tip === undefined ? undefined : sealer.state(tip.id);
  const sessionToken = stateToken === undefined && session.started ? sealer.sessionToken() : undefined;
  const snippet = snippetOf(candidate);
  return defined<ResumeCandidate>({
    sessionId: candidate.sessionId,
    title: session.title,
    runId: run?.id,
    workflowId: run?.started.data.workflowId,
    workflowTitle: run?.started.data.title,
    status: tip !== undefined ? statusAt(session, tip) : run === undefined && session.started ? 'notes' : 'unreadable',
    pending: tip?.pending?.title ?? null,
    ...tellOthers(session, run, tip),
    lastActivity: lastActivity(candidate),
    branch,
    whyMatched: why,
    snippet,
    ...tellFound(candidate, snippet, sealer, asked),
    stateToken,
    sessionToken,
    warnings,
    nextCall: offered(stateToken, sessionToken),
  });
}

/** What else is open there, and what has ended. */
function tellOthers(
  session: FoldedSession,
  run: Run | undefined,
  tip: RunNode | undefined,
): { readonly [F in 'otherBranches' | 'otherRuns']: ResumeCandidate[F] | undefined } {
  if (run === undefined) return { otherBranches: undefined, otherRuns: undefined };
  const counted = (open: readonly boolean[]): { readonly open: number; readonly finished: number } | undefined =>
    open.length === 0
      ? undefined
      : { open: open.filter(Boolean).length, finished: open.filter((isIt) => !isIt).length };
  const tips = [...run.tips].filter((id) => id !== tip?.id).flatMap((id) => session.nodes.get(id) ?? []);
  const runs = [...session.runs.values()].filter(({ id }) => id !== run.id);
  return {
    otherBranches: counted(tips.map(({ pending }) => pending !== undefined)),
    otherRuns: counted(runs.map((other) => isOpen(session, other))),
  };
}

type FoundTold = { readonly [F in 'noted' | 'quotes' | 'otherTip']: ResumeCandidate[F] | undefined };

/** What the snippet does not show: what was left beside the runs, and where the words stand that were asked for. */
function tellFound(
  candidate: Ranked,
  snippet: string,
  sealer: Sealer,
  { query = '', scale, token }: AskedFor & { readonly scale: Scale },
): FoundTold {
  const { session, run, tip } = candidate;
  const { noted } = tip === undefined ? {} : tellNoted(session, tip, { budget: limits.notedFound });
  const beside = noted?.entries.map(({ notes = '' }) => notes) ?? [];
  const shown = [session.title, run?.started.data.title, snippet, ...beside].join('\n');
  const { quotes, closer } = foundWords(candidate, query, scale, shown);
  const named = namedTip(candidate, token);
  const other = named === undefined ? closer : { tip: named, words: [] };
  return {
    noted: noted && { entries: noted.entries, omitted: noted.omitted, policy: noted.policy },
    quotes: quotes.length === 0 ? undefined : quotes,
    otherTip: other && tellOther(session, other.tip, other.words, sealer),
  };
}

/** The node that a token names, where work goes on from another. */
function namedTip({ sessionId, session, tip }: Ranked, token: NamedByToken | undefined): RunNode | undefined {
  if (token?.node === undefined || token.sessionId !== sessionId || token.node === tip?.id) return undefined;
  const node = session.nodes.get(token.node);
  return node?.run === tip?.run ? node : undefined;
}

const tellOther = (
  session: FoldedSession,
  tip: RunNode,
  words: readonly string[],
  sealer: Sealer,
): NonNullable<ResumeCandidate['otherTip']> => ({
  words,
  status: statusAt(session, tip),
  pending: tip.pending?.title ?? null,
  nextCall: { tool: 'continue_workflow', arguments: { stateToken: sealer.state(tip.id) } },
});

function offered(stateToken: string | undefined, sessionToken: string | undefined): ResumeCandidate['nextCall'] {
  if (stateToken !== undefined) return { tool: 'continue_workflow', arguments: { stateToken } };
  if (sessionToken === undefined) return undefined;
  return { tool: 'checkpoint_workflow', arguments: { sessionToken, output: { notesMarkdown: notesHole } } };
}
