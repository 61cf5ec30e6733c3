import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { defined } from '../../base/defined.js';
import type { StatesOfSession } from '../../contract/states-told.js';
import { queries } from '../api/queries.js';
import { useRemembered } from '../parts/remembered.js';
import { CommandTold } from '../parts/command-told.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { navigate } from '../router/navigate.js';
import { useKeptAddress } from '../router/use-kept-address.js';
import { ChangeTold } from '../state/change-told.js';
import { ConflictList } from '../state/conflict-list.js';
import { DocumentPanel } from '../state/document-panel.js';
import { HeadsTold } from '../state/heads-told.js';
import { StateFacts } from '../state/state-facts.js';
import { VersionList } from '../state/version-list.js';
import { indexAtMoment, inTime, type Moment, momentOf } from '../state/version-moment.js';
import { madeWords, versionName, whoWords } from '../state/version-words.js';
import { MomentBar } from '../timeline/moment-bar.js';
import { placesOf } from '../timeline/moment.js';
import { useMomentKeys } from '../timeline/use-moment-keys.js';
import { usePlayer } from '../timeline/use-player.js';
import '../timeline/timeline.css';
import '../state/state.css';

export interface StateViewProps {
  readonly sessionId: string;
  readonly stateId?: string;
  /** Place in the session's order, as in its timeline; the newest version where there is none. */
  readonly at?: number;
  /** Which version, where clones wrote two at one place. */
  readonly version?: string;
  /** The version that it is compared with. */
  readonly base?: string;
}

type State = StatesOfSession['states'][number];

/** A document that agents share, as it is and as it was: who changed what of it, and what nobody has settled yet. */
export function StateView(props: StateViewProps) {
  const { sessionId, stateId } = props;
  const asked = useQuery(queries.states(sessionId));
  const { data } = asked;
  if (data === undefined) return <NotYet asked={asked} what="the shared state" lines={9} />;
  const { states } = data;
  const state = states.find((one) => one.state_id === stateId) ?? chiefOf(states);
  if (state === undefined) {
    return (
      <StateNotice kind="empty" title="No shared state">
        <p>The agents of this session share no document yet. An agent or you can create one:</p>
        <CommandTold
          words={['state', 'create', sessionId, 'code-review', '{"status":"pending"}']}
          label="Copy the command"
        />
        <Link to={{ view: 'session', sessionId }}>Back to session</Link>
      </StateNotice>
    );
  }
  return <OneState key={state.state_id} {...props} states={states} state={state} />;
}

/** The one that is meant by its session's name: the open one that is no fork, else the last of them. */
function chiefOf(states: readonly State[]): State | undefined {
  const all = states.filter(({ forked_from: from }) => from === undefined);
  return all.find(({ status }) => status === 'open') ?? all.at(-1) ?? states.at(-1);
}

interface OneStateProps extends StateViewProps {
  readonly states: readonly State[];
  readonly state: State;
}

function OneState({ sessionId, states, state, at: askedAt, version: askedVersion, base: askedBase }: OneStateProps) {
  const { state_id: stateId } = state;
  const asked = useInfiniteQuery(queries.stateVersions(sessionId, stateId));
  const { data, hasNextPage, isFetching, fetchNextPage } = asked;
  const versions = useMemo(() => inTime(data?.pages.flatMap((page) => page.versions) ?? []), [data]);
  const last = versions.length - 1;
  // Without a moment it stays at the newest, wherever that moves.
  const [moment, setMoment] = useState<Moment>(defined<Moment>({ at: askedAt, version: askedVersion }));
  const [base, setBase] = useState(askedBase);
  const found = indexAtMoment(versions, moment);
  const at = Math.max(0, found);
  const move = useCallback(
    (index: number) => setMoment(momentOf(versions, Math.max(0, Math.min(versions.length - 1, index)))),
    [versions],
  );
  // Earlier versions come when somebody goes there.
  const wantsEarlier = hasNextPage && !isFetching && at <= 0;
  useEffect(() => {
    if (wantsEarlier) void fetchNextPage();
  }, [wantsEarlier, fetchNextPage]);
  useKeptAddress({
    view: 'state',
    ...defined<StateViewProps>({
      sessionId,
      stateId: stateId === chiefOf(states)?.state_id ? undefined : stateId,
      at: moment.at,
      version: moment.version,
      base,
    }),
  });
  const player = usePlayer(at, last, move);
  useMomentKeys('State', { at, last, onMove: move, toggle: player.toggle, one: 'version' });
  const [byTime, setByTime] = useRemembered('timeline by time');
  const places = useMemo(
    () =>
      placesOf(
        versions.map((one) => ({ at: Date.parse(one.at) })),
        byTime,
      ),
    [versions, byTime],
  );
  const shown = versions[at];
  if (shown === undefined) return <NotYet asked={asked} what="the versions" lines={9} />;
  const show = (etag: string): void => {
    const index = versions.findIndex((version) => version.etag === etag);
    if (index >= 0) move(index);
  };
  const who = whoWords(shown);
  const words = `${versionName(shown, versions)}, ${madeWords(shown).toLowerCase()}${who === undefined ? '' : ` ${who}`}`;
  return (
    <div className="state-view">
      <header className="state-head">
        <div className="timeline-head">
          <h1>State</h1>
          <Link to={{ view: 'session', sessionId }}>Back to session</Link>
          <Link to={{ view: 'timeline', sessionId, ...(at < last && { at: moment.at ?? shown.seq }) }}>
            Run at this point
          </Link>
          <p className="quiet small figures" role="status">
            {at === last ? 'Now' : 'At this point'},{' '}
            {found < 0 ? 'not created yet' : `version ${shown.version} of ${state.version}`}
          </p>
        </div>
        <StateFacts
          states={states}
          state={state}
          shown={shown.etag}
          onState={(to) => navigate({ view: 'state', sessionId, stateId: to })}
        />
        <HeadsTold
          state={state}
          onVersion={show}
          onCompare={(one, other) => {
            show(one);
            setBase(other);
          }}
        />
        <ConflictList sessionId={sessionId} state={state} versions={versions} onVersion={show} />
      </header>
      {found < 0 && !isFetching ? (
        <StateNotice kind="empty" place="part" title="Not created yet">
          <p>At this point the shared state was not there.</p>
        </StateNotice>
      ) : (
        <DocumentPanel stateId={stateId} versions={versions} shown={shown} base={base} onBase={setBase} />
      )}
      <div className="state-side">
        <ChangeTold sessionId={sessionId} stateId={stateId} shown={shown} versions={versions} onVersion={show} />
        <VersionList versions={versions} heads={state.heads} at={at} onMove={move} />
      </div>
      <section className="state-moment" aria-label="Time">
        <MomentBar
          places={places}
          at={at}
          onMove={move}
          player={player}
          words={words}
          byTime={byTime}
          onByTime={setByTime}
        />
      </section>
    </div>
  );
}
