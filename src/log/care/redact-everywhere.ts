import { ok, type Result } from '../../base/result.js';
import { errorCode } from '../../files/fault-reason.js';
import type { DataRoot } from '../../machine/data-root.js';
import { besideName } from '../../machine/local-folder.js';
import type { FileRef } from '../files/file-ref.js';
import type { LogRejection } from '../port/log-rejection.js';
import type { RedactAsked, Redacted } from '../port/store-care.js';
import type { Maintenance } from './exclusive-maintenance.js';
import { redactSession } from './redact-session.js';
import type { RedactionPlan } from './redaction-plan.js';
import { filesHolding, holdAny, needlesOf, scrubBeside, scrubTrash } from './text-on-disk.js';

export interface MaintainedSession {
  maintain<A>(work: (care: Maintenance) => A): Promise<Result<A, LogRejection>>;
}

/** Takes something out of a session's log and out of what lies beside it in every root, and says where it may still be. */
export async function redactEverywhere(
  log: MaintainedSession,
  ref: FileRef,
  roots: readonly DataRoot[],
  { redact, texts, dryRun }: RedactAsked,
): Promise<Result<Redacted, LogRejection>> {
  const needles = needlesOf(texts);
  const done = await log.maintain((care) => {
    const redacted = redactSession(care, { redact, inBytes: (bytes) => holdAny(bytes, needles) }, dryRun);
    return {
      redacted,
      scrubbed: dryRun || 'damaged' in redacted ? [] : scrubEverywhere(ref, roots, needles, redacted.plan),
    };
  });
  if (!done.ok) return done;
  const { redacted, scrubbed } = done.value;
  if ('damaged' in redacted) return ok({ damaged: redacted.damaged });
  const { appends, returned, cuts } = redacted.plan;
  return ok({
    lines: appends.flatMap((append) =>
      append.lines.map(({ event, file, line, places }) => ({ event, file: `segments/${file}`, line, places })),
    ),
    returned,
    tails: [...cuts.values()].filter(({ tailFrom }) => tailFrom !== undefined).length,
    scrubbed,
    stillIn: roots.flatMap((root) =>
      filesHolding(root.folder, needles)
        .filter((file) => !dryRun || !isOwn(ref, root, file))
        .map(namedFrom(ref, root)),
    ),
  });
}

/** What a redaction that is only shown would take care of. */
const isOwn = ({ id, root }: FileRef, { folder }: DataRoot, file: string): boolean =>
  [
    ...(folder === root.folder ? [`sessions/${id}/segments/`] : []),
    `quarantine/${id}/`,
    `local/snapshots/${id}.`,
    'local/tmp/',
    `local/trash/${id}~`,
    `sessions/${besideName}/trash/${id}~`,
  ].some((start) => file.startsWith(start));

/** Files of the session's own root by their place in it, those of another root whole. */
const namedFrom =
  ({ root }: FileRef, { folder }: DataRoot) =>
  (file: string): string =>
    folder === root.folder ? file : `${folder}/${file}`;

/** A move leaves the session, and what was beside it, in the root it came from: every root in reach is looked through. */
function scrubEverywhere(
  ref: FileRef,
  roots: readonly DataRoot[],
  needles: readonly Buffer[],
  plan: RedactionPlan,
): readonly string[] {
  const sums = plan.appends.flatMap(({ lines }) =>
    lines.filter(({ places }) => places.length > 0).map(({ event }) => Buffer.from(`"sum":"${event.sum}"`)),
  );
  return roots.flatMap((root) => {
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
