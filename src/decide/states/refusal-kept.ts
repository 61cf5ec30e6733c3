import { digestOf } from '../../base/digest.js';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { sentenceText } from '../../base/sentence.js';
import { compareEvents, type EventDraft } from '../../events/event.js';
import type { FoldedSession } from '../../sessions/folded-session.js';
import type { SharedState } from '../../sessions/states/shared-state.js';
import { servedVersion } from '../../sessions/states/version-graph.js';
import type { StateAsked, StateRefused } from './state-write.js';

/** What is recorded of a write that was not taken: once for the same, and so many times for one version. */
export function refusalKept(
  session: FoldedSession,
  state: SharedState,
  why: StateRefused,
  { asked, rejection }: { readonly asked: StateAsked; readonly rejection: Rejection },
): readonly EventDraft<'state_refused'>[] {
  const served = servedVersion(state, session.versions);
  if (state.closed !== undefined || served === undefined || why.kind === 'unread') return [];
  const sent: JsonValue = asked.mode === 'patch' ? [...asked.ops] : asked.value;
  const digest = digestOf({ mode: asked.mode, sent }).slice(0, 16);
  const since = state.refused.filter((one) => compareEvents(one, served.position) > 0);
  if (since.length >= limits.refusalsKept || since.some(({ data }) => data.digest === digest)) return [];
  const { violations = [], message, code } = rejection;
  const told = violations
    .slice(0, limits.violationsKept)
    .map(({ path, message: says }) => ({ path, message: sentenceText(says) }));
  return [
    {
      kind: 'state_refused',
      data: {
        state: state.id,
        ...(why.kind === 'conflict' && { asked: why.base.id }),
        reason: `${code}: ${sentenceText(message)}`,
        violations: told,
        digest,
      },
    },
  ];
}
