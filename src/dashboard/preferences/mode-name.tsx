import { spokenMode } from '../../base/mode-words.js';
import type { Preferences } from '../../base/preferences.js';

/** The mode in one word, and what it does for who asks. */
export function ModeName({ preferences }: { readonly preferences: Preferences }) {
  const { label, says } = spokenMode(preferences);
  return <span title={`Mode: ${label}; ${says}`}>{label}</span>;
}
