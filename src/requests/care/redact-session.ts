import { command } from '../../base/sentence.js';
import { idPatterns } from '../../base/ids.js';
import { plural } from '../../base/plural.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { RedactedLine, SessionRedacted } from '../../contract/redact-answers.js';
import { findGitFolders } from '../../machine/git-folders.js';
import { type RawLine, rawLines } from '../../log/segments/raw-lines.js';
import type { RedactionPlan } from '../../log/care/redaction-plan.js';
import { redactSession as redactLog } from '../../log/care/redact-session.js';
import { type SessionFolder, sessionFolder } from '../../log/segments/session-folder.js';
import type { SessionRef } from '../../log/store.js';
import type { DataRoot } from '../../machine/data-root.js';
import { errorCode } from '../../files/fault-reason.js';
import { filesHolding, holdAny, needlesOf, scrubBeside, scrubTrash } from '../../log/care/text-on-disk.js';
import { trashEntries } from '../../log/carry/trash.js';
import { leaksIn } from '../../secrets/secrets-in-event.js';
import { redactEvent, type Redaction, textsIn } from '../../secrets/redact-event.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { findingText, logRejection } from '../world/log-rejections.js';

export interface RedactAsked {
  readonly session: string;
  /** An event's sum, or the text itself. Without either: what was redacted before and came back. */
  readonly what?: string | undefined;
  /** Instead: everything that looks like a credential. */
  readonly secrets: boolean;
  readonly dryRun: boolean;
}

const shortest = 4;
/** A shorter text is looked for in the session's own lines only: half of the disk would hold it. */
const tellingText = 12;

interface Meant {
  readonly redaction: Redaction;
  /** What to look for in bytes that are no lines. */
  readonly texts: readonly string[];
}

/** Takes a leaked secret out of a session's log and out of what lies beside it, and says where it may still be. */
export async function redactSession(env: Environment, asked: RedactAsked): Promise<Result<SessionRedacted, Rejection>> {
  const found = await findSession(env, asked.session);
  if (!found.ok) return found;
  const ref = found.value;
  const meant = whatIsMeant(env, ref, asked);
  if (!meant.ok) return meant;
  const { redaction, texts } = meant.value;
  const needles = needlesOf(texts);
  const log = env.store.open(ref);
  const rules = {
    redact: (event: Parameters<typeof redactEvent>[0]) => redactEvent(event, redaction),
    inBytes: (bytes: Buffer) => holdAny(bytes, needles),
  };
  const done = await log.maintain((care) => {
    const redacted = redactLog(care, rules, asked.dryRun);
    return {
      redacted,
      scrubbed: asked.dryRun || 'damaged' in redacted ? [] : scrubEverywhere(env, ref, needles, redacted.plan),
    };
  });
  if (!done.ok) return err(logRejection(done.error, ref.id, 'keyed'));
  const { redacted, scrubbed } = done.value;
  if ('damaged' in redacted) {
    const { damaged } = redacted;
    return err({
      code: damaged.level === 'newer' ? 'SESSION_NEWER_FORMAT' : 'SESSION_DAMAGED',
      message: `nothing can be taken out of a session that is not sound: ${findingText(damaged)}`,
      action:
        damaged.level === 'newer'
          ? damaged.remedy
          : ['repair it, then redact again: ', command('doctor', ref.id, '--repair')],
      context: { sessionId: ref.id },
    });
  }
  const told = toldOf(redacted.plan);
  const stillIn = env.roots.reading.flatMap((root) =>
    filesHolding(root.folder, needles)
      .filter((file) => !asked.dryRun || !isOwn(ref, root, file))
      .map(namedFrom(ref, root)),
  );
  if (told.lines.length + told.returned + told.tails + scrubbed.length === 0) return err(notThere(ref, asked, stillIn));
  return ok({
    session: ref.id,
    folder: ref.root.folder,
    dryRun: asked.dryRun,
    ...told,
    scrubbed,
    stillIn,
    inGit: findGitFolders(ref.root.folder) !== undefined,
  });
}

/** What a redaction that is only shown would take care of. */
const isOwn = ({ id, root }: SessionRef, { folder }: DataRoot, file: string): boolean =>
  [
    ...(folder === root.folder ? [`sessions/${id}/segments/`] : []),
    `quarantine/${id}/`,
    `local/snapshots/${id}.`,
    'local/tmp/',
    `local/trash/${id}~`,
  ].some((start) => file.startsWith(start));

/** Files of the session's own root by their place in it, those of another root whole. */
const namedFrom =
  ({ root }: SessionRef, { folder }: DataRoot) =>
  (file: string): string =>
    folder === root.folder ? file : `${folder}/${file}`;

/** A move leaves the session, and what was beside it, in the root it came from: every root in reach is looked through. */
function scrubEverywhere(
  env: Environment,
  ref: SessionRef,
  needles: readonly Buffer[],
  plan: RedactionPlan,
): readonly string[] {
  const sums = plan.appends.flatMap(({ lines }) =>
    lines.filter(({ places }) => places.length > 0).map(({ event }) => Buffer.from(`"sum":"${event.sum}"`)),
  );
  return env.roots.reading.flatMap((root) => {
    try {
      return [...scrubTrash(root, ref.id, [...needles, ...sums]), ...scrubBeside(root, ref.id, needles)].map(
        namedFrom(ref, root),
      );
    } catch (cause) {
      // What another root does not give away is told by what is still in it.
      if (root.folder === ref.root.folder || errorCode(cause) === undefined) throw cause;
      return [];
    }
  });
}

function toldOf({ appends, returned, cuts }: RedactionPlan): Pick<SessionRedacted, 'lines' | 'returned' | 'tails'> {
  const lines = appends.flatMap((append) =>
    append.lines.map(({ event, file, line, places }): RedactedLine => ({
      file: `segments/${file}`,
      line,
      event: event.sum,
      kind: event.kind,
      at: event.at,
      places,
    })),
  );
  return { lines, returned, tails: [...cuts.values()].filter(({ tailFrom }) => tailFrom !== undefined).length };
}

function whatIsMeant(env: Environment, ref: SessionRef, { what, secrets }: RedactAsked): Result<Meant, Rejection> {
  const places = [
    sessionFolder(ref.root, ref.id),
    ...env.roots.reading.flatMap((root) =>
      trashEntries(root)
        .filter(({ id }) => id === ref.id)
        .map(({ at }) => at),
    ),
  ];
  if (secrets || (what !== undefined && idPatterns.sum.test(what))) {
    const leaks = new Set<string>();
    for (const { event } of everyLine(places)) {
      if (event === undefined || !(secrets || event.sum === what)) continue;
      const here = leaksIn(event).map(({ text }) => text);
      if (!secrets && here.length === 0)
        return ok({
          redaction: { event: event.sum },
          texts: textsIn(event).filter((text) => text.length >= tellingText),
        });
      for (const text of here) leaks.add(text);
    }
    // Longest first: one may be the beginning of another.
    const texts = [...leaks].toSorted((a, b) => b.length - a.length);
    if (texts.length > 0) return ok({ redaction: { texts }, texts });
    if (secrets)
      return err({
        code: 'NOT_FOUND',
        message: `nothing in ${ref.id} looks like a credential`,
        action:
          'name the text itself, or - to hand it in on stdin, or the event that holds it: workrail log shows them',
        context: { sessionId: ref.id },
      });
  }
  if (what !== undefined && what.length < shortest)
    return err({
      code: 'VALIDATION_ERROR',
      message: `a text of ${plural(what.length, 'character')} stands in too many places; ${shortest} are the least`,
      action: 'give the whole of what leaked',
    });
  const texts = what === undefined ? [] : [what];
  return ok({ redaction: { texts }, texts });
}

function* everyLine(places: readonly SessionFolder[]): Generator<RawLine, void, undefined> {
  for (const at of places) yield* rawLines(at);
}

function notThere({ id }: SessionRef, { what, dryRun }: RedactAsked, stillIn: readonly string[]): Rejection {
  if (what === undefined)
    return {
      code: 'NOT_FOUND',
      message: `nothing that was redacted in ${id} has come back`,
      action: [
        'say what is to be taken out: ',
        command('redact', id, '<event or text>'),
        ', or - to hand the text in on stdin',
      ],
      context: { sessionId: id },
    };
  const elsewhere = stillIn.length === 0 ? '' : `; it is in ${stillIn.slice(0, 5).join(', ')}`;
  return {
    code: 'NOT_FOUND',
    message: `that text is in no line of ${id}${elsewhere}`,
    action: stillIn.length === 0 ? ['see what is in it: ', command('log', id)] : 'name the session that holds it',
    context: { sessionId: id, dryRun, stillIn: [...stillIn] },
  };
}
