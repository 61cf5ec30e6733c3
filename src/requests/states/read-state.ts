import type { StateId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { parsePointer, valueAt } from '../../base/patch/json-pointer.js';
import { plainCopy } from '../../base/plain-copy.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import type { SessionLog } from '../../log/port/session-log.js';
import { schemaReply, stateReply } from '../../respond/states/state-replies.js';
import { tellState, withValue } from '../../respond/states/tell-state.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import { documentOf } from '../../sessions/states/state-document.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import { sealWrite } from '../../tokens/token.js';
import { unreadableIn } from '../world/log-rejections.js';
import type { Environment } from '../world/environment.js';
import { agentOf, findState } from './find-state.js';
import { namedVersion, type VersionNamed } from './named-version.js';
import { readVersion } from '../world/read-version.js';
import { tellSchema } from './add-schema.js';
import { registeredSchema } from './registered-schema.js';
import { notHere } from './state-rejections.js';

/** A state as it is, or was: the value of any version, or a part of it. */
export async function readState(env: Environment, request: RequestOf<'state_read'>): Promise<Result<Reply, Rejection>> {
  const found = await findState(env, request);
  if (!found.ok) return found;
  const answer = await stateAt(env, found.value.log, found.value.state, request);
  return answer.ok ? ok(stateReply(answer.value)) : answer;
}

export async function stateAt(
  env: Environment,
  log: SessionLog<FoldedSession>,
  id: StateId,
  { path = '', version: wanted }: { readonly path?: string | undefined; readonly version?: VersionNamed | undefined },
): Promise<Result<StateAnswer, Rejection>> {
  const pointer = parsePointer(path);
  if (!pointer.ok)
    return err({
      code: 'VALIDATION_ERROR',
      message: pointer.error.message,
      action: pointer.error.action,
      violations: [{ path: '/path', rule: 'pointer', message: pointer.error.message }],
    });
  const fault = await log.confirm();
  if (fault !== undefined)
    return err({ code: fault.code, message: fault.message, action: 'make the same call again', again: [] });
  const read = await log.read(({ state: session, findings }) => {
    const state = session.states.get(id);
    const version =
      state &&
      (wanted === undefined ? ok(servedVersion(state, session.versions)) : namedVersion(session, state, wanted));
    if (state === undefined || version === undefined) return undefined;
    if (!version.ok) return version;
    if (version.value === undefined) return undefined;
    const isServed = servedVersion(state, session.versions)?.id === version.value.id;
    const writeToken =
      state.closed === undefined && isServed
        ? sealWrite(env.keys.current(), log.id, version.value.id, agentOf(env))
        : undefined;
    const unreadable = unreadableIn(findings);
    const told = tellState(session, state, version.value, {
      sessionId: log.id,
      most: env.stateBytes,
      ...(writeToken !== undefined && { writeToken }),
      warnings: unreadable === undefined ? [] : [`the log of the session cannot be read whole: ${unreadable.message}`],
    });
    const document = documentOf(session, state, version.value);
    const part = document && valueAt(document.value, pointer.value);
    return ok({
      told,
      version: version.value.id,
      isRead: document !== undefined,
      part: part === undefined ? undefined : (plainCopy({ part }) as { readonly part: JsonValue }).part,
    });
  });
  if (read === undefined) return err(notHere(id));
  if (!read.ok) return read;
  const { told, version, isRead } = read.value;
  let { part } = read.value;
  if (!isRead) {
    const value = await readVersion(log, id, version);
    if (value === undefined) return err(notHere(id));
    part = valueAt(value, pointer.value);
  }
  if (part !== undefined) return ok(withValue(told, part, path));
  return err({
    code: 'NOT_FOUND',
    message: `there is nothing at ${path} in version ${told.version} of the shared state`,
    action: 'read the whole of it, or a part that is there',
    nextCall: { tool: 'state_read', arguments: { stateId: id } },
    context: { stateId: id, path },
  });
}

/** The schema that a state is held to, or one that is registered. */
export async function showSchema(
  env: Environment,
  request: RequestOf<'state_schema'>,
): Promise<Result<Reply, Rejection>> {
  const { schemaName, schemaVersion } = request;
  if (schemaName !== undefined) {
    const found = registeredSchema(env, schemaName, schemaVersion);
    if (!found.ok) return found;
    return ok(schemaReply(tellSchema(found.value)));
  }
  const found = await findState(env, request);
  if (!found.ok) return found;
  const schema = await found.value.log.read(({ state: session }) => {
    const state = session.states.get(found.value.state);
    const served = state && servedVersion(state, session.versions);
    return served && { ...served.schema };
  });
  if (schema === undefined) return err(notHere(found.value.state));
  const { id, name, version, json } = schema;
  return ok(schemaReply({ schema_id: id, name, version, json_schema: json }));
}
