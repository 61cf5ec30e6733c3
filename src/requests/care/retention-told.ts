import { isJsonObject } from '../../base/json-value.js';
import { safeParse } from '../../base/safe-parse.js';
import { type RetentionKept, retentionKept, type RetentionTold } from '../../contract/retention-answers.js';
import type { Place } from '../../log/port/session-ref.js';
import { type GlobalPreferences, globalPreferencesFile } from '../../machine/global-preferences.js';
import { daysKept } from '../world/days-kept.js';
import type { Environment } from '../world/environment.js';

/** Whether old sessions go by themselves, and which did. */
export function toldRetention(env: Environment, config: GlobalPreferences): RetentionTold {
  return {
    acts: config.pruneByItself === true,
    afterDays: daysKept(config),
    file: globalPreferencesFile(env.roots.config),
    places: env.store.places.map((place) => ({
      folder: place.name,
      inGit: env.store.care.isInGit(place),
      ...keptRetention(env, place),
    })),
  };
}

/** Nothing where it is lost, or nobody can read it. */
export function keptRetention(env: Environment, place: Place): RetentionKept {
  const kept = safeParse(retentionKept, parsed(env.store.retention.told(place)?.toString('utf8') ?? ''));
  return kept.success ? kept.data : { runs: [] };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
