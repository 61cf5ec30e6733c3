import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { walkList } from '../keys/walk-list.js';
import { sizeWords } from '../parts/size-words.js';
import { TimeTold } from '../parts/time-told.js';
import type { VersionTold } from './version-moment.js';
import { madeWords, versionName, whoWords } from './version-words.js';

export interface VersionListProps {
  /** In time, the newest last; it stands on top. */
  readonly versions: readonly VersionTold[];
  readonly heads: readonly string[];
  readonly at: number;
  readonly onMove: (index: number) => void;
}

const rowHeight = 44;

/** Every version in two lines, the newest first; those that came after the shown one stand back. */
export function VersionList({ versions, heads, at, onMove }: VersionListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const last = versions.length - 1;
  const rows = useVirtualizer({
    count: versions.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const scroll = useRef(rows.scrollToIndex);
  useEffect(() => {
    scroll.current = rows.scrollToIndex;
  });
  // What is said of the version above the list may take some of its height.
  const height = rows.scrollRect?.height;
  useEffect(() => {
    if (at >= 0) scroll.current(last - at, { align: 'auto' });
  }, [at, last, height]);
  const press = (event: KeyboardEvent): void =>
    walkList(event, { at: last - at, count: versions.length, page: 10, onMove: (row) => onMove(last - row) });
  return (
    <div
      ref={frame}
      className="version-list"
      role="listbox"
      tabIndex={0}
      aria-label="Versions, newest first"
      aria-activedescendant={at < 0 ? undefined : `version-${at}`}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index: row, start }) => {
          const index = last - row;
          const version = versions[index];
          if (version === undefined) return null;
          const who = whoWords(version);
          return (
            <div
              key={version.etag}
              id={`version-${index}`}
              role="option"
              aria-selected={index === at}
              aria-setsize={versions.length}
              aria-posinset={row + 1}
              tabIndex={-1}
              className={index > at ? 'event-row later' : 'event-row'}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              onClick={() => onMove(index)}
            >
              <span className="one-line">
                {versionName(version, versions)} <span className="quiet">{madeWords(version).toLowerCase()}</span>
                {version.conflict === true ? <span className="tag grave">not merged</span> : null}
                {heads.length > 1 && heads.includes(version.etag) ? <span className="tag warning">newest</span> : null}
              </span>
              <span className="small quiet one-line">
                {who === undefined ? null : `${who} · `}
                <TimeTold at={version.at} /> · {sizeWords(version.bytes)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
