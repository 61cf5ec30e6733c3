import type { Who } from '../../events/event.js';

/** Who did something to a shared state, as far as the line says. */
export function tellWho(who: Who | undefined): {
  readonly agent?: string;
  readonly door?: string;
  readonly person?: string;
} {
  if (who === undefined) return {};
  const { agent, door, person } = who;
  return { ...(agent !== undefined && { agent }), door, ...(person !== undefined && { person }) };
}
