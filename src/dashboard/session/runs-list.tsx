import { longestWords } from '../../contract/longest-words.js';
import { msBetween, tookWords } from '../../base/time-spent.js';
import { usageWords } from '../../base/usage.js';
import type { SessionHead } from '../../contract/session-story.js';
import { stepNumber } from '../../base/step-number.js';
import { branchesOpen } from '../../base/branches-open.js';
import { visibleTitle } from '../../render/visible-text.js';
import { ModeName } from '../preferences/mode-name.js';
import { Signal } from '../parts/signal.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import { givenTo } from './session-name.js';
import { standingRun } from './standing-run.js';

/** A run shorter than this, in milliseconds, has one time. */
const shortly = 60_000;

/** The runs of a session, in the order they were started. */
export function RunsList({ session, chosen }: { readonly session: SessionHead; readonly chosen: string | undefined }) {
  const standing = standingRun(session);
  return (
    <nav aria-label="Runs" className="runs-list">
      <h2 className="kicker">{session.runs.length === 1 ? 'Run' : `${session.runs.length} runs`}</h2>
      <ol>
        {session.runs.map((run) => (
          <li key={run.runId}>
            <Link
              to={{ view: 'session', sessionId: session.sessionId, runId: run.runId, nodeId: run.preferredTip }}
              aria-current={run.runId === chosen ? 'true' : undefined}
            >
              <span className="run-title">{visibleTitle(run.workflow.title)}</span>
              <code className="small quiet one-line">{run.workflow.id}</code>
              {givenTo(run) === undefined ? null : (
                <span className="small one-line" title={givenTo(run)}>
                  {givenTo(run)}
                </span>
              )}
              <span className="run-stands">
                <Signal status={run.status} />
                {run === standing &&
                (run.status === 'in_progress' || run.status === 'blocked') &&
                session.runs.length > 1 ? (
                  <span className="tag waiting">waits</span>
                ) : null}
              </span>
              {run.pending === null ? null : (
                <>
                  <span className="quiet small one-line">{visibleTitle(run.pending)}</span>
                  {run.stepNumber === undefined ? null : (
                    <span className="quiet small">{stepNumber(run.stepNumber, run.stepsAbout)}</span>
                  )}
                  <span className="quiet small">
                    Mode: <ModeName preferences={run.preferences} />
                  </span>
                </>
              )}
              <span className="quiet small">
                {run.branches === 1 ? '1 branch' : `${run.branches} branches`},{' '}
                {run.nodes === 1 ? '1 step' : `${run.nodes} steps`}
                {run.pending === null ? branchesOpen(run.openBranches) : ''}
                {run.openGaps > 0 ? (
                  <span className="warning">, {run.openGaps === 1 ? '1 open gap' : `${run.openGaps} open gaps`}</span>
                ) : null}
              </span>
              <span className="quiet small">
                <TimeTold at={run.startedAt} />
                {Date.parse(run.lastAt) - Date.parse(run.startedAt) < shortly ? null : (
                  <>
                    {' – '}
                    <TimeTold at={run.lastAt} />
                    <br />
                    {tookWords(msBetween(run.startedAt, run.lastAt), run.waited ?? 0)}
                  </>
                )}
              </span>
              {run.usage === undefined ? null : (
                <span className="quiet small">Used {visibleTitle(usageWords(run.usage))}</span>
              )}
            </Link>
            {run.longest === undefined || run.runId !== chosen ? null : (
              <Link
                to={{
                  view: 'session',
                  sessionId: session.sessionId,
                  runId: run.runId,
                  nodeId: run.longest.nodeId,
                }}
                className="longest-step small"
              >
                Longest step: {visibleTitle(longestWords(run.longest))}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
