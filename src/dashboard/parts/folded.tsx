import type { ReactNode } from 'react';

export interface FoldedProps {
  readonly kind: ReactNode;
  /** What is in it, in one quiet line. */
  readonly hint?: ReactNode;
  /** Read at once. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** Something that is opened to be read. */
export function Folded({ kind, hint, open = false, children }: FoldedProps) {
  return (
    <details className="artifact" open={open}>
      <summary>
        <span className="kind">{kind}</span>{' '}
        {hint === undefined ? null : <span className="quiet small one-line">{hint}</span>}
      </summary>
      {children}
    </details>
  );
}
