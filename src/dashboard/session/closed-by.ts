import type { SessionHead } from '../../contract/session-story.js';

/** Why nothing can be added to a session, where that is so. */
export function closedBy({ trouble }: Pick<SessionHead, 'trouble'>): string | undefined {
  if (trouble === 'damage') return 'Nothing can be added until the session is repaired: workrail doctor --repair.';
  return trouble === 'newer' ? 'Nothing can be added: a newer WorkRail wrote to this session.' : undefined;
}
