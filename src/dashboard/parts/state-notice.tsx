import type { ReactNode } from 'react';
import { ApiFailure } from '../api/api-failure.js';
import { failureMark } from '../api/failure-words.js';
import { Button } from './button.js';
import { InCode } from './in-code.js';
import { WaysOut } from './ways-out.js';
import { Skeleton } from './skeleton.js';

export interface StateNoticeProps {
  readonly kind: 'empty' | 'damaged' | 'disconnected' | 'missing';
  readonly title: string;
  readonly children?: ReactNode;
  /** In place of a whole view, of a large part of one, or of something small among other things. */
  readonly place?: 'view' | 'part' | 'here';
}

/** In place of what cannot be shown: what is the matter, and the next step. */
export function StateNotice({ kind, title, children, place = 'view' }: StateNoticeProps) {
  return (
    <div className={`notice ${kind}${place === 'here' ? ' here' : ''}`} role={kind === 'empty' ? undefined : 'status'}>
      {place === 'here' ? null : <Siding kind={kind} />}
      {place === 'view' ? <h1>{title}</h1> : place === 'part' ? <h2>{title}</h2> : <h3>{title}</h3>}
      {children}
    </div>
  );
}

/** A piece of track that says the same: not begun, broken, or leading on out of sight. */
function Siding({ kind }: { readonly kind: StateNoticeProps['kind'] }) {
  const rails =
    kind === 'damaged' ? 'M0 20H150l8-7 10 14 8-7M196 20H320' : kind === 'disconnected' ? 'M0 20H120' : 'M0 20H170';
  const end = kind === 'empty' || kind === 'missing';
  return (
    <svg className="siding" viewBox="0 0 320 40" preserveAspectRatio="xMinYMid meet" aria-hidden="true">
      <path d={rails} fill="none" stroke="var(--sleeper)" strokeWidth="14" strokeDasharray="2 5" />
      <path d={rails} fill="none" stroke="var(--side)" strokeWidth="6" />
      <path d={rails} fill="none" stroke="var(--paper)" strokeWidth="3" />
      {kind === 'disconnected' ? (
        <path d="M126 20H320" fill="none" stroke="var(--sleeper)" strokeWidth="2" strokeDasharray="2 7" />
      ) : null}
      {end ? <path d="M170 9v22" stroke="var(--side)" strokeWidth="4" /> : null}
    </svg>
  );
}

export interface NotYetProps extends Pick<StateNoticeProps, 'place'> {
  readonly asked: { readonly error: unknown; readonly refetch: () => Promise<unknown> };
  readonly what: string;
  readonly lines?: number;
}

/** In place of an answer that has not come: it is on its way, or failed. */
export function NotYet({ asked: { error, refetch }, what, lines = 5, place = 'view' }: NotYetProps) {
  return error === null ? (
    <Skeleton what={what} lines={lines} />
  ) : (
    <FailureNotice place={place} error={error} retry={() => void refetch()} />
  );
}

export interface FailureNoticeProps extends Pick<StateNoticeProps, 'place'> {
  readonly error: unknown;
  readonly retry: () => void;
}

/** A query that failed, in the server's own words where it had any. */
export function FailureNotice({ error, retry, place = 'view' }: FailureNoticeProps) {
  const failure = error instanceof ApiFailure ? error : undefined;
  const damaged = failure?.code === 'SESSION_DAMAGED' || failure?.code === 'SESSION_NEWER_FORMAT';
  const kind = failure?.unreachable === true ? 'disconnected' : damaged ? 'damaged' : 'missing';
  return (
    <StateNotice kind={kind} place={place} title={titleOf(failure, damaged)}>
      <p>
        <InCode text={error instanceof Error ? error.message : String(error)} />
      </p>
      {failure?.told !== undefined && failure.code !== 'NOT_FOUND' && failure.told.suggested_action !== '' ? (
        <p className="quiet">
          <InCode text={failure.told.suggested_action} />
        </p>
      ) : null}
      {failure?.code === 'NOT_FOUND' ? <WaysOut failure={failure} /> : null}
      <div className="actions">
        <Button onClick={retry}>Try again</Button>
      </div>
      {failure === undefined || failure.unreachable ? null : <p className="small quiet">{failureMark(failure)}</p>}
    </StateNotice>
  );
}

function titleOf(failure: ApiFailure | undefined, damaged: boolean): string {
  if (failure?.unreachable === true) return 'No response from WorkRail';
  if (damaged) return 'This session is damaged';
  if (failure?.code === 'NOT_FOUND') return 'Not found';
  return failure?.told?.context['trash'] === undefined ? 'That did not work' : 'It was pruned';
}
