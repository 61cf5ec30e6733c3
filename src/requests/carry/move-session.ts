import { command } from '../../base/sentence.js';
import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SecretTold } from '../../contract/bundle-answers.js';
import type { SessionMoved } from '../../contract/session-moved.js';
import { refusalOf } from '../../files/fault-reason.js';
import { type Place, samePlace, type SessionRef } from '../../log/port/session-ref.js';
import type { Part, SessionSurvey, Staging } from '../../log/port/store-carry.js';
import type { MoveRefused } from '../../log/port/store-folders.js';
import { secretsIn } from '../../secrets/secrets-in-event.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { findingContext, findingText, logRejection } from '../world/log-rejections.js';
import type { Watching } from './look-before-export.js';

export interface MoveAsked extends Watching {
  readonly session?: string | undefined;
  readonly to: 'project' | 'user';
  readonly allowSecrets: boolean;
  readonly now: Date;
}

/** Enough to act on; the rest is found when these are gone. */
const secretsKept = 1000;
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
      message: 'this folder is in no project that holds sessions',
      action: ['make it hold some: ', command('init')],
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
    const looked = await lookAt(staged, from, carry.parts(from), asked);
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
    if (asked.signal?.aborted === true)
      return err({
        code: 'PRECONDITION_FAILED',
        message: 'it was stopped; the session is where it was',
        action: 'move it again when there is time',
      });
    const message = refusalOf(cause, 'move the session');
    if (message === undefined) throw cause;
    return err({
      code: 'STORAGE_FAULT',
      message,
      action: 'put that right, then move it again: what was begun is finished',
      context: { sessionId: id },
    });
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

async function lookAt(
  staged: Staging,
  { id }: SessionRef,
  parts: readonly Part[],
  { progress, signal }: Watching,
): Promise<{ readonly survey: SessionSurvey; readonly secrets: readonly SecretTold[] }> {
  const of = parts.reduce((sum, { size }) => sum + size, 0);
  let secrets: SecretTold[] = [];
  let bytes = 0;
  const survey = await staged.survey(id, {
    begin: () => {
      secrets = [];
      bytes = 0;
    },
    line: (event, file, line) => {
      if (secrets.length < secretsKept)
        secrets.push(
          ...secretsIn(event).map(({ name, pointer, sample }) => ({
            file,
            line,
            event: event.sum,
            name,
            pointer,
            sample,
          })),
        );
    },
    progress: (read) => {
      signal?.throwIfAborted();
      bytes += read;
      progress?.({ doing: 'checking', bytes, of });
    },
  });
  return { survey, secrets };
}

function refuseMove(
  { id }: SessionRef,
  { findings }: SessionSurvey,
  secrets: readonly SecretTold[],
): Rejection | undefined {
  const wrong = findings.find(({ level }) => level !== 'torn');
  if (wrong !== undefined) {
    return {
      code:
        wrong.level === 'newer'
          ? 'SESSION_NEWER_FORMAT'
          : wrong.level === 'damage'
            ? 'SESSION_DAMAGED'
            : 'PRECONDITION_FAILED',
      message: `${id} is not whole, so it is not moved: ${findingText(wrong)}`,
      action: ['see all that is wrong with it: ', command('doctor', id)],
      context: { sessionId: id, ...findingContext(wrong) },
    };
  }
  const [first] = secrets;
  if (first === undefined) return undefined;
  return {
    code: 'SECRETS_FOUND',
    message: `${id} holds ${secrets.length === 1 ? 'what looks like a credential' : `${secrets.length} things that look like credentials`}, and would lie in a git repository; it was not moved`,
    action: ['take each out with ', command('redact', id, first.event), ', or move it as it is with --allow-secrets'],
    context: { sessionId: id, secrets: secrets.map((secret) => ({ ...secret })) },
  };
}

const otherContent = (id: string): Rejection => ({
  code: 'PRECONDITION_FAILED',
  message: `there is another session called ${id} in that place already, with other content`,
  action: [
    'take this one there under a new id: ',
    command('export', id, '-o', 'it.workrail'),
    ', then ',
    command('import', 'it.workrail'),
  ],
  context: { sessionId: id },
});
