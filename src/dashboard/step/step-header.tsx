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
}

/** Which step it is, and where it stands on the tracks. */
export function StepHeader({ detail, standing, waits }: StepHeaderProps) {
  const { node, run, sessionId } = detail;
  const link = writeRoute({ view: 'session', sessionId, runId: run.runId, nodeId: node.nodeId });
  return (
    <header>
      <div className="step-title">
        <h2>{titleOf(detail)}</h2>
        <div className="step-actions">
          <CopyButton text={`${window.location.origin}${link}`}>Copy link to this step</CopyButton>
          {waits ? null : (
            <CopyButton
              text={async () =>
                (await ask<ResumeWords>(address(['sessions', sessionId, 'resume'], { node: node.nodeId }))).command
              }
              label="Copy the command that goes on from this step"
            >
              Copy resume command
            </CopyButton>
          )}
        </div>
      </div>
      <p className="quiet small facts">
        {standing === undefined ? null : <Standing node={standing} />}
        {standing?.isTip === true && standing.pending ? (
          <span>{stepNumber(standing.depth + 1, detail.stepsAbout)}</span>
        ) : null}
        {node.pending === undefined ? null : <code>{node.pending.path}</code>}
      </p>
    </header>
  );
}

function Standing({ node }: { readonly node: StepDetail['node'] }) {
  return (
    <>
      {node.isTip || node.status === 'blocked' ? (
        <Signal status={node.status} />
      ) : (
        <span>Step {node.depth + 1} of its branch</span>
      )}
      {node.isPreferredTip ? (
        <span className="tag waiting">preferred tip</span>
      ) : node.isTip ? (
        <span className="tag">tip</span>
      ) : null}
      {node.children.length > 1 ? <span className="tag">{node.children.length} branches part here</span> : null}
    </>
  );
}
