import { memo } from 'react';
import { plural } from '../../base/plural.js';
import type { SessionListed, StateBrief } from '../../contract/session-list.js';
import { branchesOpen } from '../../base/branches-open.js';
import { durationWords, tookWords } from '../../base/time-spent.js';
import { usageBrief, usageWords } from '../../base/usage.js';
import { visibleText, visibleTitle } from '../../render/visible-text.js';
import { Signal } from '../parts/signal.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import { RowHit } from './row-hit.js';
import { RowLongest } from './row-longest.js';

export interface SessionRowProps {
  /** Absent while it is on its way. */
  readonly session: SessionListed | undefined;
  readonly index: number;
  readonly top: number;
  /** The one that the tab key leads to. */
  readonly chosen: boolean;
  readonly onChoose: () => void;
  /** What was searched for: shown with the step that has it. Absent where nothing was; empty while somebody types. */
  readonly words: string | undefined;
  /** It tells its longest step. */
  readonly byTook: boolean;
}

const troubles = { damage: 'Damaged', newer: 'Newer format', incomplete: 'Incomplete' } as const;

export const SessionRow = memo(
  function SessionRow({ session, index, top, chosen, onChoose, words, byTook }: SessionRowProps) {
    return (
      <div
        role="row"
        aria-rowindex={index + 2}
        data-row={index}
        className={words === undefined && !byTook ? 'board-row' : 'board-row with-hit'}
        style={{ transform: `translateY(${top}px)` }}
      >
        {session === undefined ? (
          <div role="cell" className="coming">
            <span />
            <span />
          </div>
        ) : (
          <Cells session={session} chosen={chosen} onChoose={onChoose} words={words} byTook={byTook} />
        )}
      </div>
    );
  },
  (before, after) =>
    before.session === after.session &&
    before.index === after.index &&
    before.top === after.top &&
    before.chosen === after.chosen &&
    before.words === after.words &&
    before.byTook === after.byTook,
);

interface CellsProps extends Pick<SessionRowProps, 'chosen' | 'onChoose' | 'words' | 'byTook'> {
  readonly session: SessionListed;
}

function stateWords({ schema_name: name, schema_version: number, version, status, conflicts }: StateBrief): string {
  const unsettled = conflicts === 0 ? '' : `, ${plural(conflicts, 'change')} to settle`;
  return `Shared state: ${visibleTitle(name)} ${number}, version ${version}${status === 'closed' ? ', closed' : ''}${unsettled}`;
}

function Cells({ session, chosen, onChoose, words, byTook }: CellsProps) {
  const { run, trouble } = session;
  const name = visibleTitle(session.title ?? session.about);
  const ended = run !== undefined && run.pending === null;
  return (
    <>
      <div role="cell" className="session-cell">
        <Stub runs={session.runs} branches={session.branches} />
        {run === undefined ? <span className="no-lamp" aria-hidden="true" /> : <Signal status={run.status} silent />}
        <div className="session-words">
          <div className="session-name">
            <Link
              to={{ view: 'session', sessionId: session.sessionId }}
              className="one-line"
              tabIndex={chosen ? 0 : -1}
              {...(chosen && { 'data-found': '' })}
              onFocus={onChoose}
              title={name}
            >
              {name}
            </Link>
            {trouble === undefined ? null : (
              <span className={trouble === 'damage' ? 'tag grave' : 'tag warning'}>{troubles[trouble]}</span>
            )}
            {session.keep ? (
              <span className="tag" title="Never pruned">
                kept
              </span>
            ) : null}
            {session.state === undefined ? null : (
              <Link
                to={{ view: 'state', sessionId: session.sessionId }}
                className={session.state.conflicts > 0 ? 'tag warning' : 'tag'}
                tabIndex={chosen ? 0 : -1}
                title={stateWords(session.state)}
              >
                state {session.state.version}
              </Link>
            )}
            {session.goesAt === undefined ? null : (
              <Link
                to={{ view: 'care' }}
                className="tag goes"
                tabIndex={chosen ? 0 : -1}
                title="Finished and not opened for long. Opening it, or working on it, keeps it; Maintenance says more."
              >
                {goesWords(session.goesAt)}
              </Link>
            )}
            {session.tags.slice(0, 3).map((tag) => (
              <span className="tag one-line" key={tag}>
                {visibleTitle(tag)}
              </span>
            ))}
          </div>
          <div className="session-where one-line quiet" title={session.why}>
            {whereItStands(session)}
          </div>
          <LastLine session={session} chosen={chosen} words={words} byTook={byTook} />
        </div>
      </div>
      <div role="cell" className="figures number">
        {session.branches > 0 ? session.branches : <span className="quiet">–</span>}
      </div>
      <div role="cell" className={session.openGaps > 0 ? 'figures number warning' : 'figures number'}>
        {session.openGaps > 0 ? session.openGaps : <span className="quiet">–</span>}
      </div>
      <div role="cell" className="spent">
        <Spent session={session} />
      </div>
      <div role="cell" className="quiet">
        <TimeTold at={session.startedAt} />
      </div>
      <div role="cell">
        <TimeTold at={session.lastAt} />
        {tookTold(session) === '' ? null : <span className="quiet small spent-narrow">took {tookTold(session)}</span>}
        {ended ? <span className="quiet small ended">completed{branchesOpen(run.openBranches)}</span> : null}
      </div>
    </>
  );
}

/** What the list is asked for: the longest step, or where the words stand; else what was handed in last. */
function LastLine({ session, chosen, words, byTook }: Omit<CellsProps, 'onChoose'>) {
  const { sessionId, longest, last, why } = session;
  if (byTook) return <RowLongest sessionId={sessionId} longest={longest} chosen={chosen} />;
  if (words !== undefined) return <RowHit sessionId={sessionId} words={words} why={why} chosen={chosen} />;
  return last === undefined ? null : (
    <div className="session-last one-line quiet small">
      {visibleTitle(last.step)}: {visibleText(last.said)}
    </div>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

const goesWords = (at: string): string =>
  Date.parse(at) <= Date.now() ? 'goes to the trash soon' : `goes to the trash on ${day.format(new Date(at))}`;

/** Work shorter than this, in milliseconds, has no time of its own. */
const shortly = 1000;

const tookTold = ({ took = 0 }: SessionListed): string => (took < shortly ? '' : durationWords(took));

/** How long its work took and what it used; what it waited for a person is told apart. */
function Spent({ session }: { readonly session: SessionListed }) {
  const { took = 0, waited = 0, usage } = session;
  const told = tookTold(session);
  const brief = usage && usageBrief(usage);
  const waiting = told === '' || waited < shortly ? undefined : `${durationWords(Math.min(took, waited))} waiting`;
  return (
    <>
      {told === '' ? <span className="quiet">–</span> : <span title={tookWords(took, waited)}>{told}</span>}
      {waiting === undefined ? null : <span className="quiet small spent-more">{waiting}</span>}
      {brief === undefined || usage === undefined ? null : (
        <span className="quiet small spent-more" title={visibleTitle(usageWords(usage))}>
          {brief}
        </span>
      )}
    </>
  );
}

/** The end of the session's track, and the branches that part from it; more than two are only counted. */
function Stub({ runs, branches }: Pick<SessionListed, 'runs' | 'branches'>) {
  if (runs === 0) return <span className="stub" />;
  const parting = Math.max(0, branches - runs);
  const side = [
    ...(parting > 0 ? ['M4 30C14 30 14 44 26 44H34'] : []),
    ...(parting > 1 ? ['M4 30C14 30 14 16 26 16H34'] : []),
  ];
  return (
    <svg
      className="stub"
      width="44"
      height="60"
      viewBox="0 0 44 60"
      preserveAspectRatio="xMinYMid slice"
      aria-hidden="true"
    >
      {side.map((path) => (
        <g key={path} fill="none">
          <path d={path} stroke="var(--sleeper)" strokeWidth="9" strokeDasharray="1.5 4" />
          <path d={path} stroke="var(--side)" strokeWidth="4.5" />
          <path d={path} stroke="var(--paper)" strokeWidth="2" />
        </g>
      ))}
      {side.length > 0 ? (
        <path d={side.length > 1 ? 'M35 39.5v9M35 11.5v9' : 'M35 39.5v9'} stroke="var(--side)" strokeWidth="2.5" />
      ) : null}
      <path d="M0 30H44" stroke="var(--sleeper)" strokeWidth="10" strokeDasharray="1.5 4" />
      <path d="M0 30H44" stroke="var(--accent)" strokeWidth="5" />
      <path d="M0 30H44" stroke="var(--paper)" strokeWidth="2.5" />
    </svg>
  );
}

function whereItStands({ run, runs, trouble, branch, key, title, about }: SessionListed): string {
  const parts: string[] = [];
  if (run === undefined) parts.push(trouble === 'damage' ? 'No readable run' : 'Notes only');
  else {
    parts.push(runs > 1 ? `${run.workflowTitle} (run ${run.number} of ${runs})` : run.workflowTitle);
    if (run.pending !== null) parts.push(`${run.status === 'in_progress' ? 'at' : `${run.status} at`} ${run.pending}`);
  }
  if (branch !== undefined) parts.push(branch);
  if (key !== undefined && key !== (title ?? about)) parts.push(key);
  return visibleTitle(parts.join(' · '));
}
