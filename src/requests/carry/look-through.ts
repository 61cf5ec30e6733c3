import type { SessionId } from '../../base/ids.js';
import type { Rejection } from '../../base/rejection.js';
import { command } from '../../base/sentence.js';
import { type GatheredLines, gatherLines } from '../../bundles/gather-lines.js';
import type { Progress, SecretTold } from '../../contract/bundle-answers.js';
import type { SessionSurvey, SurveyVisit } from '../../log/port/store-carry.js';
import { secretsIn } from '../../secrets/secrets-in-event.js';

export interface Watching {
  readonly progress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface LookedThrough {
  readonly survey: SessionSurvey;
  readonly gathered: GatheredLines;
  /** The first of what looks like a credential, and how much there is. */
  readonly secrets: readonly SecretTold[];
  readonly secretCount: number;
}

/** Enough to act on; the rest is found when these are gone. */
const secretsKept = 1000;

/** Reads and checks all of a session, `of` bytes, and looks through every line of it for what looks like a credential. */
export async function lookThrough(
  read: (visit: SurveyVisit) => Promise<SessionSurvey>,
  of: number,
  { progress, signal }: Watching,
): Promise<LookedThrough> {
  let gather = gatherLines(new Set());
  let secrets: SecretTold[] = [];
  let secretCount = 0;
  let bytes = 0;
  const survey = await read({
    begin: (redacted) => {
      gather = gatherLines(redacted);
      secrets = [];
      [secretCount, bytes] = [0, 0];
    },
    // Lines that were redacted and came back with a merge are looked at too: their bytes would leave as well.
    line: (event, file, line) => {
      gather.take(event);
      const found = secretsIn(event);
      secretCount += found.length;
      if (secrets.length < secretsKept)
        secrets.push(...found.map((secret) => ({ file, line, event: event.sum, ...secret })));
    },
    progress: (read) => {
      signal?.throwIfAborted();
      bytes += read;
      progress?.({ doing: 'checking', bytes, of });
    },
  });
  return { survey, gathered: gather.gathered(), secrets, secretCount };
}

export const sizeOf = (parts: readonly { readonly size: number }[]): number =>
  parts.reduce((sum, { size }) => sum + size, 0);

/** Why a session with credentials in it does not leave. */
export function secretsFound(
  id: SessionId,
  secrets: readonly SecretTold[],
  left: string,
  doing: 'export' | 'move',
): Rejection {
  const found =
    secrets.length === 1
      ? 'something that looks like a credential'
      : `${secrets.length} things that look like credentials`;
  return {
    code: 'SECRETS_FOUND',
    message: `${id} holds ${found}${left}`,
    action: [
      'remove each with ',
      command('redact', id, secrets[0]?.event ?? '<event>'),
      `, or ${doing} it anyway with --allow-secrets`,
    ],
    context: { sessionId: id, secrets: secrets.map((secret) => ({ ...secret })) },
  };
}
