import { lstatSync } from 'node:fs';
import { join } from 'node:path';
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
import { sessionFolder } from '../segments/session-folder.js';
import type { SoundLine } from '../segments/sift-segment.js';
import { spareFolder, spareFolders } from '../segments/spares.js';
import { scrubKept } from './take-up-kept.js';
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
      scrubbed:
        dryRun || 'damaged' in redacted
          ? []
          : [
              ...redacted.scrubbed,
              ...scrubEverywhere(ref, roots, { needles, redact, newWriter: care.newWriter }, redacted.plan),
            ],
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
        .filter((file) => (!dryRun || !isOwn(ref, root, file)) && !isSecondName(join(root.folder, file), file))
        .map(namedFrom(ref, root)),
    ),
  });
}

/** The same file is told of under the name that it has in its session. */
const isSecondName = (path: string, file: string): boolean =>
  file.startsWith(`${spareFolders}/`) && (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 0) > 1;

/** What a redaction that is only shown would take care of. */
const isOwn = ({ id, root }: FileRef, { folder }: DataRoot, file: string): boolean =>
  [
    ...(folder === root.folder ? [`sessions/${id}/segments/`] : []),
    `quarantine/${id}/`,
    `local/snapshots/${id}.`,
    `${spareFolder(id)}/`,
    'local/tmp/',
    `local/trash/${id}~`,
    `sessions/${besideName}/trash/${id}~`,
  ].some((start) => file.startsWith(start));

/** Files of the session's own root by their place in it, those of another root whole. */
const namedFrom =
  ({ root }: FileRef, { folder }: DataRoot) =>
  (file: string): string =>
    folder === root.folder ? file : `${folder}/${file}`;

interface Scrubbing extends Pick<RedactAsked, 'redact'>, Pick<Maintenance, 'newWriter'> {
  readonly needles: readonly Buffer[];
}

/** A move leaves the session, and what was beside it, in the root it came from: every root in reach is looked through. */
function scrubEverywhere(
  ref: FileRef,
  roots: readonly DataRoot[],
  { needles, redact, newWriter }: Scrubbing,
  plan: RedactionPlan,
): readonly string[] {
  const sums = plan.appends.flatMap(({ lines }) =>
    lines.filter(({ places }) => places.length > 0).map(({ event }) => Buffer.from(`"sum":"${event.sum}"`)),
  );
  return roots.flatMap((root) => {
    try {
      const care = { root, id: ref.id, at: sessionFolder(root, ref.id), newWriter };
      const maySay = ({ event, bytes }: SoundLine): boolean => redact(event) === undefined && !holdAny(bytes, needles);
      return [
        ...scrubTrash(root, ref.id, [...needles, ...sums]),
        // That of its own went with the session.
        ...(root.folder === ref.root.folder ? [] : scrubKept(care, maySay)),
        ...scrubBeside(root, ref.id, needles),
      ].map(namedFrom(ref, root));
    } catch (cause) {
      // What another root does not give away is told by what is still in it.
      if (root.folder === ref.root.folder || errorCode(cause) === undefined) throw cause;
      return [];
    }
  });
}
