import { readPatch } from '../../base/patch/json-patch.js';
import type { JsonValue } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { StateAnswer } from '../../contract/state-answers.js';
import type { Environment } from '../world/environment.js';
import { closeState } from './close-state.js';
import { makeState } from './create-state.js';
import { findState, type StateNamed } from './find-state.js';
import type { VersionNamed } from './named-version.js';
import { stateAt } from './read-state.js';
import { patchRejection } from './state-rejections.js';
import { writeState } from './write-state.js';

export interface StateAsked extends StateNamed {
  readonly path?: string | undefined;
  readonly version?: VersionNamed | undefined;
}

/** A state as whoever reads it outside of an agent's program is told of it. */
export async function readStateForPeople(env: Environment, asked: StateAsked): Promise<Result<StateAnswer, Rejection>> {
  const found = await findState(env, asked);
  return found.ok ? stateAt(env, found.value.log, found.value.state, asked) : found;
}

export async function createStateForPeople(
  env: Environment,
  asked: Parameters<typeof makeState>[1],
): Promise<Result<{ readonly answer: StateAnswer; readonly isNew: boolean }, Rejection>> {
  const made = await makeState(env, asked);
  if (!made.ok) return made;
  const read = await readStateForPeople(env, { stateId: made.value.answer.state_id });
  return read.ok ? ok({ answer: read.value, isNew: made.value.isNew }) : read;
}

export interface WriteForPeople extends StateNamed {
  readonly expected?: VersionNamed | undefined;
  readonly data?: JsonValue | undefined;
  readonly operations?: JsonValue | undefined;
}

export async function writeStateForPeople(
  env: Environment,
  { expected, data, operations, ...named }: WriteForPeople,
): Promise<Result<StateAnswer & { readonly overwrote?: readonly string[] }, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const { log, state, base } = found.value;
  const ops = operations === undefined ? undefined : readPatch(operations);
  if (ops?.ok === false) return err(patchRejection(ops.error, '/operations'));
  const written = await writeState(env, log, state, {
    asked: ops === undefined ? { mode: 'update', value: data ?? null } : { mode: 'patch', ops: ops.value },
    at: ops === undefined ? '/data' : '/operations',
    ...(base !== undefined && { base }),
    ...(expected !== undefined && { expected }),
  });
  if (!written.ok) return written;
  const read = await stateAt(env, log, state, { version: written.value.etag });
  if (!read.ok) return read;
  const { since } = written.value;
  return ok({ ...read.value, ...(since !== undefined && { overwrote: since }) });
}

export async function closeStateForPeople(
  env: Environment,
  {
    reason = '',
    expected,
    ...named
  }: StateNamed & { readonly reason?: string | undefined; readonly expected?: string | undefined },
): Promise<Result<StateAnswer, Rejection>> {
  const found = await findState(env, named);
  if (!found.ok) return found;
  const closed = await closeState(env, found.value.log, found.value.state, { reason, expected });
  return closed.ok ? stateAt(env, found.value.log, found.value.state, {}) : closed;
}
