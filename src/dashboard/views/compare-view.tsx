import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NodesCompared } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { BranchPicker } from '../compare/branch-picker.js';
import { ComparedContext } from '../compare/compared-context.js';
import { ComparedSteps } from '../compare/compared-steps.js';
import { Parting, placeWords } from '../compare/parting.js';
import { useKeys } from '../keys/use-keys.js';
import { Button } from '../parts/button.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { navigate } from '../router/navigate.js';
import '../step/step.css';
import '../compare/compare.css';

export interface CompareViewProps {
  readonly sessionId?: string;
  readonly a?: string;
  readonly b?: string;
}

/** Two nodes of a session beside each other: where their ways parted, what each did since, and what is known at each. */
export function CompareView({ sessionId = '', a = '', b = '' }: CompareViewProps) {
  const chosen = sessionId !== '' && a !== '' && b !== '';
  const asked = useQuery({ ...queries.compared(sessionId, a, b), enabled: chosen });
  const { data } = asked;
  if (!chosen) {
    return (
      <StateNotice kind="empty" title="Choose two branches">
        <p>Open a session with more than one branch, select a step, and press Compare branches above the map.</p>
        {sessionId === '' ? (
          <Link to={{ view: 'sessions' }}>All sessions</Link>
        ) : (
          <Link to={{ view: 'session', sessionId }}>Back to session</Link>
        )}
      </StateNotice>
    );
  }
  if (data === undefined) return <NotYet asked={asked} what="the comparison" lines={9} />;
  return <Compared compared={data} />;
}

function Compared({ compared }: { readonly compared: NodesCompared }) {
  const { sessionId, a, b, steps } = compared;
  const { data: session } = useQuery(queries.session(sessionId));
  const go = (to: { readonly a: string; readonly b: string }): void =>
    navigate({ view: 'compare', sessionId, ...to }, { replace: true });
  const swap = (): void => go({ a: b.nodeId, b: a.nodeId });
  const [marks, setMarks] = useState(true);
  useKeys('Compare', [
    { keys: 'x', says: 'Swap sides', run: swap },
    { keys: 'd', says: 'Mark differences or not', run: () => setMarks((now) => !now) },
  ]);
  return (
    <div className="compare-view">
      <header className="compare-head">
        <h1>Compare branches</h1>
        <Link to={{ view: 'session', sessionId, runId: a.runId, nodeId: a.nodeId }}>Back to session</Link>
        <Button small pressed={marks} onClick={() => setMarks((now) => !now)} title="Mark what is on one side only (d)">
          Mark differences
        </Button>
      </header>
      <div className="pickers">
        {session === undefined ? (
          <p>{placeWords(a)}</p>
        ) : (
          <BranchPicker session={session} label="A" chosen={a} onChoose={(nodeId) => go({ a: nodeId, b: b.nodeId })} />
        )}
        <Button onClick={swap} label="Swap sides">
          ⇄
        </Button>
        {session === undefined ? (
          <p>{placeWords(b)}</p>
        ) : (
          <BranchPicker session={session} label="B" chosen={b} onChoose={(nodeId) => go({ a: a.nodeId, b: nodeId })} />
        )}
      </div>
      {a.nodeId === b.nodeId ? (
        <p className="aside">A and B are the same step. Choose another for one of them.</p>
      ) : (
        <>
          <Parting compared={compared} />
          <h2 className="for-readers-only">Steps since they diverged</h2>
          {steps.length === 0 ? (
            <p className="quiet nothing-done">No steps on either branch since they diverged.</p>
          ) : (
            <ComparedSteps compared={compared} marks={marks} />
          )}
          <section className="compared-context">
            <h2>Context differences</h2>
            <ComparedContext compared={compared} marks={marks} />
          </section>
        </>
      )}
    </div>
  );
}
