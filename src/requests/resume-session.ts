import { limits } from '../base/limits.js';
import type { Rejection } from '../base/rejection.js';
import { ok, type Result } from '../base/result.js';
import type { ResumeCandidate, WarningTold } from '../contract/answer.js';
import type { Reply } from '../contract/reply.js';
import type { RequestOf } from '../contract/request-schemas.js';
import type { Finding } from '../log/finding.js';
import type { SessionLog } from '../log/session-log.js';
import { resumeReply } from '../respond/resume-reply.js';
import { notesHole } from '../respond/notes-hole.js';
import { type Sealer, sealerFor } from '../respond/sealer.js';
import type { FoldedSession } from '../sessions/folded-session.js';
import { type Candidate, candidatesOf, lastActivity, type Ranked, rankSessions, recencyTier, snippetOf } from '../sessions/rank-sessions.js';
import { statusAt } from '../sessions/run-status.js';
import type { Environment } from './environment.js';
import { sessionWarnings } from './session-warnings.js';

interface Met {
  readonly log: SessionLog<FoldedSession>;
  readonly findings: readonly Finding[];
}

/** Finds where earlier work stands. Reads every session here, appends nothing. */
export async function resumeSession(env: Environment, request: RequestOf<'resume_session'>): Promise<Result<Reply, Rejection>> {
  const met = new Map<string, Met>();
  const candidates: Candidate[] = [];
  const unread: WarningTold[] = [];
  for (const ref of await env.store.list()) {
    const log = env.store.open(ref);
    try {
      const { state, findings } = await log.read();
      met.set(log.id, { log, findings });
      if (state.started || state.lastAt !== '' || findings.length > 0) candidates.push(...candidatesOf(log.id, state));
    } catch (cause) {
      // One folder that cannot be read must not hide the others.
      unread.push({ code: 'SESSION_UNREADABLE', message: `session ${ref.id} could not be read: ${cause instanceof Error ? cause.message : String(cause)}` });
    }
  }
  const ranked = rankSessions(candidates, request);
  const best = ranked.slice(0, request.limit ?? limits.resumeCandidates);
  const told: ResumeCandidate[] = [];
  for (const candidate of best) {
    const known = met.get(candidate.sessionId);
    if (known === undefined) continue;
    const fault = await known.log.makeDurable();
    const warnings = [...sessionWarnings(known.findings), ...(fault === undefined ? [] : [{ code: 'STORAGE_FAULT', message: `what is shown may not be on disk yet: ${fault.message}` }])];
    told.push(tellCandidate(candidate, sealerFor(env.keys.all(), candidate.sessionId), warnings));
    env.sessions.note(known.log);
  }
  const first = told[0];
  const asked = [request.query, request.gitBranch, request.gitHead, request.sessionId].filter((part) => part !== undefined).join(', ');
  const found = asked !== '' && ranked[0]?.tier === recencyTier ? 0 : ranked.length;
  return ok(
    resumeReply(
      {
        candidates: told,
        found,
        warnings: unread,
        nextCall: first?.nextCall === undefined || found === 0 ? { tool: 'list_workflows', arguments: {} } : first.nextCall,
      },
      asked,
    ),
  );
}

function tellCandidate(candidate: Ranked, sealer: Sealer, warnings: readonly WarningTold[]): ResumeCandidate {
  const { session, run, tip, why } = candidate;
  const branch = session.observations.findLast((seen) => seen.branch !== undefined)?.branch;
  const stateToken = tip === undefined ? undefined : sealer.state(tip.id);
  const sessionToken = stateToken === undefined && session.started ? sealer.sessionToken() : undefined;
  return {
    sessionId: candidate.sessionId,
    ...(session.title !== undefined && { title: session.title }),
    ...(run !== undefined && { runId: run.id, workflowId: run.started.data.workflowId, workflowTitle: run.started.data.title }),
    status: tip !== undefined ? statusAt(session, tip) : run === undefined && session.started ? 'notes' : 'unreadable',
    pending: tip?.pending?.title ?? null,
    lastActivity: lastActivity(candidate),
    ...(branch !== undefined && { branch }),
    whyMatched: why,
    snippet: snippetOf(candidate),
    ...(stateToken !== undefined && { stateToken }),
    ...(sessionToken !== undefined && { sessionToken }),
    warnings,
    ...offered(stateToken, sessionToken),
  };
}

function offered(stateToken: string | undefined, sessionToken: string | undefined): Pick<ResumeCandidate, 'nextCall'> {
  if (stateToken !== undefined) return { nextCall: { tool: 'continue_workflow', arguments: { stateToken } } };
  if (sessionToken !== undefined) return { nextCall: { tool: 'checkpoint_workflow', arguments: { sessionToken, output: { notesMarkdown: notesHole } } } };
  return {};
}
