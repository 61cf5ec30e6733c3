import type { UsageSum } from '../../base/usage.js';
import type { RunId, WorkflowHash } from '../../base/ids.js';
import type { SessionListed } from '../../contract/session-list.js';
import type { StateListed } from '../../contract/states-told.js';
import type { RunStory } from '../../contract/session-story.js';
import type { Loaded } from '../../log/port/session-log.js';
import type { SeenMark } from '../../log/port/store-looks.js';
import type { SessionStore } from '../../log/port/session-store.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import { listStates } from '../../respond/states/list-states.js';
import { listedSession } from '../../respond/listed-session.js';
import type { FoldedSession, Run } from '../../sessions/folded-session.js';
import { candidatesOf } from '../../sessions/rank-sessions.js';
import { type RankingFacts, type SessionFacts, sessionFacts } from '../../sessions/ranking-facts.js';
import { statusAt } from '../../sessions/run-status.js';
import { searchableText, textParts } from '../../sessions/searchable-text.js';
import type { PackedWords, WordTable } from '../../sessions/word-table.js';

interface RegisteredRun {
  readonly runId: RunId;
  readonly workflowId: string;
  readonly hash: WorkflowHash;
  readonly startedAt: string;
  readonly status: RunStory['status'];
  /** Absent where none of its steps told. */
  readonly usage?: UsageSum;
}

/** One place where work stands, as it is ranked. */
interface RegisteredPlace {
  /** Absent in a session that holds notes alone. */
  readonly run: RegisteredRun | undefined;
  readonly lastActivity: string;
  /** Absent until words are first asked for. */
  readonly words: PackedWords | undefined;
}

/** What is kept of one session as it was at the last look: enough to find, rank and list it without reading it. */
export interface Registered {
  readonly ref: SessionRef;
  readonly mark: SeenMark;
  /** Absent where its folder holds nothing that can be read. */
  readonly listed?: SessionListed;
  /** Why it could not be read. */
  readonly fault?: string;
  readonly facts?: SessionFacts;
  /** Absent where it has none. */
  readonly states?: readonly StateListed[];
  readonly places: readonly RegisteredPlace[];
}

/** Without a mark the session is read as it stands, and marked so. */
export async function registerSession(
  store: SessionStore<FoldedSession>,
  ref: SessionRef,
  seen: SeenMark | undefined,
  table: WordTable | undefined,
): Promise<Registered> {
  try {
    const take = (loaded: Loaded<FoldedSession>): Omit<Registered, 'mark'> => registerLoaded(loaded, ref, table);
    if (seen !== undefined) return { ...(await store.glance(ref).read(take)), mark: seen };
    const { taken, mark } = await store.looks.read(ref, take);
    return { ...taken, mark };
  } catch (cause) {
    return {
      ref,
      mark: seen ?? store.looks.unseen,
      fault: cause instanceof Error ? cause.message : String(cause),
      places: [],
    };
  }
}

function registerLoaded(
  loaded: Loaded<FoldedSession>,
  ref: SessionRef,
  table: WordTable | undefined,
): Omit<Registered, 'mark'> {
  const { state, findings, eventCount } = loaded;
  const { id } = ref;
  // A folder without one readable line is no session yet.
  if (eventCount === 0 && findings.length === 0) return { ref, places: [] };
  const say = searchableText(id, state);
  const places = candidatesOf(id, state).map(({ run, tip }): RegisteredPlace => ({
    run: run && registerRun(state, run),
    lastActivity: run?.lastAt ?? state.lastAt,
    words: table?.pack(say(run, tip)),
  }));
  return {
    ref,
    listed: listedSession(ref, loaded),
    facts: sessionFacts(id, state),
    ...(state.states.size > 0 && { states: listStates(id, state) }),
    places,
  };
}

function registerRun(state: FoldedSession, { id, started, workflowHash, preferredTip, usage }: Run): RegisteredRun {
  const tip = state.nodes.get(preferredTip);
  return {
    runId: id,
    workflowId: started.data.workflowId,
    hash: workflowHash,
    startedAt: started.at,
    status: tip === undefined ? 'in_progress' : statusAt(state, tip),
    ...(usage !== undefined && { usage }),
  };
}

const nothing = textParts.map(() => 0);

export interface PlaceMet {
  readonly registered: Registered;
  readonly facts: RankingFacts;
  readonly words: PackedWords | undefined;
}

/** The places of one session as they are ranked. */
export function placesMet(registered: Registered, table: WordTable): readonly PlaceMet[] {
  const { facts, places } = registered;
  if (facts === undefined) return [];
  return places.map(({ run, lastActivity, words }) => ({
    registered,
    words,
    facts: {
      session: facts,
      runId: run?.runId,
      workflowId: run?.workflowId,
      lastActivity,
      isOpen: run?.status.startsWith('complete') !== true,
      hits: (asked) => (words === undefined ? nothing : table.hits(words, asked)),
    },
  }));
}
