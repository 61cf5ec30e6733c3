import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { shortDigest } from '../../decide/requested-output.js';
import type { EventDraft } from '../../events/event.js';
import { sessionReply } from '../../respond/answer-to-checkpoint.js';
import { sealerFor } from '../../respond/sealer.js';
import type { Environment } from '../world/environment.js';
import { drive, turn } from '../world/drive.js';
import { sessionWarnings } from './session-warnings.js';
import { targetSession } from './target-session.js';

/** A session for notes alone. One of that key is joined; a title or tags that differ are set anew. */
export async function startSession(
  env: Environment,
  request: RequestOf<'start_session'>,
): Promise<Result<Reply, Rejection>> {
  const target = await targetSession(env, request.session);
  if (!target.ok) return target;
  const { log, key, observation } = target.value;
  const { title, tags } = request;
  const labels = { ...(title !== undefined && { title }), ...(tags !== undefined && { tags }) };
  const begun = turn<boolean, Reply>(
    ({ state }) => {
      if (state.started) {
        const same =
          (title === undefined || title === state.title) &&
          (tags === undefined || shortDigest(tags) === shortDigest(state.tags));
        return same ? { answer: false } : { answer: false, events: [{ kind: 'session_labelled', data: labels }] };
      }
      const events: EventDraft[] = [
        {
          kind: 'session_started',
          data: {
            ...(key !== undefined && { key }),
            ...labels,
            preferences: env.globalPreferences(),
            producer: `workrail ${env.version}`,
          },
        },
      ];
      if (observation !== undefined) events.push({ kind: 'observation', data: observation });
      return { answer: true, events };
    },
    ({ findings }, isNew) => ({
      done: ok(sessionReply(sealerFor(env.keys.all(), log.id), isNew, sessionWarnings(findings))),
    }),
  );
  return drive(log, begun, key === undefined ? 'start' : 'keyed');
}
