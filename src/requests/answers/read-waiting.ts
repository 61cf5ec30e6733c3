import { errorText } from '../../base/error-text.js';
import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { WaitingHere, WaitingRow } from '../../contract/question-told.js';
import { parseSearch, writeFilter } from '../../contract/session-search.js';
import type { Environment } from '../world/environment.js';
import { askSearch } from '../world/session-filter.js';
import { questionsOf } from './read-questions.js';

const waiting = parseSearch(`${writeFilter('is', 'waiting')} ${writeFilter('sort', 'waiting')}`);

/** What waits for the person in all sessions. The register says in which; what is told comes from their logs. */
export async function readWaiting(
  env: Environment,
  { patienceMs }: { readonly patienceMs?: number | undefined },
): Promise<Result<WaitingHere, Rejection>> {
  const asked = askSearch(waiting, env.now());
  const { shown, left, reading } = await env.register.page({ asked, limit: limits.waitingShown, after: 0 }, patienceMs);
  const rows: WaitingRow[] = [];
  const unreadable: WaitingHere['unreadable'][number][] = [];
  for (const { registered } of shown) {
    const { ref, listed } = registered;
    const unread = (message: string): unknown => unreadable.push({ sessionId: ref.id, message });
    try {
      const told = await questionsOf(env, ref);
      if (!told.ok) unread(told.error.message);
      else
        rows.push(
          ...told.value.waiting.map((work) => ({
            kind: 'question' as const,
            sessionId: ref.id,
            name: listed?.about ?? ref.id,
            ...(listed?.trouble !== undefined && { trouble: listed.trouble }),
            ...work,
          })),
        );
    } catch (cause) {
      // One session that cannot be read hides no other.
      unread(errorText(cause));
    }
  }
  return ok({
    rows: rows.toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0)),
    ...(left > 0 && { more: left }),
    unreadable,
    ...(reading !== undefined && { reading }),
  });
}
