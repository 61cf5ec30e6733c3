import { digestOf } from '../../base/digest.js';
import type { StateId, VersionId } from '../../base/ids.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { readPatch } from '../../base/patch/json-patch.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { StateWrittenAnswer } from '../../contract/state-answers.js';
import { refusalKept } from '../../decide/states/refusal-kept.js';
import { decideStateWrite, type StateAsked, type StateRefused } from '../../decide/states/state-write.js';
import type { EventDraft } from '../../events/event.js';
import type { Decision, SessionLog } from '../../log/port/session-log.js';
import { stateWrittenReply } from '../../respond/states/state-replies.js';
import { tellState } from '../../respond/states/tell-state.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState, Version } from '../../sessions/states/shared-state.js';
import { headsOf, servedVersion, versionLabel } from '../../sessions/states/version-graph.js';
import { sealWrite } from '../../tokens/token.js';
import { drive, type Turn, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { agentOf, findState } from './find-state.js';
import { judgeState } from '../../decide/states/judge-state.js';
import { mergeTurn } from '../world/merge-state.js';
import { namedVersion, type VersionNamed } from './named-version.js';
import { readVersion } from '../world/read-version.js';
import { refusedWrite } from './refused-write.js';
import { patchRejection } from './state-rejections.js';

export function updateState(env: Environment, request: RequestOf<'state_update'>): Promise<Result<Reply, Rejection>> {
  return writeRequested(env, request, { mode: 'update', value: request.data }, '/data');
}

export async function patchState(
  env: Environment,
  request: RequestOf<'state_patch'>,
): Promise<Result<Reply, Rejection>> {
  const ops = readPatch(request.operations);
  if (!ops.ok) return err(patchRejection(ops.error, '/operations'));
  return writeRequested(env, request, { mode: 'patch', ops: ops.value }, '/operations');
}

async function writeRequested(
  env: Environment,
  request: RequestOf<'state_update'> | RequestOf<'state_patch'>,
  asked: StateAsked,
  at: string,
): Promise<Result<Reply, Rejection>> {
  const found = await findState(env, request);
  if (!found.ok) return found;
  const { log, state, base } = found.value;
  const { writeToken, expectedVersion } = request;
  const sent = asked.mode === 'patch' ? asked.ops : asked.value;
  const written = await writeState(env, log, state, {
    asked,
    at,
    ...(base !== undefined && { base }),
    ...(expectedVersion !== undefined && { expected: expectedVersion }),
    // Whoever sends the same with the same token means the same write; in another clone it is another.
    ...(writeToken !== undefined && {
      keeps: true as const,
      id: digestOf({ token: writeToken.toLowerCase(), sent, place: log.place.name }).slice(0, 12) as VersionId,
    }),
  });
  return written.ok ? ok(stateWrittenReply(written.value, 'written')) : written;
}

export interface StateWriteAsked {
  readonly asked: StateAsked;
  /** Where in the request it stands. */
  readonly at: string;
  /** What it is based on: it is done to what came after, too, where it does not touch that. */
  readonly base?: VersionId;
  /** Nothing may have come after this. */
  readonly expected?: VersionNamed;
  readonly id?: VersionId;
  /** Where it is refused, that is recorded: an agent is known by what it tried, too. */
  readonly keeps?: true;
}

/** One write to a state, whichever door it came through. */
export function writeState(
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  write: StateWriteAsked,
): Promise<Result<StateWrittenAnswer, Rejection>> {
  const version = write.id ?? (env.randomId() as VersionId);
  return drive(log, writeTurn(env, log, id, { ...write, id: version }), 'keyed');
}

type Decided =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  | { readonly kind: 'unread'; readonly version: VersionId }
  | { readonly kind: 'merge' }
  | {
      readonly kind: 'written';
      readonly version: VersionId;
      readonly was?: 'written' | 'so';
      readonly since: readonly string[];
    };

function writeTurn(
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  write: StateWriteAsked & { readonly id: VersionId },
  known?: { readonly version: VersionId; readonly value: JsonValue },
): Turn<StateWrittenAnswer> {
  return turn<Decided, StateWrittenAnswer>(
    ({ state: session }) => {
      const state = session.states.get(id);
      if (state === undefined) return { answer: { kind: 'refused', rejection: gone(id) } };
      if (state.closed === undefined && headsOf(state, session.versions).length > 1)
        return { answer: { kind: 'merge' } };
      const expected = write.expected === undefined ? undefined : namedVersion(session, state, write.expected);
      if (expected?.ok === false)
        return { answer: { kind: 'refused', rejection: conflictAt(session, state, write.expected!) } };
      const base = expected?.value ?? (write.base && session.versions.get(write.base));
      const who = env.caller === undefined ? {} : { who: env.caller };
      const decided = decideStateWrite(
        session,
        state,
        write.asked,
        {
          ...(base !== undefined && { base }),
          ...(known !== undefined && known.version === base?.id && { baseValue: known.value }),
          exactly: expected !== undefined,
          id: write.id,
        },
        { judge: judgeState, most: env.stateBytes, ...who },
      );
      if (decided.ok) {
        const { version, events, was, over } = decided.value;
        const since = over.map(versionLabel);
        return { answer: { kind: 'written', version, since, ...(was !== undefined && { was }) }, events };
      }
      if (decided.error.kind !== 'unread') return refusal(session, state, decided.error, write, who);
      const { id: version } = decided.error.version;
      // Read, and of no use: nobody can say what the write would be done to.
      if (known?.version === version) return { answer: { kind: 'refused', rejection: gone(id) } };
      return { answer: { kind: 'unread', version } };
    },
    ({ state: session }, decided) => {
      switch (decided.kind) {
        case 'refused':
          return { done: err(decided.rejection) };
        case 'merge':
          return { next: () => mergeTurn(log, id, env.caller, writeTurn(env, log, id, write, known)) };
        case 'unread': {
          const { version } = decided;
          return {
            next: async () => {
              const value = await readVersion(log, id, version);
              if (value === undefined)
                return turn(
                  () => ({ answer: 0 }),
                  () => ({ done: err(gone(id)) }),
                );
              return writeTurn(env, log, id, write, { version, value });
            },
          };
        }
        case 'written':
          return { done: ok(told(env, log, session, id, decided)) };
      }
    },
  );
}

/** Why it was not taken; of an agent that is recorded. */
function refusal(
  session: FoldedSession,
  state: SharedState,
  why: Exclude<StateRefused, { readonly kind: 'unread' }>,
  write: StateWriteAsked,
  who: Pick<EventDraft, 'who'>,
): Decision<Decided> {
  const rejection = rejected(session, state, why, write);
  const kept = write.keeps === true ? refusalKept(session, state, why, { asked: write.asked, rejection }) : [];
  return { answer: { kind: 'refused', rejection }, events: kept.map((event) => ({ ...event, ...who })) };
}

function told(
  env: Environment,
  log: SessionLog<FoldedSession>,
  session: FoldedSession,
  id: StateId,
  { version, was, since }: Extract<Decided, { readonly kind: 'written' }>,
): StateWrittenAnswer {
  const state = session.states.get(id)!;
  const written = session.versions.get(version)!;
  const isServed = servedVersion(state, session.versions)?.id === version;
  return {
    ...tellState(session, state, written, {
      sessionId: log.id,
      most: env.stateBytes,
      ...(state.closed === undefined && { writeToken: sealWrite(env.keys.current(), log.id, version, agentOf(env)) }),
      warnings: isServed ? [] : ['others have written since'],
    }),
    ...(since.length > 0 && { since }),
    ...(was !== undefined && {
      unchanged: was === 'written' ? ('already written' as const) : ('no difference' as const),
    }),
  };
}

const gone = (id: StateId): Rejection => ({
  code: 'NOT_FOUND',
  message: `the shared state ${id} is not in the log of its session any more; nothing was written`,
  action: 'bring the files back (git checkout, git stash pop), or create another',
  context: { stateId: id },
});

/** A number that is none of this state's. */
function conflictAt(session: FoldedSession, state: SharedState, expected: VersionNamed): Rejection {
  const head = servedVersion(state, session.versions);
  return {
    ...conflictWith(state, head, `Expected version ${expected}, but current is ${head?.depth ?? 'unknown'}`),
    context: {
      stateId: state.id,
      expected,
      ...(head !== undefined && { current: head.depth, etag: versionLabel(head) }),
    },
  };
}

const conflictWith = (state: SharedState, head: Version | undefined, message: string): Rejection => ({
  code: 'STATE_CONFLICT',
  message,
  action: 'read it again, and write from there',
  nextCall: { tool: 'state_read', arguments: { stateId: state.id } },
  ...(head !== undefined && { context: { stateId: state.id, current: head.depth, etag: versionLabel(head) } }),
});

function rejected(
  session: FoldedSession,
  state: SharedState,
  why: Exclude<StateRefused, { readonly kind: 'unread' }>,
  { at, expected }: StateWriteAsked,
): Rejection {
  switch (why.kind) {
    case 'conflict': {
      const { head, base, with: other } = why;
      const message =
        expected !== undefined
          ? `Expected version ${typeof expected === 'number' ? expected : base.depth}, but current is ${head.depth}`
          : other === undefined
            ? `it can no longer be done: others have changed version ${base.depth} to version ${head.depth} since; nothing was written`
            : `it touches what version ${other.depth} has changed since version ${base.depth}; nothing was written`;
      const since = sinceTold(state, base, head, session);
      const { context = {}, ...rest } = conflictWith(state, head, message);
      return { ...rest, context: { ...context, expected: base.depth, ...(since !== undefined && { since }) } };
    }
    case 'closed':
    case 'patch':
    case 'invalid':
      return refusedWrite(session, state, why, { at });
  }
}

const operationsTold = 20;

/** What others have changed since, as far as that is short. */
function sinceTold(
  state: SharedState,
  base: Version,
  head: Version,
  { versions }: FoldedSession,
): readonly JsonObject[] | undefined {
  const all: JsonObject[] = [];
  for (
    let at: Version | undefined = head;
    at !== undefined && at.id !== base.id;
    at = at.from === undefined ? undefined : versions.get(at.from)
  )
    all.unshift(...(state.recent.get(at.id)?.ops ?? []));
  return all.length === 0 || all.length > operationsTold ? undefined : all;
}
