import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { RunGraph, StepDetail as StepTold } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { NotYet } from '../parts/state-notice.js';
import { Tabs } from '../parts/tabs.js';
import { ContextTab } from './context-tab.js';
import { DocumentsTab } from './documents-tab.js';
import { PromptTab } from './prompt-tab.js';
import { StepHeader, titleOf } from './step-header.js';
import { StepTab } from './step-tab.js';
import { toldOnce } from './told-once.js';
import { useFresh } from './use-fresh.js';
import { useHeld } from './use-held.js';
import { whatChanged } from './what-changed.js';
import './step.css';

export interface StepDetailProps {
  readonly graph: RunGraph;
  readonly nodeId: string;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  readonly onSelect: (nodeId: string) => void;
  /** Why nothing can be added to the session. */
  readonly closed: string | undefined;
}

function onceTold(detail: StepTold): StepTold {
  const { blocks, openGaps } = toldOnce(detail);
  return { ...detail, openGaps, node: { ...detail.node, blocks } };
}

const tabs = [
  { name: 'step', title: 'Step' },
  { name: 'prompt', title: 'Prompt' },
  { name: 'context', title: 'Context' },
  { name: 'documents', title: 'Documents' },
] as const;

/** Every tab but the first. */
function tabOf(chosen: string, detail: StepTold): ReactNode {
  if (chosen === 'prompt') return <PromptTab detail={detail} />;
  if (chosen === 'context') return <ContextTab detail={detail} />;
  return chosen === 'documents' ? <DocumentsTab detail={detail} /> : undefined;
}

/** Everything about the chosen step. */
export function StepDetail({ graph, nodeId, tab, onTab, onSelect, closed }: StepDetailProps) {
  const { sessionId } = graph;
  const asked = useQuery({ ...queries.step(sessionId, nodeId), placeholderData: keepPreviousData });
  const fresh = useFresh(nodeId, asked);
  const { value, isNewer, show } = useHeld(nodeId, fresh);
  // What WorkRail does itself goes on by itself, and is looked at to see it go on.
  const isLive = fresh?.node.pending?.does !== undefined;
  const detail = (isLive ? fresh : value) ?? asked.data;
  const panel = useRef<HTMLElement>(null);
  const shownId = detail?.node.nodeId;
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
  }, [shownId, tab]);
  if (detail === undefined) return <NotYet asked={asked} what="the step" lines={7} place="here" />;
  // What is read may stay as it was; how the step stands is told as it is now, or not at all.
  const waits = fresh !== undefined && fresh.node.pending !== undefined && fresh.done.length === 0;
  const chosen = tabs.some(({ name }) => name === tab) ? tab : 'step';
  return (
    <div className="step-panel">
      <article
        ref={panel}
        className="step-detail"
        aria-label={`Step: ${titleOf(detail)}`}
        id="step-detail"
        tabIndex={-1}
        aria-busy={fresh === undefined}
      >
        <StepHeader
          detail={detail}
          standing={fresh?.node}
          waits={waits && !isLive && chosen === 'step'}
          closed={closed}
        />
        <Tabs label="About the step" tabs={tabs} chosen={chosen} onChoose={onTab}>
          {tabOf(chosen, detail) ?? (
            <StepTab
              detail={onceTold(detail)}
              standing={waits && !isLive ? fresh.node : undefined}
              goneOn={fresh !== undefined && fresh.done.length > 0}
              onSelect={onSelect}
              onWritten={show}
              closed={closed}
            />
          )}
        </Tabs>
      </article>
      {isNewer && !isLive ? (
        <button type="button" className="news-pill floating" onClick={show}>
          {fresh === undefined ? 'This step was updated' : whatChanged(detail, fresh)}
        </button>
      ) : null}
    </div>
  );
}
