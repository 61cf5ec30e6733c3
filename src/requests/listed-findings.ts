import type { Finding } from '../log/finding.js';
import type { Loaded } from '../log/session-log.js';
import { namesIn, sessionFolder } from '../log/session-folder.js';
import type { SessionRef } from '../log/store.js';

type Listed = Pick<Finding, 'level'>;

/**
 * What a list says is amiss with a session; undefined where its folder holds nothing yet. Workflows of runs without one
 * line of a log are the ruin of a session, or of its start: whoever misses it must see that it is there.
 */
export function listedFindings({ root, id }: SessionRef, { findings, eventCount }: Pick<Loaded<unknown>, 'findings' | 'eventCount'>): readonly Listed[] | undefined {
  if (eventCount > 0 || findings.length > 0) return findings;
  return namesIn(sessionFolder(root, id).pins).length > 0 ? [{ level: 'incomplete' }] : undefined;
}
