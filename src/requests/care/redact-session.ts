import { command } from '../../base/sentence.js';
import { idPatterns } from '../../base/ids.js';
import { plural } from '../../base/plural.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { RedactedLine, SessionRedacted } from '../../contract/redact-answers.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { RawLine } from '../../log/port/store-care.js';
import { leaksIn } from '../../secrets/secrets-in-event.js';
import { memberNames, redactEvent, type Redaction, textsIn } from '../../secrets/redact-event.js';
import type { Environment } from '../world/environment.js';
import { findSession } from '../world/find-session.js';
import { logRejection, sessionRejection } from '../world/log-rejections.js';

export interface RedactAsked {
  readonly session: string;
  /** An event's sum, or the text itself. Without either: what was redacted before and came back. */
  readonly what?: string | undefined;
  /** Instead: values, where they stand as a whole and not as a part of a word or a number. */
  readonly values?: readonly string[];
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
  const names = memberNames(env.randomId().slice(0, 6));
  const done = await env.store.care.redact(ref, {
    redact: (event) => redactEvent(event, redaction, names),
    texts,
    dryRun: asked.dryRun,
  });
  if (!done.ok) return err(logRejection(done.error, ref.id, 'keyed'));
  const redacted = done.value;
  if (redacted.damaged !== undefined) {
    const { damaged } = redacted;
    return err({
      ...sessionRejection(ref.id, damaged, 'a damaged or incomplete session cannot be redacted', {
        action:
          damaged.level === 'newer'
            ? damaged.remedy
            : ['repair it, then redact again: ', command('doctor', ref.id, '--repair')],
      }),
      context: { sessionId: ref.id },
    });
  }
  const { lines, returned, tails, scrubbed, stillIn } = redacted;
  if (lines.length + returned + tails + scrubbed.length === 0) return err(notThere(ref, asked, stillIn));
  return ok({
    session: ref.id,
    folder: ref.place.name,
    dryRun: asked.dryRun,
    lines: lines.map(({ event: { sum, kind, at }, ...place }): RedactedLine => ({ ...place, event: sum, kind, at })),
    returned,
    tails,
    scrubbed,
    stillIn,
    inGit: env.store.care.isInGit(ref.place),
  });
}

function whatIsMeant(
  env: Environment,
  ref: SessionRef,
  { what, values, secrets }: RedactAsked,
): Result<Meant, Rejection> {
  if (values !== undefined)
    return ok({ redaction: { values }, texts: values.filter(({ length }) => length >= tellingText) });
  if (secrets || (what !== undefined && idPatterns.sum.test(what))) {
    const leaks = new Set<string>();
    for (const { event } of everyLine(env, ref)) {
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
        action: 'pass the text, or - to read it from stdin, or the event that contains it (see workrail log)',
        context: { sessionId: ref.id },
      });
  }
  if (what !== undefined && what.length < shortest)
    return err({
      code: 'VALIDATION_ERROR',
      message: `a text of ${plural(what.length, 'character')} would match too much; use at least ${shortest}`,
      action: 'pass the whole text that leaked',
    });
  const texts = what === undefined ? [] : [what];
  return ok({ redaction: { texts }, texts });
}

function* everyLine({ store: { care } }: Environment, ref: SessionRef): Generator<RawLine, void, undefined> {
  yield* care.lines(ref);
  for (const { id, lines } of [...care.trash(), ...care.keptBeside()]) if (id === ref.id) yield* lines();
}

function notThere({ id }: SessionRef, { what, dryRun }: RedactAsked, stillIn: readonly string[]): Rejection {
  if (what === undefined)
    return {
      code: 'NOT_FOUND',
      message: `no redacted line of ${id} has come back`,
      action: ['name what to remove: ', command('redact', id, '<event or text>'), ', or - to read the text from stdin'],
      context: { sessionId: id },
    };
  const elsewhere = stillIn.length === 0 ? '' : `; it is in ${stillIn.slice(0, 5).join(', ')}`;
  return {
    code: 'NOT_FOUND',
    message: `that text is in no line of ${id}${elsewhere}`,
    action: stillIn.length === 0 ? ['list its events: ', command('log', id)] : 'name the session that contains it',
    context: { sessionId: id, dryRun, stillIn: [...stillIn] },
  };
}
