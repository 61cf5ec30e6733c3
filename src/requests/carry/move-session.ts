import { command } from '../../base/sentence.js';
import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SecretTold } from '../../contract/bundle-answers.js';
import type { SessionMoved } from '../../contract/session-moved.js';
import { type Place, samePlace, type SessionRef } from '../../log/port/session-ref.js';
import type { SessionSurvey, Staging } from '../../log/port/store-carry.js';
import type { MoveRefused } from '../../log/port/store-folders.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { logRejection, sessionRejection } from '../world/log-rejections.js';
import { stopped, systemRefused } from '../world/rejections.js';
import { lookThrough, secretsFound, sizeOf, type Watching } from './look-through.js';

export interface MoveAsked extends Watching {
  readonly session?: string | undefined;
  readonly to: 'project' | 'user';
  readonly allowSecrets: boolean;
  readonly now: Date;
}

/** Takes a session from the user's folder into the repository, or back. Its id and its bytes stay, so its tokens go on working. */
export async function moveSession(env: Environment, asked: MoveAsked): Promise<Result<SessionMoved, Rejection>> {
  const found = await findSession(env, asked.session);
  if (!found.ok) return found;
  const { id } = found.value;
  const { care, carry, folders } = env.store;
  const to = folders?.known.find(({ kind }) => kind === asked.to);
  if (folders === undefined || to === undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: 'this folder is not in a project with sessions of its own',
      action: ['set one up: ', command('init')],
    });
  const everywhere = (await env.store.list()).filter((ref) => ref.id === id);
  const there = everywhere.find(({ place }) => samePlace(place, to));
  const from = samePlace(found.value.place, to) ? everywhere.find(({ place }) => !samePlace(place, to)) : found.value;
  const isInGit = (place: Place): boolean => place.kind !== 'user' && care.isInGit(place);
  const inGit = isInGit(to);
  const about = { sessionId: id, to: to.kind, folder: to.name, inGit };
  if (from === undefined) return ok({ ...about, from: to.kind, outcome: 'already_there', leftGit: false, secrets: [] });
  if (there !== undefined && !(await carry.survey(from)).lines.meets((await carry.survey(there)).lines))
    return err(otherContent(id));
  let secrets: readonly SecretTold[] = [];
  const check = async (staged: Staging): Promise<Result<unknown, Rejection>> => {
    // The copy is what is read and checked: it is what will be there.
    const looked = await lookThrough((visit) => staged.survey(id, visit), sizeOf(carry.parts(from)), asked);
    secrets = inGit ? looked.secrets : [];
    const refused = refuseMove(from, looked.survey, asked.allowSecrets ? [] : secrets);
    return refused === undefined ? ok(undefined) : err(refused);
  };
  try {
    const moved = await folders.move({ from, to, now: asked.now, check });
    if (!moved.ok) return err(moveRejection(id, moved.error));
    return ok({
      ...about,
      from: from.place.kind,
      outcome: there === undefined ? 'moved' : 'finished',
      leftGit: isInGit(from.place),
      secrets,
    });
  } catch (cause) {
    if (asked.signal?.aborted === true) return err(stopped('; the session was not moved', 'move it again'));
    const action = 'fix that, then move it again to finish the move';
    return err(systemRefused(cause, 'move the session', '', action, { sessionId: id }));
  }
}

function moveRejection(id: SessionId, refused: MoveRefused<Rejection>): Rejection {
  switch (refused.why) {
    case 'checked':
      return refused.error;
    case 'busy':
      return logRejection(refused.error, id, 'keyed');
    case 'diverged':
      return otherContent(id);
  }
}

function refuseMove(
  { id }: SessionRef,
  { findings }: SessionSurvey,
  secrets: readonly SecretTold[],
): Rejection | undefined {
  const wrong = findings.find(({ level }) => level !== 'torn');
  if (wrong !== undefined)
    return {
      ...sessionRejection(id, wrong, `${id} is damaged, so it was not moved`, {
        action: ['list its problems: ', command('doctor', id)],
      }),
      ...(wrong.level === 'incomplete' && { code: 'PRECONDITION_FAILED' as const }),
    };
  return secrets.length === 0
    ? undefined
    : secretsFound(id, secrets, ', and would enter a git repository; it was not moved', 'move');
}

const otherContent = (id: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `that folder already has a session named ${id}, with other content`,
  action: [
    'copy this one there under a new id: ',
    command('export', id, '-o', 'it.workrail'),
    ', then ',
    command('import', 'it.workrail'),
  ],
  context: { sessionId: id },
});
