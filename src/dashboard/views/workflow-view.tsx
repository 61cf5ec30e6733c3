import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { writeFilter } from '../../contract/session-search.js';
import type { WorkflowDetail } from '../../contract/workflow-answers.js';
import { queries } from '../api/queries.js';
import { useKeys } from '../keys/use-keys.js';
import { NotYet } from '../parts/state-notice.js';
import { Tabs } from '../parts/tabs.js';
import { Link } from '../router/link.js';
import { PlanMap } from '../workflows/plan-map.js';
import { StepPreview } from '../workflows/step-preview.js';
import type { Typed } from '../workflows/start-inputs.js';
import { WorkflowFacts } from '../workflows/workflow-facts.js';
import '../step/step.css';
import { nameTab } from '../waiting/tab-sign.js';
import { SourceText } from '../workflows/source-text.js';
import '../workflows/workflows.css';
import { InCode } from '../parts/in-code.js';

/** One workflow: what it is for, its steps as tracks, what it asks, what is wrong with it, and who runs another version. */
export function WorkflowView({ workflowId }: { readonly workflowId: string }) {
  const asked = useQuery(queries.workflow(workflowId));
  const { data } = asked;
  useEffect(() => {
    if (data !== undefined) nameTab(`${data.workflow.title} · WorkRail`);
    return () => {
      nameTab('WorkRail');
    };
  }, [data]);
  if (data === undefined) return <NotYet asked={asked} what="the workflow" lines={9} />;
  return <Workflow key={workflowId} detail={data} />;
}

const tabs = [
  { name: 'about', title: 'About' },
  { name: 'step', title: 'Step' },
  { name: 'source', title: 'Source' },
] as const;

function Workflow({ detail }: { readonly detail: WorkflowDetail }) {
  const { workflow, steps, hash, source } = detail;
  const [chosen, setChosen] = useState(0);
  const [tab, setTab] = useState<string>('about');
  // Kept here: it is still there for who looks at a step in between.
  const [typed, setTyped] = useState<Typed>(new Map());
  const step = steps[chosen];
  const choose = (index: number): void => {
    setChosen(Math.max(0, Math.min(steps.length - 1, index)));
    setTab('step');
  };
  useKeys('Workflow', [
    { keys: 'ArrowUp ArrowDown', says: 'Move between steps, with the list focused' },
    { keys: 'Enter', says: 'Open the selected step' },
    { keys: 'j', says: 'Next step', run: () => choose(chosen + 1) },
    { keys: 'k', says: 'Previous step', run: () => choose(chosen - 1) },
  ]);
  return (
    <div className={steps.length === 0 ? 'workflow-view without-steps' : 'workflow-view'}>
      <header className="workflow-head">
        <div>
          <h1>{workflow.title}</h1>
          <p className="facts small quiet">
            <code>{workflow.id}</code>
            {workflow.version === undefined ? null : <span>version {workflow.version}</span>}
            <span>{workflow.file}</span>
            {hash === undefined ? null : <span title="Digest of the compiled workflow">{hash.slice(0, 12)}</span>}
            {workflow.kind === 'routine' ? <span className="tag">routine</span> : null}
            {workflow.startable ? null : <span className="tag grave">cannot be started</span>}
            {workflow.tags.map((tag) => (
              <span className="tag" key={tag}>
                {tag}
              </span>
            ))}
          </p>
          <p className="workflow-about">
            <InCode text={workflow.description} />
          </p>
          {workflow.suggestedId === undefined ? null : (
            <p className="small warning">
              Old-style id; rename it to <code>{workflow.suggestedId}</code>.
            </p>
          )}
        </div>
        <Link className="button" to={{ view: 'sessions', query: writeFilter('workflow', workflow.id) }}>
          Sessions with it
        </Link>
      </header>
      {steps.length === 0 ? null : (
        <PlanMap
          detail={detail}
          chosen={chosen}
          onChoose={choose}
          onOpen={() => document.getElementById('step-preview')?.focus()}
        />
      )}
      <div className="workflow-side" tabIndex={0} role="region" aria-label="About the workflow">
        {steps.length === 0 ? (
          <div className="tab-panel">
            <WorkflowFacts detail={detail} typed={typed} onType={setTyped} />
          </div>
        ) : (
          <Tabs label="About the workflow" tabs={tabs} chosen={tab} onChoose={setTab}>
            {tab === 'step' && step !== undefined ? (
              <StepPreview step={step} />
            ) : tab === 'source' ? (
              <SourceText source={source} />
            ) : (
              <WorkflowFacts detail={detail} typed={typed} onType={setTyped} />
            )}
          </Tabs>
        )}
      </div>
    </div>
  );
}
