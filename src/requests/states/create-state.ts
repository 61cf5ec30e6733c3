import type { JsonObject } from '../../base/json-value.js';
import type { StateId, VersionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { StateWrittenAnswer } from '../../contract/state-answers.js';
import { type CreateRefused, decideStateCreate } from '../../decide/states/create-state.js';
import type { EventDraft } from '../../events/event.js';
import type { StateSchema } from '../../events/state-events.js';
import { stateWrittenReply } from '../../respond/states/state-replies.js';
import { tellState } from '../../respond/states/tell-state.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { sealWrite } from '../../tokens/token.js';
import { targetSession } from '../steps/target-session.js';
import { drive, turn } from '../world/drive.js';
import type { Environment } from '../world/environment.js';
import { agentOf } from './find-state.js';
import { judgeState } from '../../decide/states/judge-state.js';
import { newStateId } from './new-state-id.js';
import { registeredSchema } from './registered-schema.js';
import { invalidState, patchRejection } from './state-rejections.js';

export async function createState(
  env: Environment,
  request: RequestOf<'state_create'>,
): Promise<Result<Reply, Rejection>> {
  const made = await makeState(env, request);
  return made.ok ? ok(stateWrittenReply(made.value.answer, made.value.isNew ? 'created' : 'found')) : made;
}

export interface MadeState {
  readonly answer: StateWrittenAnswer;
  readonly isNew: boolean;
}

/** Makes the document that a session shares with the agents below it. */
export async function makeState(
  env: Environment,
  request: RequestOf<'state_create'>,
): Promise<Result<MadeState, Rejection>> {
  const schema = registeredSchema(env, request.schemaName, request.schemaVersion);
  if (!schema.ok) return schema;
  const target = await targetSession(env, request.session);
  if (!target.ok) return target;
  const { log, key, observation } = target.value;
  const { id, name, version, json } = schema.value;
  const pinned: StateSchema = { id, name, version, json };
  const first = env.randomId() as VersionId;
  const create = turn<Result<Created, CreateRefused>, MadeState>(
    ({ state }) => {
      const begin: readonly EventDraft[] = state.started
        ? []
        : [
            {
              kind: 'session_started',
              data: {
                ...(key !== undefined && { key }),
                preferences: env.globalPreferences(),
                producer: `workrail ${env.version}`,
              },
            },
            ...(observation === undefined ? [] : [{ kind: 'observation' as const, data: observation }]),
          ];
      const given = {
        schema: pinned,
        value: request.initialData,
        id: newStateId(env, log.id, state.states),
        version: first,
      };
      const who = env.caller === undefined ? {} : { who: env.caller };
      const decided = decideStateCreate(state, given, { judge: judgeState, most: env.stateBytes, ...who });
      if (!decided.ok) return { answer: decided };
      const { events } = decided.value;
      const created = { id: decided.value.state, isNew: events.length > 0 };
      return { answer: ok(created), events: created.isNew ? [...begin, ...events] : [] };
    },
    ({ state: session }, decided) => {
      if (!decided.ok) return { done: err(refused(decided.error, pinned, log.id)) };
      const { id: made, isNew } = decided.value;
      const state = session.states.get(made)!;
      const served = servedVersion(state, session.versions)!;
      const writeToken = sealWrite(env.keys.current(), log.id, served.id, agentOf(env));
      const told = tellState(session, state, served, { sessionId: log.id, writeToken, most: env.stateBytes });
      const nextCall = { tool: 'state_read', arguments: { stateId: state.id } };
      return { done: ok({ answer: { ...told, nextCall }, isNew }) };
    },
  );
  return drive(log, create, key === undefined ? 'start' : 'keyed');
}

interface Created {
  readonly id: StateId;
  readonly isNew: boolean;
}

function refused(why: CreateRefused, schema: StateSchema, sessionId: string): Rejection {
  switch (why.kind) {
    case 'open': {
      const { id } = why.state;
      const context: JsonObject = { stateId: id, sessionId };
      return {
        code: 'ALREADY_EXISTS',
        message: `session ${sessionId} has a shared state already, ${id}, and the document is another; nothing was created`,
        action: 'read that one, and write to it; or create one in a session of its own',
        nextCall: { tool: 'state_read', arguments: { stateId: id } },
        context,
      };
    }
    case 'problem':
      return patchRejection(why.problem, '/initialData');
    case 'invalid':
      return invalidState(why.violations, schema, '/initialData');
  }
}
