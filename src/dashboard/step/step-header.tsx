import { stepNumber } from '../../base/step-number.js';
import type { ResumeWords, StepDetail } from '../../contract/http-api.js';
import { visibleTitle } from '../../render/visible-text.js';
import { address } from '../api/address.js';
import { ask } from '../api/ask.js';
import { CopyButton } from '../parts/copy-button.js';
import { Signal } from '../parts/signal.js';
import { writeRoute } from '../router/route.js';

export const titleOf = ({ node }: Pick<StepDetail, 'node'>): string =>
  visibleTitle(node.pending?.title ?? 'The end of the run');

export interface StepHeaderProps {
  readonly detail: StepDetail;
  /** The same node as it is now; absent while that is not known. */
  readonly standing: StepDetail['node'] | undefined;
  /** How to go on here is said below. */
  readonly waits: boolean;
  /** Why nothing can be added to the session. */
  readonly closed: string | undefined;
}

/** Which step it is, and where it stands on the tracks. */
export function StepHeader({ detail, standing, waits, closed }: StepHeaderProps) {
  const { node, run, sessionId } = detail;
  const resume = (): Promise<ResumeWords> =>
    ask<ResumeWords>(address(['sessions', sessionId, 'resume'], { node: node.nodeId }));
  const link = writeRoute({ view: 'session', sessionId, runId: run.runId, nodeId: node.nodeId });
  return (
    <header>
      <div className="step-title">
        <h2>{titleOf(detail)}</h2>
        <div className="step-actions">
          <CopyButton text={`${window.location.origin}${link}`} label="Copy link to this step">
            Copy link
          </CopyButton>
          {waits || closed !== undefined ? null : (
            <>
              <CopyButton text={async () => (await resume()).words}>Copy prompt for your agent</CopyButton>
              <CopyButton text={async () => (await resume()).command}>Copy command</CopyButton>
            </>
          )}
        </div>
      </div>
      {waits || closed !== undefined ? null : <p className="quiet small resume-says">{resumeSays(node)}</p>}
      <p className="quiet small facts">
        {standing === undefined ? null : <Standing node={standing} branch={detail.branch} />}
        {standing?.isTip === true && standing.pending ? (
          <span>{stepNumber(standing.depth + 1, detail.stepsAbout)}</span>
        ) : null}
        {node.pending === undefined ? null : <code>{node.pending.path}</code>}
      </p>
    </header>
  );
}

/** What an agent that is sent here will do. */
const resumeSays = ({ pending, children }: StepDetail['node']): string =>
  pending?.does !== undefined
    ? 'WorkRail does this step itself. The prompt and the command show an agent where the run stands.'
    : pending === undefined
      ? 'The prompt and the command open the finished run: an agent can read it or add a checkpoint.'
      : children.length > 0
        ? 'The prompt and the command go back to this step. Doing it again starts a new branch; nothing recorded changes.'
        : 'The prompt and the command continue at this step.';

function Standing({ node, branch }: { readonly node: StepDetail['node']; readonly branch: number | undefined }) {
  return (
    <>
      {node.isTip || node.status === 'blocked' ? (
        <Signal status={node.status} />
      ) : (
        <span>{`Step ${node.depth + 1} of ${branch === undefined ? 'the run' : `branch ${branch}`}`}</span>
      )}
      {node.isPreferredTip ? (
        <span className="tag waiting">preferred tip</span>
      ) : node.isTip ? (
        <span className="tag">{branch === undefined ? 'tip' : `tip of branch ${branch}`}</span>
      ) : null}
      {node.children.length > 1 ? <span className="tag">{node.children.length} branches start here</span> : null}
    </>
  );
}
