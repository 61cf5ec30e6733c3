import { useQueries } from '@tanstack/react-query';
import { useId } from 'react';
import type { NodeRef, RunGraph } from '../../contract/http-api.js';
import type { SessionHead } from '../../contract/session-story.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { nodeWords } from '../graph/node-words.js';

export interface BranchPickerProps {
  readonly session: SessionHead;
  readonly label: string;
  readonly chosen: NodeRef;
  readonly onChoose: (nodeId: string) => void;
}

/** More runs than this are asked for only when they are chosen in their own view. */
const runsOffered = 12;

/** Every tip of the session's runs, and what is compared now where that is no tip. */
export function BranchPicker({ session, label, chosen, onChoose }: BranchPickerProps) {
  const field = useId();
  const newest = session.runs.slice(-runsOffered);
  const own = session.runs.find(({ runId }) => runId === chosen.runId);
  const runs = own === undefined || newest.includes(own) ? newest : [own, ...newest];
  const graphs = useQueries({ queries: runs.map(({ runId }) => queries.run(session.sessionId, runId)) }).flatMap(
    ({ data }) => (data === undefined ? [] : [data]),
  );
  const isTip = graphs.some(({ tips }) => tips.includes(chosen.nodeId));
  return (
    <div className="field branch-picker">
      <label htmlFor={field}>{label}</label>
      <select id={field} value={chosen.nodeId} onChange={(event) => onChoose(event.target.value)}>
        {isTip ? null : <option value={chosen.nodeId}>{visibleTitle(chosen.title ?? 'The end of the run')}</option>}
        {graphs.map((graph, index) => (
          <optgroup
            key={graph.run.runId}
            label={visibleTitle(
              graphs.length === 1 ? graph.run.workflow.title : `Run ${index + 1}: ${graph.run.workflow.title}`,
            )}
          >
            {graph.tips.map((tip, place) => (
              <option key={tip} value={tip}>
                {branchWords(graph, tip, place)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

function branchWords(graph: RunGraph, tip: string, place: number): string {
  const node = graph.nodes.find(({ id }) => id === tip);
  const title = node === undefined ? tip : nodeWords(graph, node).title;
  return visibleTitle(
    `Branch ${place + 1}: ${node?.step === undefined ? title : `waits at ${title}`}${place === 0 ? ' (preferred)' : ''}`,
  );
}
