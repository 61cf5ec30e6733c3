import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { tookWords } from '../../base/time-spent.js';
import { usageBrief } from '../../base/usage.js';
import type { RunGraph } from '../../contract/http-api.js';
import { walkList } from '../keys/walk-list.js';
import { Signal } from '../parts/signal.js';
import { layTracks, type TrackLayout } from './lay-tracks.js';
import { nodeWords } from './node-words.js';

export interface TrackListProps {
  readonly graph: RunGraph;
  readonly selected: string | undefined;
  readonly onSelect: (nodeId: string) => void;
  readonly onOpen: () => void;
}

interface Line {
  readonly node: number;
  /** Of its branch, counted as they are listed. */
  readonly branch: number;
  readonly first: boolean;
}

const lineHeight = 32;

/** The map in lines: branch after branch, each from where it parts to its tip. */
export function TrackList({ graph, selected, onSelect, onOpen }: TrackListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => layTracks(graph.nodes, graph.tips), [graph]);
  const lines = useMemo(() => linesOf(layout), [layout]);
  const chosen = useMemo(
    () => lines.findIndex(({ node }) => layout.nodes[node]?.id === selected),
    [lines, layout, selected],
  );
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => lineHeight,
    overscan: 15,
  });
  const opened = useRef({ rows, chosen });
  useEffect(() => {
    if (opened.current.chosen > 0) opened.current.rows.scrollToIndex(opened.current.chosen, { align: 'center' });
  }, []);
  const press = (event: KeyboardEvent): void =>
    walkList(event, {
      at: chosen,
      count: lines.length,
      page: Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / lineHeight) - 1),
      onMove: (to) => {
        const id = layout.nodes[lines[to]?.node ?? -1]?.id;
        rows.scrollToIndex(to, { align: 'auto' });
        if (id !== undefined) onSelect(id);
      },
      onOpen,
    });
  const idOf = (index: number): string => `line-${index}`;
  return (
    <div
      ref={frame}
      className="track-list"
      role="listbox"
      tabIndex={0}
      aria-label={`Steps of ${graph.run.workflow.title}, by branch`}
      aria-activedescendant={chosen < 0 ? undefined : idOf(chosen)}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          const node = line === undefined ? undefined : layout.nodes[line.node];
          if (line === undefined || node === undefined) return null;
          const { title, marks } = nodeWords(graph, node);
          return (
            <div
              key={node.id}
              id={idOf(index)}
              role="option"
              aria-selected={index === chosen}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              tabIndex={-1}
              className={line.first && index > 0 ? 'track-line-item first' : 'track-line-item'}
              style={{ transform: `translateY(${start}px)`, height: lineHeight }}
              onClick={() => onSelect(node.id)}
            >
              <span className={node.onWay === true ? 'branch-number main' : 'branch-number'}>
                <span className="for-readers-only">Branch </span>
                {line.branch}
              </span>
              {node.tip === true ? (
                <Signal status={node.status ?? 'in_progress'} silent />
              ) : (
                <span className="stop-mark" aria-hidden="true" />
              )}
              <span className="one-line">{title}</span>
              <StepTook layout={layout} index={line.node} longest={graph.run.longest?.nodeId === node.id} />
              {marks.map(({ text, tone }) => (
                <span key={text} className={`small ${tone}`}>
                  {text}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface StepTookProps {
  readonly layout: TrackLayout;
  readonly index: number;
  readonly longest: boolean;
}

/** From the step being given until it was first done, and what it used; what is waited for a person is told apart. */
function StepTook({ layout, index, longest }: StepTookProps) {
  const { nodes, children } = layout;
  const node = nodes[index];
  const done = (children[index] ?? []).flatMap((child) => nodes[child]?.at ?? []);
  if (node === undefined || done.length === 0) return null;
  const took = tookWords(Math.max(0, Math.min(...done) - node.at), node.waited ?? 0);
  const used = node.usage && usageBrief(node.usage);
  return (
    <>
      <span className="small quiet took">{[took, used].filter((part) => part !== undefined).join(' · ')}</span>
      {longest ? <span className="small warning">longest step</span> : null}
    </>
  );
}

function linesOf(layout: TrackLayout): readonly Line[] {
  const { nodes, heir, children } = layout;
  const lines: Line[] = [];
  const open = nodes.flatMap(({ up }, index) => (up === undefined ? [index] : [])).toReversed();
  let branch = 0;
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    branch += 1;
    const leaving: number[] = [];
    for (let node = start; node >= 0; node = heir[node] ?? -1) {
      lines.push({ node, branch, first: node === start });
      for (const child of children[node] ?? []) if (child !== heir[node]) leaving.push(child);
    }
    open.push(...leaving.toReversed());
  }
  return lines;
}
