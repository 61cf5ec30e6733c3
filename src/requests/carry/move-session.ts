import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SecretTold } from '../../contract/bundle-answers.js';
import type { SessionMoved } from '../../contract/session-moved.js';
import type { DataRoot } from '../../machine/data-root.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { holdLeases } from '../../log/looks/hold-leases.js';
import { openStaging, type Staging } from '../../log/carry/import-staging.js';
import { shareLine } from '../../log/segments/line-sums.js';
import { copySession, relocateSession } from '../../log/carry/relocate-session.js';
import { listSegments, type SessionFolder, sessionFolder } from '../../log/segments/session-folder.js';
import { storageFault } from '../../log/files/storage-fault.js';
import type { SessionRef } from '../../log/store.js';
import { type SessionSurvey, surveySession } from '../../log/reading/survey-session.js';
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
/** Copying again costs little next to keeping everybody else waiting; the last time they wait. */
const triesBesideWriters = 3;

interface Move extends MoveAsked {
  readonly from: SessionRef;
  readonly root: DataRoot;
  readonly inGit: boolean;
}

/** Takes a session from the user's folder into the repository, or back. Its id and its bytes stay, so its tokens go on working. */
export async function moveSession(env: Environment, asked: MoveAsked): Promise<Result<SessionMoved, Rejection>> {
  const found = await findSession(env, asked.session);
  if (!found.ok) return found;
  const { id } = found.value;
  const root = env.roots.known.find(({ kind }) => kind === asked.to);
  if (root === undefined)
    return err({
      code: 'PRECONDITION_FAILED',
      message: 'this folder is in no project that holds sessions',
      action: ['make it hold some: ', command('init')],
    });
  const everywhere = (await env.store.list()).filter((ref) => ref.id === id);
  const there = everywhere.find((ref) => ref.root.folder === root.folder);
  const from =
    found.value.root.folder === root.folder ? everywhere.find((ref) => ref.root.folder !== root.folder) : found.value;
  const isInGit = ({ kind, folder }: DataRoot): boolean => kind !== 'user' && findGitFolders(folder) !== undefined;
  const inGit = isInGit(root);
  if (from === undefined)
    return ok({
      sessionId: id,
      from: root.kind,
      to: root.kind,
      folder: root.folder,
      outcome: 'already_there',
      inGit,
      leftGit: false,
      secrets: [],
    });
  env.store.open(from).letGo();
  if (there !== undefined) {
    env.store.open(there).letGo();
    if (!(await shareHistory(from, there))) return err(otherContent(id));
  }
  try {
    const moved = await copyAndMove(env, { ...asked, from, root, inGit });
    if (!moved.ok) return moved;
    env.sessions.note({ id, root });
    return ok({
      sessionId: id,
      from: from.root.kind,
      to: root.kind,
      folder: root.folder,
      outcome: there === undefined ? 'moved' : 'finished',
      inGit,
      leftGit: isInGit(from.root),
      secrets: moved.value,
    });
  } catch (cause) {
    if (asked.signal?.aborted === true)
      return err({
        code: 'PRECONDITION_FAILED',
        message: 'it was stopped; the session is where it was',
        action: 'move it again when there is time',
      });
    const { message } = storageFault(cause, 'move the session', 'nothing written');
    return err({
      code: 'STORAGE_FAULT',
      message,
      action: 'put that right, then move it again: what was begun is finished',
      context: { sessionId: id },
    });
  } finally {
    env.store.open(from).letGo();
  }
}

async function copyAndMove(env: Environment, move: Move): Promise<Result<readonly SecretTold[], Rejection>> {
  for (let tries = 1; ; tries += 1) {
    // What grows while it is copied is copied again; the last time nobody may write while that is done.
    const alone = tries >= triesBesideWriters;
    const done = alone
      ? await underLeases(move, () => copyOnce(env, move, true, (finish) => finish()))
      : await copyOnce(env, move, false, (finish) => underLeases(move, finish));
    if (!done.ok) return done;
    if (done.value !== 'grew') return ok(done.value);
  }
}

async function underLeases<A>(
  { from, root }: Move,
  work: () => Promise<Result<A, Rejection>>,
): Promise<Result<A, Rejection>> {
  const held = await holdLeases([from, { id: from.id, root }], work);
  return held.ok ? held.value : err(logRejection(held.error, from.id, 'keyed'));
}

type Copied = readonly SecretTold[] | 'grew';
type Finish = () => Promise<Result<Copied, Rejection>>;

async function copyOnce(
  env: Environment,
  move: Move,
  evenGrown: boolean,
  guard: (finish: Finish) => Promise<Result<Copied, Rejection>>,
): Promise<Result<Copied, Rejection>> {
  const { from, root, now, inGit, allowSecrets } = move;
  const staging = openStaging(root, env.randomId());
  try {
    const copied = await copySession(sessionFolder(from.root, from.id), staging);
    // The copy is what is read and checked: it is what will be there.
    const { survey, secrets } = await lookAt(staging.at, from, move);
    const refused = refuseMove(from, survey, inGit && !allowSecrets ? secrets : []);
    if (refused !== undefined) return err(refused);
    const relocation = {
      id: from.id,
      from: from.root,
      to: root,
      staging,
      copied,
      late: (): Staging => openStaging(root, env.randomId()),
      evenGrown,
      now,
      mark: env.randomId(),
    };
    return await guard(async () => {
      const relocated = await relocateSession(relocation);
      if (relocated.ok) return ok(inGit ? secrets : []);
      return relocated.error === 'grew' ? ok('grew') : err(otherContent(from.id));
    });
  } finally {
    staging.discard();
  }
}

async function lookAt(
  at: SessionFolder,
  { id }: SessionRef,
  { progress, signal }: Watching,
): Promise<{ readonly survey: SessionSurvey; readonly secrets: readonly SecretTold[] }> {
  const of = listSegments(at.segments).segments.reduce((sum, { size }) => sum + size, 0);
  let secrets: SecretTold[] = [];
  let bytes = 0;
  const survey = await surveySession(at, id, {
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

async function shareHistory(one: SessionRef, other: SessionRef): Promise<boolean> {
  const [a, b] = [
    await lookAt(sessionFolder(one.root, one.id), one, {}),
    await lookAt(sessionFolder(other.root, other.id), other, {}),
  ];
  return shareLine(a.survey.lines, b.survey.lines);
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
