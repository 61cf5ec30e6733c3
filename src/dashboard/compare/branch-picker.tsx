import { useQueries } from '@tanstack/react-query';
import { useId } from 'react';
import type { NodeRef, RunGraph } from '../../contract/http-api.js';
import type { SessionHead } from '../../contract/session-story.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { branchesOf } from '../graph/branch-numbers.js';
import { nodeWords } from '../graph/node-words.js';
import { useTimeWords } from '../parts/time-told.js';

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
  const when = useTimeWords();
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
            {inOrder(graph).map((tip) => (
              <option key={tip} value={tip}>
                {branchWords(graph, tip, when)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </div>
  );
}

const inOrder = (graph: RunGraph): readonly string[] =>
  graph.tips.toSorted((a, b) => (branchesOf(graph).get(a) ?? 0) - (branchesOf(graph).get(b) ?? 0));

/** By its number, where it stands and since when. */
function branchWords(graph: RunGraph, tip: string, when: (at: string) => string): string {
  const node = graph.nodes.find(({ id }) => id === tip);
  const title = node === undefined ? tip : nodeWords(graph, node).title;
  const since =
    node === undefined ? '' : `, ${when(new Date(Date.parse(graph.run.startedAt) + node.at).toISOString())}`;
  const number = branchesOf(graph).get(tip);
  const branch = graph.tips.length < 2 || number === undefined ? '' : `Branch ${number}: `;
  return visibleTitle(
    `${branch}${node?.step === undefined ? title : `At ${title}`}${since}${tip === graph.run.preferredTip ? ' (preferred)' : ''}`,
  );
}
