import { command, withCommands } from '../../base/sentence.js';
import { defined } from '../../base/defined.js';
import { plural } from '../../base/plural.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { DoctorFinding, DoctorReport, RepairTold } from '../../contract/doctor-answers.js';
import { readPin } from '../../definitions/compiled/pin.js';
import type { WorkflowHash } from '../../base/ids.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { examineKeys } from '../../machine/examine-keys.js';
import { readGlobalPreferences } from '../../machine/global-preferences.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { CareFinding } from '../../log/port/store-care.js';
import { unreadable } from '../../log/port/unreadable.js';
import type { Environment } from '../world/environment.js';
import { repairOne } from './repair-one.js';
import { stopped } from '../world/rejections.js';
import { toldRetention } from './retention-told.js';
import { resolveSessions, rootsTold } from '../world/resolve-sessions.js';

export interface DoctorAsked {
  /** All in reach where none is named; then also what lies beside them. */
  readonly sessions: readonly string[];
  readonly repair: boolean;
  readonly acceptLoss: boolean;
  readonly progress?: ((done: number, of: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Everything that can be wrong on disk: what, where, and what to do. Nothing is written unless a repair is asked for. */
export async function doctor(env: Environment, asked: DoctorAsked): Promise<Result<DoctorReport, Rejection>> {
  const refused = asked.sessions.length > 0 ? env.refusal() : undefined;
  if (refused !== undefined) return err(refused);
  const findings: DoctorFinding[] = [];
  const unread = (folder: string, file: string, session?: string) => (fault: unknown) => {
    findings.push(toldOf(env, unreadable(fault, file), folder, session));
  };
  const refs =
    asked.sessions.length > 0
      ? await sessionsMeant(env, asked)
      : ok(await env.store.list(({ name }, fault) => unread(name, 'sessions')(fault)));
  if (!refs.ok) return refs;
  const { care } = env.store;
  if (asked.sessions.length === 0) findings.push(...(await aroundSessions(env)));
  await told(unread('.', '.'), async () => {
    for (const { ref, finding } of await care.examineTogether(refs.value))
      findings.push(toldOf(env, finding, ref.place.name, ref.id));
  });
  const repairs: RepairTold[] = [];
  const soundPins = new Set<string>();
  let events = 0;
  for (const [index, ref] of refs.value.entries()) {
    asked.progress?.(index, refs.value.length);
    if (asked.signal?.aborted === true)
      return err(
        stopped(` after ${plural(index, 'session')}`, [
          'run it again, or check a single session: ',
          command('doctor', '<session>'),
        ]),
      );
    // One that cannot be read keeps no other from being looked at.
    await told(unread(ref.place.name, '.', ref.id), async () => {
      let examined = await care.examine(ref);
      if (asked.repair && needsRepair(examined.findings, asked)) {
        repairs.push(
          await repairOne(env, ref, { acceptLoss: asked.acceptLoss, everyBranch: asked.sessions.length > 0 }),
        );
        examined = await care.examine(ref);
      }
      events += examined.events;
      const found = [...examined.findings, ...(await unreadablePins(env, ref, examined.pins, soundPins))];
      findings.push(...found.map((finding) => toldOf(env, finding, ref.place.name, ref.id)));
    });
  }
  return ok({
    roots: rootsTold(env.store.places, refs.value),
    sessions: refs.value.length,
    events,
    findings,
    repairs,
    retention: toldRetention(
      env,
      readGlobalPreferences(env.roots.config, () => undefined),
    ),
    sound: findings.every(({ level }) => level === 'note' || level === 'torn'),
  });
}

/** What the system refuses is told, and what comes after it looked at all the same. */
async function told(refused: (fault: unknown) => void, look: () => Promise<void> | void): Promise<void> {
  try {
    await look();
  } catch (fault) {
    refused(fault);
  }
}

/** Also one that is not here, where it is named to be put back from what is kept of it. */
async function sessionsMeant(
  env: Environment,
  { sessions, repair }: DoctorAsked,
): Promise<Result<readonly SessionRef[], Rejection>> {
  const kept = sessions.length > 0 && repair ? env.store.care.away().filter((away) => away.kept) : [];
  const isAway = (word: string): readonly SessionRef[] =>
    kept.filter(({ id }) => id.toLowerCase() === word.trim().toLowerCase()).slice(0, 1);
  const here = sessions.filter((word) => isAway(word).length === 0);
  if (here.length === sessions.length) return resolveSessions(env, sessions);
  const found = here.length === 0 ? ok([]) : await resolveSessions(env, here);
  return found.ok ? ok([...found.value, ...sessions.flatMap(isAway)]) : found;
}

/** What another branch may hold comes back only to a session that somebody names. */
function needsRepair(findings: readonly CareFinding[], { acceptLoss, sessions }: DoctorAsked): boolean {
  return findings.some(
    ({ level, kept }) =>
      level === 'damage' ||
      (level === 'torn' && kept === true) ||
      (level === 'incomplete' && (acceptLoss || kept === true)) ||
      (kept === true && sessions.length > 0),
  );
}

function toldOf(
  env: Environment,
  { level, remedy, ...found }: CareFinding,
  folder: string,
  session?: string,
): DoctorFinding {
  const { file, line, byte, message } = found;
  const told = env.words(typeof remedy === 'string' ? withCommands(remedy, session) : remedy);
  return defined<DoctorFinding>({ level, folder, session, file, line, byte, message, remedy: told });
}

async function aroundSessions(env: Environment): Promise<DoctorFinding[]> {
  const { config, foreign } = env.roots;
  const findings: DoctorFinding[] = [];
  const part = (folder: string, look: () => Promise<void> | void): Promise<void> =>
    told((fault) => findings.push(toldOf(env, unreadable(fault, '.'), folder)), look);
  await part('.', () => {
    findings.push(...env.store.care.examineBeside().map(({ place, finding }) => toldOf(env, finding, place.name)));
  });
  if (foreign !== undefined)
    findings.push(
      toldOf(
        env,
        {
          level: 'note',
          file: '.',
          message: `it belongs to user ${foreign.owner}, so it is ignored`,
          remedy: ['if you trust its owner: ', command('init', '--trust', foreign.folder)],
        },
        foreign.folder,
      ),
    );
  await part(config, () => {
    findings.push(...examineKeys(config).map((finding) => toldOf(env, finding, config)));
  });
  readGlobalPreferences(config, (message) =>
    findings.push({
      level: 'note',
      folder: config,
      file: 'config.json',
      message,
      remedy: env.words(['fix it, or see which preferences apply: ', command('prefs')]),
    }),
  );
  await part(env.workspace, async () => {
    findings.push(...brokenFiles(env, await env.library.list()));
  });
  return findings;
}

function brokenFiles(env: Environment, entries: readonly LibraryEntry[]): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = [];
  for (const { file, source, violations } of entries) {
    if (violations.length === 0) continue;
    findings.push({
      level: 'note',
      folder: source,
      file,
      message: `this workflow file has ${plural(violations.length, 'violation')} and cannot be started: ${violations[0]!.message}`,
      remedy: env.words(['list them: ', command('validate')]),
    });
  }
  return findings;
}

/** Pins whose bytes are right, and which this program cannot follow all the same. */
async function unreadablePins(
  env: Environment,
  ref: SessionRef,
  pins: readonly string[],
  known: Set<string>,
): Promise<readonly CareFinding[]> {
  const found: CareFinding[] = [];
  const log = env.store.glance(ref);
  for (const hash of pins) {
    if (known.has(hash)) continue;
    const pin = await log.pin(hash as WorkflowHash);
    if (!pin.ok) continue;
    const read = readPin(pin.text, hash as WorkflowHash);
    if (read.ok) known.add(hash);
    else
      found.push({
        level: /newer/u.test(read.error) ? 'newer' : 'damage',
        file: `pins/${hash}.json`,
        message: read.error,
        remedy: 'upgrade WorkRail, then try again; runs of other workflows in this session continue',
      });
  }
  return found;
}
