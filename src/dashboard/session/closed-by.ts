import type { SessionHead } from '../../contract/session-story.js';

/** Why nothing can be added to a session, where that is so. */
export function closedBy({ trouble }: Pick<SessionHead, 'trouble'>): string | undefined {
  if (trouble === 'damage') return 'Read-only until the session is repaired; see the findings above.';
  return trouble === 'newer' ? 'Read-only: a newer WorkRail wrote to this session.' : undefined;
}
