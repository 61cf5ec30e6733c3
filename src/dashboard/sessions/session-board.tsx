import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { SessionListed } from '../../contract/session-list.js';
import { useKeys } from '../keys/use-keys.js';
import { walkList } from '../keys/walk-list.js';
import { dayTold } from '../parts/time-told.js';
import { SessionRow, type SessionRowProps } from './session-row.js';

export interface SessionBoardProps {
  readonly sessions: readonly SessionListed[];
  /** More than there are in `sessions` while the rest is not asked for yet. */
  readonly found: number;
  /** What is shown is of the words before. */
  readonly searching: boolean;
  /** Another list begins at its top. */
  readonly listKey: string;
  /** Under a heading for each day. */
  readonly byDay: boolean;
  /** Each with its longest step. */
  readonly byTook: boolean;
  /** One line a session. */
  readonly dense: boolean;
  /** What was searched for, once nobody types any more; absent where the list is of all. */
  readonly words: string | undefined;
  /** Asks for the next sessions; absent while that is under way. */
  readonly more: (() => void) | undefined;
  /** Nobody reads in the middle of it: it may be put in order anew. */
  readonly onStill: (still: boolean) => void;
}

const rowHeights = { usual: 60, dense: 36 } as const;
const dayHeight = 32;
const hitHeight = 22;
/** The names of the columns stay in view over the rows. */
const headHeight = 30;
const columns = ['Session', 'Branches', 'Open gaps', 'Took', 'Started', 'Last activity'];

/** The sessions as a departure board. Only the rows in view are in the page, however many there are. */
export function SessionBoard(props: SessionBoardProps) {
  const { sessions, found, searching, listKey, byDay, byTook, dense, words, more, onStill } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  /** A row that gets the focus as soon as it is in the page. */
  const goingTo = useRef<number>(undefined);
  const reading = useRef({ pointer: false, focus: false, away: false });
  const days = useMemo(() => (byDay ? daysOf(sessions) : []), [sessions, byDay]);
  const isExplained = byTook || words !== undefined;
  const rowHeight = rowHeights[dense ? 'dense' : 'usual'] + (isExplained ? hitHeight : 0);
  const rows = useVirtualizer({
    count: found,
    getScrollElement: () => frame.current,
    estimateSize: (index) => rowHeight + (days[index] === undefined ? 0 : dayHeight),
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    getItemKey: (index) => sessions[index]?.sessionId ?? index,
  });
  useLayoutEffect(() => rows.measure(), [rows, days, rowHeight]);
  const shown = rows.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastShown >= sessions.length - 20) more?.();
  }, [lastShown, sessions.length, more]);
  useEffect(() => {
    // To scroll to where it is has the whole list laid out at once.
    if ((rows.scrollOffset ?? 0) > 0) frame.current?.scrollTo(0, 0);
    setChosen(0);
  }, [listKey, rows]);
  const tell = (part: Partial<typeof reading.current>): void => {
    Object.assign(reading.current, part);
    const { pointer, focus, away } = reading.current;
    onStill(!pointer && !focus && !away);
  };
  const go = (index: number): void => {
    const to = Math.max(0, Math.min(found - 1, index));
    setChosen(to);
    rows.scrollToIndex(to, { align: 'auto' });
    goingTo.current = to;
    // The keys stay here while the row is on its way.
    frame.current?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (goingTo.current === undefined) return;
    const row = frame.current?.querySelector<HTMLElement>(`[data-row="${goingTo.current}"] a`);
    if (row === null || row === undefined) return;
    goingTo.current = undefined;
    row.focus({ preventScroll: true });
  });
  useKeys('Sessions', [
    {
      keys: 'j',
      says: 'The next session',
      run: () => go(chosen + (frame.current?.contains(document.activeElement) === true ? 1 : 0)),
    },
    { keys: 'k', says: 'The session before', run: () => go(chosen - 1) },
    {
      keys: 'Enter',
      says: 'Open the session',
      run: () => frame.current?.querySelector<HTMLElement>(`[data-row="${chosen}"] a`)?.click(),
    },
  ]);
  const press = (event: KeyboardEvent): void =>
    walkList(event, {
      at: chosen,
      count: found,
      page: Math.max(1, Math.floor((frame.current?.clientHeight ?? rowHeight) / rowHeight) - 1),
      onMove: go,
    });
  return (
    <div className={`session-board${searching ? ' searching' : ''}${dense ? ' dense' : ''}`}>
      <div
        role="table"
        aria-label="Sessions"
        aria-rowcount={found + 1}
        aria-busy={searching}
        className="board-rows"
        tabIndex={-1}
        ref={frame}
        onKeyDown={press}
        onScroll={() => tell({ away: (frame.current?.scrollTop ?? 0) > rowHeight / 2 })}
        onPointerEnter={() => tell({ pointer: true })}
        onPointerLeave={() => tell({ pointer: false })}
        onFocus={() => tell({ focus: true })}
        onBlur={() => tell({ focus: false })}
      >
        <BoardHead />
        <div role="rowgroup" className="board-length" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, key, start }) => (
            <PlacedRow
              key={key}
              session={sessions[index]}
              day={days[index]}
              index={index}
              top={start - headHeight}
              chosen={index === chosen}
              onChoose={() => setChosen(index)}
              words={words}
              byTook={byTook}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** A row, below the name of its day where it is the first of one. */
function PlacedRow({ day, top, ...row }: SessionRowProps & { readonly day: string | undefined }) {
  if (day === undefined) return <SessionRow {...row} top={top} />;
  return (
    <>
      <div role="row" className="day-row" style={{ transform: `translateY(${top}px)`, height: dayHeight }}>
        <div role="rowheader">{day}</div>
      </div>
      <SessionRow {...row} top={top + dayHeight} />
    </>
  );
}

/** At the first session of each day, what the day is called. */
function daysOf(sessions: readonly SessionListed[]): readonly (string | undefined)[] {
  let before: string | undefined;
  return sessions.map(({ lastAt }) => {
    const day = dayTold(lastAt);
    if (day === before) return undefined;
    before = day;
    return day;
  });
}

function BoardHead() {
  return (
    <div role="rowgroup" className="board-head">
      <div role="row" aria-rowindex={1} className="board-row">
        {columns.map((name) => (
          <div role="columnheader" key={name}>
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}
