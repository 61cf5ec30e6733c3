import { type KeyboardEvent, useMemo, useRef } from 'react';
import type { WorkflowDetail } from '../../contract/workflow-answers.js';
import { visibleTitle } from '../../render/visible-text.js';
import { walkList } from '../keys/walk-list.js';
import { drawPlan, stopX } from './draw-plan.js';
import { planTracks } from './plan-tracks.js';
import { readJson } from '../api/read-json.js';
import { stepMarks } from './step-marks.js';

export interface PlanMapProps {
  readonly detail: WorkflowDetail;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
  readonly onOpen: () => void;
}

/** The steps of a workflow as a railway before any train: the line, its sidings and its loops. */
export function PlanMap({ detail, chosen, onChoose, onOpen }: PlanMapProps) {
  const list = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => planTracks(detail), [detail]);
  const drawing = useMemo(() => drawPlan(rows), [rows]);
  const press = (event: KeyboardEvent): void =>
    walkList(event, {
      at: chosen,
      count: rows.length,
      onMove: (index) => {
        onChoose(index);
        list.current?.querySelector(`[data-step="${index}"]`)?.scrollIntoView({ block: 'nearest' });
      },
      onOpen,
    });
  return (
    <div
      ref={list}
      className="plan-map"
      role="listbox"
      tabIndex={0}
      aria-label={`Steps of ${detail.workflow.title}`}
      aria-activedescendant={`plan-${chosen}`}
      onKeyDown={press}
    >
      <svg className="plan-tracks" width="100%" height={drawing.height} aria-hidden="true">
        {drawing.groups.map(({ x, y, height }) => (
          <rect key={`${x} ${y}`} className="plan-group" x={x} y={y + 3} width={4000} height={height - 6} rx="4" />
        ))}
        {(['sleepers', 'rails', 'gap'] as const).map((layer) => (
          <g key={layer} className={layer}>
            {drawing.tracks.map(({ path, kind }) => (
              <path key={`${kind} ${path}`} className={kind} d={path} />
            ))}
          </g>
        ))}
        {drawing.arrows.map(({ x, y }) => (
          <path key={`${x} ${y}`} className="plan-arrow" d={`M${x - 5} ${y + 4}L${x} ${y - 5}L${x + 5} ${y + 4}Z`} />
        ))}
        {drawing.stops.map(({ x, y, index, kind }) => (
          <g key={index} className={index === chosen ? `plan-stop ${kind} chosen` : `plan-stop ${kind}`}>
            {index === chosen ? <circle className="ring" cx={x} cy={y} r="11" /> : null}
            {kind === 'loop' ? (
              <path d={`M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`} />
            ) : kind === 'group' ? (
              <rect x={x - 5} y={y - 5} width="10" height="10" rx="2" />
            ) : kind === 'run' ? (
              <path d={`M${x - 4.5} ${y - 6}L${x + 6.5} ${y}L${x - 4.5} ${y + 6}Z`} />
            ) : kind === 'fail' ? (
              <path d={`M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x + 5} ${y - 5}L${x - 5} ${y + 5}`} />
            ) : (
              <circle cx={x} cy={y} r="5.5" />
            )}
          </g>
        ))}
        <path className="plan-end" d={`M${drawing.end.x - 9} ${drawing.end.y}h18`} />
      </svg>
      {rows.map((row) => {
        const step = detail.steps[row.index];
        const condition = readJson.text(step, 'if');
        const goes = readJson.text(step, 'goes') ?? readJson.text(step, 'run') ?? readJson.text(step, 'fail');
        return (
          <div
            key={row.index}
            id={`plan-${row.index}`}
            data-step={row.index}
            role="option"
            aria-selected={row.index === chosen}
            tabIndex={-1}
            className="plan-row"
            style={{ top: drawing.tops[row.index], paddingLeft: stopX(row) + 24 }}
            onClick={() => onChoose(row.index)}
          >
            <span className="one-line plan-title">
              {visibleTitle(readJson.text(step, 'title') ?? readJson.text(step, 'stepId') ?? '')}
              {stepMarks(step).map(({ text, tone }) => (
                <span key={text} className={`small ${tone}`}>
                  {text}
                </span>
              ))}
            </span>
            {condition === undefined && goes === undefined ? null : (
              <span
                className="one-line small quiet"
                title={[goes, condition].filter((part) => part !== undefined).join('; ')}
              >
                {goes === undefined ? null : <>{goes}</>}
                {goes !== undefined && condition !== undefined ? '; ' : null}
                {condition === undefined ? null : (
                  <>
                    only if <code>{condition}</code>
                  </>
                )}
              </span>
            )}
          </div>
        );
      })}
      <div className="plan-room" style={{ height: drawing.height }} />
    </div>
  );
}
