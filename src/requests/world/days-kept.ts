import { limits } from '../../base/limits.js';
import type { GlobalPreferences } from '../../machine/global-preferences.js';

const dayMs = 24 * 60 * 60 * 1000;

/** How long sessions stay where nobody says: what is configured, or 90 days. */
export const daysKept = ({ pruneAfterDays }: GlobalPreferences): number =>
  pruneAfterDays ?? limits.pruneAfterMs / dayMs;
export const daysInMs = (days: number): number => days * dayMs;
