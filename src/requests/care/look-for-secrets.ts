import { maskedSecret } from '../../secrets/masked-secret.js';
import { defined } from '../../base/defined.js';
import { plural } from '../../base/plural.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { secretsInText } from '../../secrets/secrets-in-text.js';
import type { LeakTold, SecretsReport, UnreadTold } from '../../contract/doctor-answers.js';
import { samePlace } from '../../log/port/session-ref.js';
import type { RawLine } from '../../log/port/store-care.js';
import { unreadable } from '../../log/port/unreadable.js';
import { secretsIn } from '../../secrets/secrets-in-event.js';
import type { Environment } from '../world/environment.js';
import { stopped } from '../world/rejections.js';
import { resolveSessions, rootsTold } from '../world/resolve-sessions.js';

export interface SecretsAsked {
  readonly sessions: readonly string[];
  /** Also in the user's own folder, where there is a nearer one. */
  readonly everywhere: boolean;
  /** Events that have been looked at and hold no secret. */
  readonly except: readonly string[];
  readonly progress?: ((done: number, of: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What looks like a credential in the sessions that a repository would carry. Fast enough to run before every commit. */
export async function lookForSecrets(env: Environment, asked: SecretsAsked): Promise<Result<SecretsReport, Rejection>> {
  const unread: UnreadTold[] = [];
  const cannot = (folder: string, where: string, session?: string) => (fault: unknown, file: string) => {
    const { message, remedy } = unreadable(fault, file);
    unread.push(defined<UnreadTold>({ folder, session, file: `${where}${file}`, message, remedy: env.words(remedy) }));
  };
  const meant =
    asked.sessions.length > 0
      ? await resolveSessions(env, asked.sessions)
      : ok(await env.store.list(({ name }, fault) => cannot(name, '')(fault, 'sessions')));
  if (!meant.ok) return meant;
  const { places, newSessions, care } = env.store;
  const shared = places.filter((place) => place.kind === 'project' || samePlace(place, newSessions));
  const looked = asked.sessions.length > 0 || asked.everywhere ? places : shared;
  const refs = meant.value.filter(({ place }) => looked.some((one) => samePlace(one, place)));
  const except = new Set(asked.except);
  const secrets: LeakTold[] = [];
  let lines = 0;
  let excepted = 0;
  const lookThrough = (
    raws: Iterable<RawLine>,
    told: (leak: Omit<LeakTold, 'folder' | 'session'>) => LeakTold,
  ): void => {
    for (const raw of raws) {
      lines += 1;
      const found = leaksIn(raw);
      if (raw.event !== undefined && except.has(raw.event.sum)) excepted += found.length;
      else secrets.push(...found.map(told));
    }
  };
  for (const [index, ref] of refs.entries()) {
    asked.progress?.(index, refs.length);
    if (asked.signal?.aborted === true) return err(stopped(` after ${plural(index, 'session')}`, 'run it again'));
    lookThrough(care.lines(ref, cannot(ref.place.name, `sessions/${ref.id}/`, ref.id)), (leak) => ({
      folder: ref.place.name,
      session: ref.id,
      ...leak,
    }));
  }
  // Nothing under local/ is carried by a repository, so a hook need not look there.
  for (const beside of asked.everywhere ? [() => care.trash(), () => care.keptBeside()] : []) {
    try {
      for (const { id, place, where, lines: held } of beside()) {
        if (asked.sessions.length > 0 && !refs.some((ref) => ref.id === id)) continue;
        const told = cannot(place.name, `${where}/`, id);
        lookThrough(held(told), (leak) => ({ folder: place.name, session: id, trash: where, ...leak }));
      }
    } catch (fault) {
      for (const { name } of places.slice(0, 1)) cannot(name, '')(fault, 'local');
    }
  }
  return ok({
    roots: rootsTold(looked, refs),
    passedOver: places
      .filter(
        (place) =>
          !looked.some((one) => samePlace(one, place)) && meant.value.some((ref) => samePlace(ref.place, place)),
      )
      .map(({ name }) => name),
    sessions: refs.length,
    lines,
    secrets,
    unread,
    excepted,
  });
}

function leaksIn({ file, line, event, bytes }: RawLine): readonly Omit<LeakTold, 'folder' | 'session'>[] {
  if (event !== undefined) return secretsIn(event).map((secret) => ({ file, line, event: event.sum, ...secret }));
  return secretsInText(bytes.toString('utf8')).map(({ name, text }) => ({
    file,
    line,
    name,
    pointer: '',
    sample: maskedSecret(text),
  }));
}
