import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isJsonObject } from '../../base/json-value.js';

export interface LogCount {
  readonly segments: number;
  /** Events by their kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The attempts that are recorded as completed, one entry for each event. */
  readonly attempts: readonly string[];
  /** Lines that are no event. */
  readonly unread: number;
}

/** Counts what the log folder holds of a session, straight from its files. */
export function countLog(dataDir: string, session: string): LogCount {
  const sessions = path.join(dataDir, 'sessions', session);
  const files = readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ndjson'));
  const kinds = new Map<string, number>();
  const attempts: string[] = [];
  let unread = 0;
  for (const line of files.flatMap((file) =>
    readFileSync(path.join(sessions, file), 'utf8')
      .split('\n')
      .filter((text) => text !== ''),
  )) {
    const event = parsed(line);
    if (!isJsonObject(event) || typeof event['kind'] !== 'string') {
      unread += 1;
      continue;
    }
    kinds.set(event['kind'], (kinds.get(event['kind']) ?? 0) + 1);
    const { data } = event;
    if (event['kind'] === 'step_acked')
      attempts.push(isJsonObject(data) && typeof data['attempt'] === 'string' ? data['attempt'] : '');
  }
  return { segments: files.length, kinds, attempts, unread };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
