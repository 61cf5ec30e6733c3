import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useKeys } from '../keys/use-keys.js';
import { walkList } from '../keys/walk-list.js';
import { DocumentRow } from './document-row.js';
import { type DocumentLine, nextChange } from './document-lines.js';

export interface DocumentTreeProps {
  readonly lines: readonly DocumentLine[];
  /** Which documents these are the lines of: of others, the first change is gone to. */
  readonly of: string;
  readonly label: string;
  readonly onTurn: (id: string, open: boolean) => void;
  /** The document of another version is on its way. */
  readonly busy: boolean;
}

const rowHeight = 24;
const page = 20;

/** A document as a tree of lines; only those that are seen are made. */
export function DocumentTree({ lines, of, label, onTurn, busy }: DocumentTreeProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState('');
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const at = Math.max(
    0,
    lines.findIndex(({ id }) => id === chosen),
  );
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    getItemKey: (index) => lines[index]?.id ?? index,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  const move = (to: number): void => {
    const line = lines[to];
    if (line === undefined) return;
    setChosen(line.id);
    rows.scrollToIndex(to, { align: 'auto' });
  };
  /** What is out of sight comes with what stands around it. */
  const go = (to: number): void => {
    const { startIndex = 0, endIndex = 0 } = rows.range ?? {};
    const isSeen = to >= startIndex && to <= endIndex;
    setChosen(lines[to]?.id ?? '');
    if (!isSeen) rows.scrollToIndex(to, { align: 'center' });
  };
  const seen = useRef({ lines, go });
  useEffect(() => {
    seen.current = { lines, go };
  });
  useEffect(() => {
    const first = nextChange(seen.current.lines, -1, 1);
    if (first >= 0) seen.current.go(first);
  }, [of]);
  useKeys('State', [
    { keys: 'n', says: 'Next change in the document', run: () => go(nextChange(lines, at, 1)) },
    { keys: 'p', says: 'Previous change in the document', run: () => go(nextChange(lines, at, -1)) },
  ]);
  const press = (event: KeyboardEvent): void => {
    walkList(event, { at, count: lines.length, page, onMove: move });
    const to = event.defaultPrevented ? undefined : sideways(event.key, lines, at);
    if (to === undefined) return;
    event.preventDefault();
    if (typeof to === 'number') move(to);
    else if (to.open !== undefined) onTurn(to.id, to.open);
  };
  return (
    <div
      ref={frame}
      className="document-tree"
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-busy={busy}
      aria-activedescendant={lines.length === 0 ? undefined : `line-${at}`}
      onKeyDown={press}
    >
      <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const isOpen = line.kind === 'part' ? line.isOpen : undefined;
          return (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              id={`line-${index}`}
              role="treeitem"
              aria-level={line.depth + 1}
              aria-expanded={isOpen}
              aria-selected={index === at}
              tabIndex={-1}
              className={line.kind === 'part' ? `document-line ${line.change}` : 'document-line'}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => {
                setChosen(line.id);
                if (isOpen !== undefined && window.getSelection()?.type !== 'Range') onTurn(line.id, !isOpen);
              }}
            >
              <DocumentRow
                line={line}
                whole={whole.has(line.id)}
                onWhole={() => setWhole(new Set(whole).add(line.id))}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Right opens, or goes in; left folds, or goes out; Enter and the space bar turn. */
function sideways(
  key: string,
  lines: readonly DocumentLine[],
  at: number,
): number | { readonly id: string; readonly open: boolean | undefined } | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  const isOpen = line.kind === 'part' ? line.isOpen : undefined;
  switch (key) {
    case 'ArrowRight':
      return isOpen === true ? at + 1 : { id: line.id, open: isOpen === false ? true : undefined };
    case 'ArrowLeft':
      return isOpen === true
        ? { id: line.id, open: false }
        : Math.max(
            0,
            lines.findLastIndex(({ depth }, index) => index < at && depth < line.depth),
          );
    case 'Enter':
    case ' ':
      return { id: line.id, open: isOpen === undefined ? undefined : !isOpen };
    default:
      return undefined;
  }
}
