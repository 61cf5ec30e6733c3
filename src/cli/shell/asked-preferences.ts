import type { JsonObject } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ParsedOptions } from './parse-options.js';
import { preferenceOptions } from '../print/preference-options.js';

/** The preferences that the options name; undefined where they name none. */
export function askedPreferences(parsed: ParsedOptions): Result<JsonObject | undefined, string> {
  const asked: [string, string][] = [];
  for (const { name, field, values } of preferenceOptions) {
    const text = parsed.text(name);
    if (text === undefined) continue;
    if (!(values as readonly string[]).includes(text))
      return err(`--${name} is one of ${values.join(', ')}, not ${JSON.stringify(text)}`);
    asked.push([field, text]);
  }
  return ok(asked.length === 0 ? undefined : Object.fromEntries(asked));
}
