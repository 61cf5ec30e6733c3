import { modeNames, modes, type Preferences, preferenceNames } from '../base/preferences.js';

/** The mode that comes nearest, and what is other than in it. */
export function nearestMode(preferences: Preferences): string {
  const [first, ...others] = modeNames.map((name) => ({
    name,
    other: preferenceNames.filter((field) => modes[name][field] !== preferences[field]),
  }));
  const nearest = others.reduce((best, next) => (next.other.length < best.other.length ? next : best), first!);
  const differs = nearest.other.map((field) => `${field} ${preferences[field]}`);
  return `mode ${nearest.name}${differs.length === 0 ? '' : `, but ${differs.join(', ')}`}`;
}
