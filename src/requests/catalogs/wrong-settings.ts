import { closestName, knownInstead } from '../../base/closest-name.js';
import { either } from '../../base/sentence.js';
import type { Rejection, RequestViolation } from '../../base/rejection.js';
import { settingKeys } from '../../catalogs/catalog-settings.js';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Those that nobody knows. */
  readonly keys?: readonly string[];
}

function violationsOf({ path, message, keys }: Issue): readonly RequestViolation[] {
  const at = path.map((part) => `/${String(part)}`).join('');
  if (keys === undefined) return [{ path: at || '/', rule: 'settings', message }];
  const known = settingKeys(path);
  return keys.map((key) => ({
    path: `${at}/${key}`,
    rule: 'settings',
    message: `\`${key}\` is not known here${knownInstead(closestName(key, known), known, 'keys')}`,
  }));
}

/** Settings that a catalog cannot have. */
export function wrongSettings(issues: readonly Issue[]): Rejection {
  return {
    code: 'VALIDATION_ERROR',
    message: 'the settings do not fit; nothing was written',
    action: ['correct them as listed', either(', and send them again', '')],
    violations: issues.flatMap(violationsOf).slice(0, 10),
  };
}
