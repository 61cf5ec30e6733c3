import { type ReactNode, useState } from 'react';

export interface FoldedProps {
  readonly kind: ReactNode;
  /** What is in it, in one quiet line. */
  readonly hint?: ReactNode;
  /** Read at once. */
  readonly open?: boolean;
  /** What is in it is made when it is opened, as where it may go on without end. */
  readonly lazy?: boolean;
  readonly children: ReactNode;
}

/** Something that is opened to be read. */
export function Folded({ kind, hint, open = false, lazy = false, children }: FoldedProps) {
  const [opened, setOpened] = useState(open);
  return (
    <details
      className="artifact"
      open={open}
      {...(lazy && { onToggle: (event) => event.currentTarget.open && setOpened(true) })}
    >
      <summary>
        <span className="kind">{kind}</span>{' '}
        {hint === undefined ? null : <span className="quiet small one-line">{hint}</span>}
      </summary>
      {lazy && !opened ? null : children}
    </details>
  );
}
