import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { usageBrief } from '../../base/usage.js';
import type { RunGraph } from '../../contract/http-api.js';
import { walkList } from '../keys/walk-list.js';
import { Signal } from '../parts/signal.js';
import { branchesOf } from './branch-numbers.js';
import { groupWords } from './group-words.js';
import { layTracks, type TrackLayout } from './lay-tracks.js';
import { type ListLine, listLines } from './list-lines.js';
import { doesAt, isAhead, mapNodes } from './map-nodes.js';
import { nodeWords } from './node-words.js';
import { stepTook } from './step-took.js';

export interface TrackListProps {
  readonly graph: RunGraph;
  readonly selected: string | undefined;
  readonly onSelect: (nodeId: string) => void;
  readonly onOpen: () => void;
}

const lineHeight = 32;
const headingHeight = 26;
const idOf = (place: number): string => `line-${place}`;

/** The map in lines: branch after branch, each from where it parts to its tip, and what is still to come. */
export function TrackList({ graph, selected, onSelect, onOpen }: TrackListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const layout = useMemo(() => {
    const { nodes, tips } = mapNodes(graph);
    return layTracks(nodes, tips);
  }, [graph]);
  const lines = useMemo(() => listLines(graph, layout), [graph, layout]);
  const steps = useMemo(
    () => lines.flatMap((line, index) => (line.kind === 'step' ? [{ ...line, index }] : [])),
    [lines],
  );
  // What is still to come can be walked through and has nothing to open.
  const [walked, setWalked] = useState<string>();
  const shown = walked !== undefined && layout.indexOf.has(walked) ? walked : selected;
  const chosen = useMemo(() => steps.findIndex(({ node }) => layout.nodes[node]?.id === shown), [steps, layout, shown]);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? headingHeight : lineHeight),
    overscan: 15,
  });
  const opened = useRef({ rows, index: steps[chosen]?.index ?? 0 });
  useEffect(() => {
    if (opened.current.index > 0) opened.current.rows.scrollToIndex(opened.current.index, { align: 'center' });
  }, []);
  const choose = (node: number): void => {
    const told = layout.nodes[node];
    if (told === undefined) return;
    setWalked(isAhead(told) ? told.id : undefined);
    if (!isAhead(told)) onSelect(told.id);
  };
  const press = (event: KeyboardEvent): void =>
    walkList(event, {
      at: chosen,
      count: steps.length,
      page: Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / lineHeight) - 1),
      onMove: (to) => {
        const line = steps[to];
        if (line === undefined) return;
        rows.scrollToIndex(line.index, { align: 'auto' });
        choose(line.node);
      },
      onOpen,
    });
  return (
    <div
      ref={frame}
      className="track-list"
      role="listbox"
      tabIndex={0}
      aria-label={`Steps of ${graph.run.workflow.title}, by branch`}
      aria-activedescendant={chosen < 0 ? undefined : idOf(chosen + 1)}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const place = { transform: `translateY(${start}px)` };
          return line.kind === 'group' ? (
            <div
              key={`${line.node} ${line.group}`}
              className={line.first && index > 0 ? 'track-line-group first' : 'track-line-group'}
              aria-hidden="true"
              style={{ ...place, paddingLeft: indent(line.level) }}
            >
              {groupTold(graph, line.group)}
            </div>
          ) : (
            <StepLine
              key={layout.nodes[line.node]?.id}
              graph={graph}
              layout={layout}
              line={line}
              index={index}
              measure={rows.measureElement}
              count={steps.length}
              isChosen={line.place === chosen + 1}
              style={place}
              onChoose={choose}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Deeper than this, and the room is for words. */
const deepest = 3;
const indent = (level: number): string => `calc(var(--s4) + ${28 + Math.min(level, deepest) * 12}px)`;

const groupTold = ({ groups }: Pick<RunGraph, 'groups'>, group: number): string => {
  const told = groups[group];
  return told === undefined ? '' : groupWords(told);
};

interface StepLineProps {
  readonly graph: RunGraph;
  readonly layout: TrackLayout;
  readonly line: Extract<ListLine, { readonly kind: 'step' }>;
  readonly index: number;
  /** On a narrow page what is known of a step takes more than one line. */
  readonly measure: (element: HTMLElement | null) => void;
  readonly count: number;
  readonly isChosen: boolean;
  readonly style: { readonly transform: string };
  readonly onChoose: (node: number) => void;
}

function StepLine({ graph, layout, line, index, measure, count, isChosen, style, onChoose }: StepLineProps) {
  const { level, opens, place } = line;
  const node = layout.nodes[line.node];
  if (node === undefined) return null;
  const { title, marks } = nodeWords(graph, node);
  const took = stepTook(layout, line.node);
  const used = node.usage && usageBrief(node.usage);
  const spent = [took, used].filter((part) => part !== undefined && part !== '').join(' · ');
  const toCome = isAhead(node);
  const isCommand = doesAt(graph, node) !== undefined;
  const branch = branchesOf(graph).get(node.id);
  return (
    <div
      ref={measure}
      data-index={index}
      id={idOf(place)}
      role="option"
      aria-selected={isChosen}
      aria-setsize={count}
      aria-posinset={place}
      tabIndex={-1}
      className={['track-line-item', line.first && place > 1 && 'first', toCome && 'to-come'].filter(Boolean).join(' ')}
      style={style}
      onClick={() => onChoose(line.node)}
    >
      <span className={node.onWay === true ? 'branch-number main' : 'branch-number'}>
        <span className="for-readers-only">
          {opens.length === 0 ? '' : `${opens.map((group) => groupTold(graph, group)).join(', ')}: `}
          {toCome ? 'To come ' : 'Branch '}
        </span>
        {toCome ? null : branch}
      </span>
      {level === 0 ? null : <span className="level" style={{ width: Math.min(level, deepest) * 12 - 12 }} />}
      {node.tip === true ? (
        <Signal status={node.status ?? 'in_progress'} silent />
      ) : (
        <span className={isCommand ? 'stop-mark command' : 'stop-mark'} aria-hidden="true" />
      )}
      <span className="one-line">{title}</span>
      {spent === '' ? null : <span className="small quiet took">{spent}</span>}
      {graph.run.longest?.nodeId === node.id ? <span className="small warning">longest step</span> : null}
      {marks.map(({ text, tone }) => (
        <span key={text} className={`small ${tone}`}>
          {text}
        </span>
      ))}
    </div>
  );
}
