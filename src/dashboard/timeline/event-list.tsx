import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Timeline } from '../../contract/http-api.js';
import { walkList } from '../keys/walk-list.js';
import { visibleTitle } from '../../render/visible-text.js';
import { InCode } from '../parts/in-code.js';

export interface EventListProps {
  readonly timeline: Timeline;
  readonly at: number;
  readonly onMove: (index: number) => void;
}

const rowHeight = 40;
const clock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** When a mark was written, by the clock of who wrote it. */
export const momentWords = ({ startedAt }: Pick<Timeline, 'startedAt'>, at: number): string => {
  const began = Date.parse(startedAt);
  return Number.isNaN(began) ? '' : clock.format(began + at);
};

/** Every event in one line; the moment that is shown is the chosen one, and what comes after it stands back. */
export function EventList({ timeline, at, onMove }: EventListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { marks, lanes } = timeline;
  const rows = useVirtualizer({
    count: marks.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const scroll = useRef(rows.scrollToIndex);
  useEffect(() => {
    scroll.current = rows.scrollToIndex;
  });
  useEffect(() => {
    if (at >= 0) scroll.current(at, { align: 'auto' });
  }, [at]);
  const press = (event: KeyboardEvent): void => walkList(event, { at, count: marks.length, page: 10, onMove });
  return (
    <div
      ref={frame}
      className="event-list"
      role="listbox"
      tabIndex={0}
      aria-label="All events, in order"
      aria-activedescendant={`mark-${at}`}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const mark = marks[index];
          if (mark === undefined) return null;
          return (
            <div
              key={mark.event}
              id={`mark-${index}`}
              role="option"
              aria-selected={index === at}
              aria-setsize={marks.length}
              aria-posinset={index + 1}
              tabIndex={-1}
              className={index > at ? 'event-row later' : 'event-row'}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              onClick={() => onMove(index)}
            >
              <span className="one-line" title={visibleTitle(mark.says)}>
                <InCode text={visibleTitle(mark.says)} />
              </span>
              <span className="small quiet one-line">
                {momentWords(timeline, mark.at)}
                {mark.merged === true ? ' · merged' : ''}
                {mark.lane === undefined || lanes.length < 2 ? '' : ` · ${lanes[mark.lane]?.title ?? ''}`}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
