import type { ReactNode } from 'react';
import { ApiFailure } from '../api/api-failure.js';
import { Button } from './button.js';

export interface StateNoticeProps {
  readonly kind: 'empty' | 'damaged' | 'disconnected' | 'missing';
  readonly title: string;
  readonly children?: ReactNode;
  /** Among other things and not in place of a view. */
  readonly here?: boolean;
}

/** In place of what cannot be shown: what is the matter, and the next step. */
export function StateNotice({ kind, title, children, here = false }: StateNoticeProps) {
  return (
    <div className={`notice ${kind}${here ? ' here' : ''}`} role={kind === 'empty' ? undefined : 'status'}>
      {here ? null : <Siding kind={kind} />}
      {here ? <h3>{title}</h3> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** A piece of track that says the same: not begun, broken, or leading on out of sight. */
function Siding({ kind }: { readonly kind: StateNoticeProps['kind'] }) {
  const rails = kind === 'damaged' ? 'M0 20H150l8-7 10 14 8-7M196 20H320' : kind === 'disconnected' ? 'M0 20H120' : 'M0 20H170';
  const end = kind === 'empty' || kind === 'missing';
  return (
    <svg className="siding" viewBox="0 0 320 40" preserveAspectRatio="xMinYMid meet" aria-hidden="true">
      <path d={rails} fill="none" stroke="var(--sleeper)" strokeWidth="14" strokeDasharray="2 5" />
      <path d={rails} fill="none" stroke="var(--side)" strokeWidth="6" />
      <path d={rails} fill="none" stroke="var(--paper)" strokeWidth="3" />
      {kind === 'disconnected' ? <path d="M126 20H320" fill="none" stroke="var(--sleeper)" strokeWidth="2" strokeDasharray="2 7" /> : null}
      {end ? <path d="M170 9v22" stroke="var(--side)" strokeWidth="4" /> : null}
    </svg>
  );
}

/** A query that failed, in the server's own words where it had any. */
export function FailureNotice({ error, retry, here = false }: { readonly error: unknown; readonly retry: () => void; readonly here?: boolean }) {
  const failure = error instanceof ApiFailure ? error : undefined;
  const damaged = failure?.code === 'SESSION_DAMAGED' || failure?.code === 'SESSION_NEWER_FORMAT';
  const kind = failure?.unreachable === true ? 'disconnected' : damaged ? 'damaged' : 'missing';
  return (
    <StateNotice kind={kind} here={here} title={failure?.unreachable === true ? 'WorkRail does not answer' : damaged ? 'This session is damaged' : failure?.code === 'NOT_FOUND' ? 'It is not here' : 'That did not work'}>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {failure?.told !== undefined && failure.told.suggested_action !== '' ? <p className="quiet">{failure.told.suggested_action}</p> : null}
      <div className="actions">
        <Button onClick={retry}>Try again</Button>
      </div>
      {failure?.told === undefined ? null : (
        <p className="small quiet">
          {failure.code}, {failure.told.correlation_id}
        </p>
      )}
    </StateNotice>
  );
}
