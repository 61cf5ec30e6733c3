import { command } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { BundleImported } from '../../contract/bundle-answers.js';
import { worstFinding } from '../../log/port/finding.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from '../world/environment.js';
import { type Incoming, importAnswer } from './import-answer.js';
import { logRejection, sessionRejection } from '../world/log-rejections.js';

/** The union of a session that is here and a verified bundle of the same work. */
export async function mergeImport(
  env: Environment,
  target: SessionRef,
  incoming: Incoming,
): Promise<Result<BundleImported, Rejection>> {
  const { manifest, staging, verified } = incoming;
  const here = await env.store.carry.survey(target);
  const context = { sessionId: target.id };
  const worst = worstFinding(here.findings);
  if (worst !== undefined)
    return err({
      ...sessionRejection(target.id, worst, `${target.id} here cannot be merged into`, {
        action: ['see what is wrong with it: ', command('doctor', target.id)],
      }),
      context,
    });
  if (here.origin !== manifest.origin || !here.lines.meets(verified.survey.lines)) {
    return err({
      code: 'PRECONDITION_FAILED',
      message: `${target.id} here and the session in the bundle share no history, so there is nothing to merge`,
      action: 'import it without --merge: it becomes a session of its own',
      context,
    });
  }
  const merged = await staging.merge(target);
  if (!merged.ok) return err(logRejection(merged.error, target.id, 'read'));
  if (!merged.value.ok) {
    const { diverged } = merged.value.error;
    return err({
      code: 'PRECONDITION_FAILED',
      message: `${diverged} went on differently here and in the bundle (a copy of this installation, or bytes that were changed); nothing was merged`,
      action: 'import it without --merge: it becomes a session of its own',
      context: { ...context, part: diverged },
    });
  }
  const { added, grown } = merged.value.value;
  const back = new Set(here.redacted);
  verified.survey.lines.strike(back);
  const redactedAgain = here.redacted.size - back.size;
  const answer = importAnswer(added + grown === 0 ? 'already_here' : 'merged', target, incoming);
  return ok({
    ...answer,
    merged: { added, grown },
    warnings:
      redactedAgain === 0
        ? answer.warnings
        : [
            ...answer.warnings,
            env.words([
              `it brought back the bytes of ${redactedAgain} lines that were redacted here; they are shown to nobody, but lie on the disk: `,
              command('doctor', target.id),
            ]),
          ],
  });
}
