import type { JsonObject } from '../base/json-value.js';

/** Whether a source is written in the WorkRail JSON format rather than in ours. */
export function isWorkrailJson(source: JsonObject): boolean {
  return Object.hasOwn(source, 'id') && Object.hasOwn(source, 'steps') && !Object.hasOwn(source, 'workflow');
}
