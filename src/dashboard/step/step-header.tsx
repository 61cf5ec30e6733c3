import type { ResumeWords, StepDetail } from '../../contract/http-api.js';
import { visibleTitle } from '../../render/visible-text.js';
import { address } from '../api/address.js';
import { ask } from '../api/ask.js';
import { CopyButton } from '../parts/copy-button.js';
import { Signal } from '../parts/signal.js';

export const titleOf = ({ node }: Pick<StepDetail, 'node'>): string =>
  visibleTitle(node.pending?.title ?? 'The end of the run');

export interface StepHeaderProps {
  readonly detail: StepDetail;
  /** How to go on here is said below. */
  readonly waits: boolean;
}

/** Which step it is, and where it stands on the tracks. */
export function StepHeader({ detail, waits }: StepHeaderProps) {
  const { node, sessionId } = detail;
  return (
    <header>
      <div className="step-title">
        <h2>{titleOf(detail)}</h2>
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
      <p className="quiet small facts">
        {node.isTip || node.status === 'blocked' ? (
          <Signal status={node.status} />
        ) : (
          <span>Stop {node.depth + 1} of its branch</span>
        )}
        {node.isPreferredTip ? (
          <span className="tag waiting">preferred tip</span>
        ) : node.isTip ? (
          <span className="tag">tip</span>
        ) : null}
        {node.children.length > 1 ? <span className="tag">{node.children.length} branches part here</span> : null}
        {node.pending === undefined ? null : <code>{node.pending.path}</code>}
      </p>
    </header>
  );
}
