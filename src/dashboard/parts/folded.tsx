import type { ReactNode } from 'react';

export interface FoldedProps {
  readonly kind: ReactNode;
  /** What is in it, in one quiet line. */
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

/** Something that is opened to be read. */
export function Folded({ kind, hint, children }: FoldedProps) {
  return (
    <details className="artifact">
      <summary>
        <span className="kind">{kind}</span>
        {hint === undefined ? null : <span className="quiet small one-line">{hint}</span>}
      </summary>
      {children}
    </details>
  );
}
