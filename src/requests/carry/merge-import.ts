import { command } from '../../base/sentence.js';
import { plural } from '../../base/plural.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { BundleImported, HiddenLine, LinesHidden } from '../../contract/bundle-answers.js';
import { worstFinding } from '../../log/port/finding.js';
import type { SessionRef } from '../../log/port/session-ref.js';
import type { Environment } from '../world/environment.js';
import { type Incoming, importAnswer } from './import-answer.js';
import { logRejection, sessionRejection } from '../world/log-rejections.js';

/** Enough to look at; the rest are as many more. */
const shownLines = 100;

/** Asked before a merge takes lines of the session that is here out of every answer. */
export type AgreeToHide = (hidden: LinesHidden) => Promise<boolean>;

/** The union of a session that is here and a verified bundle of the same work. */
export async function mergeImport(
  env: Environment,
  target: SessionRef,
  incoming: Incoming,
  agree: AgreeToHide,
): Promise<Result<BundleImported, Rejection>> {
  const { manifest, staging, verified } = incoming;
  let hidden: HiddenLine[] = [];
  const here = await env.store.carry.survey(target, {
    begin: () => (hidden = []),
    line: ({ sum, kind, at }, file, line) => {
      if (verified.survey.redacted.has(sum)) hidden.push({ file, line, event: sum, kind, at });
    },
  });
  hidden = hidden.filter(({ event }) => !here.redacted.has(event));
  const context = { sessionId: target.id };
  const worst = worstFinding(here.findings);
  if (worst !== undefined)
    return err({
      ...sessionRejection(target.id, worst, `your copy of ${target.id} cannot be merged into`, {
        action: ['list its problems: ', command('doctor', target.id)],
      }),
      context,
    });
  if (here.origin !== manifest.origin || !here.lines.meets(verified.survey.lines)) {
    return err({
      code: 'PRECONDITION_FAILED',
      message: `your ${target.id} and the session in the bundle share no history, so there is nothing to merge`,
      action: 'import it without --merge, as a separate session',
      context,
    });
  }
  const hides: LinesHidden = { sessionId: target.id, lines: hidden.slice(0, shownLines), count: hidden.length };
  if (hidden.length > 0 && !(await agree(hides))) return err(wouldHide(hides));
  const merged = await staging.merge(target);
  if (!merged.ok) return err(logRejection(merged.error, target.id, 'read'));
  if (!merged.value.ok) {
    const { diverged } = merged.value.error;
    return err({
      code: 'PRECONDITION_FAILED',
      message: `${diverged} continues differently in your copy and in the bundle (from a copied installation, or edited by hand); nothing was merged`,
      action: 'import it without --merge, as a separate session',
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
              `it brought back ${redactedAgain} lines that you had redacted; no answer shows them, but they are on disk again: `,
              command('doctor', target.id),
            ]),
          ],
  });
}

function wouldHide({ sessionId, lines, count }: LinesHidden): Rejection {
  const named = lines.slice(0, 3).map(({ file, line, event, kind }) => `${file} line ${line} (${kind}, ${event})`);
  return {
    code: 'PRECONDITION_FAILED',
    message: `the bundle marks ${plural(count, 'line')} in your copy of ${sessionId} as redacted; merging would hide ${count === 1 ? 'it' : 'them'} from every answer: ${named.join(', ')}${count > named.length ? ' and more' : ''}. Nothing was merged`,
    action: [
      'read them first: ',
      command('log', sessionId),
      '; to hide them, import it with --merge --hide-redacted; to keep them, import it without --merge, as a separate session',
    ],
    context: { sessionId, hidden: lines.map((line) => ({ ...line })), count },
  };
}
