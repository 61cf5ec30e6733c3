import type { SessionListed } from '../../contract/session-list.js';

export type RunStatus = NonNullable<SessionListed['run']>['status'];

const words: Readonly<Record<RunStatus, string>> = {
  in_progress: 'In progress',
  blocked: 'Blocked',
  running: 'Running',
  complete: 'Complete',
  complete_with_gaps: 'Complete, with gaps',
  failed: 'Failed',
  canceled: 'Canceled',
};
const tones: Readonly<Record<RunStatus, string>> = {
  in_progress: 'waiting',
  blocked: 'grave',
  running: 'waiting',
  complete: 'good',
  complete_with_gaps: 'warning',
  failed: 'grave',
  canceled: 'quiet',
};

/** How a run or a tip stands, as the signal at the end of a track: told apart by shape as well as by colour. */
export function Signal({
  status,
  silent = false,
}: {
  readonly status: RunStatus;
  /** The lamp alone; its word is told to screen readers. */ readonly silent?: boolean;
}) {
  return (
    <span className={`signal ${tones[status]}`}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        {shapes[status]}
      </svg>
      <span className={silent ? 'for-readers-only' : 'word'}>{words[status]}</span>
    </span>
  );
}

const shapes: Readonly<Record<RunStatus, React.ReactNode>> = {
  in_progress: <circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" strokeWidth="2.5" />,
  blocked: (
    <>
      <rect x="1.5" y="1.5" width="11" height="11" rx="1.5" fill="currentColor" />
      <path d="M4 7h6" stroke="var(--paper)" strokeWidth="2.5" />
    </>
  ),
  running: (
    <>
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.75" strokeDasharray="3 2" />
      <path d="M5.25 4.25l4.5 2.75-4.5 2.75z" fill="currentColor" />
    </>
  ),
  failed: (
    <>
      <circle cx="7" cy="7" r="6.25" fill="currentColor" />
      <path d="M4.75 4.75l4.5 4.5m0-4.5l-4.5 4.5" fill="none" stroke="var(--paper)" strokeWidth="1.75" />
    </>
  ),
  canceled: (
    <>
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
      <path d="M3.2 10.8l7.6-7.6" stroke="currentColor" strokeWidth="1.75" />
    </>
  ),
  complete: (
    <>
      <circle cx="7" cy="7" r="6.25" fill="currentColor" />
      <path d="M4 7.2l2.1 2.1L10.2 5" fill="none" stroke="var(--paper)" strokeWidth="1.75" />
    </>
  ),
  complete_with_gaps: (
    <>
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
      <path d="M7 1.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
    </>
  ),
};
