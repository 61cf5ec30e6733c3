import type { JsonObject } from '../../base/json-value.js';

/** Whether a source is written in the WorkRail JSON format rather than in ours. */
export function isWorkrailJson(source: JsonObject): boolean {
  // A file that has forgotten its `id` is still told apart by its `name`, which our format calls a title.
  return (
    (Object.hasOwn(source, 'id') || Object.hasOwn(source, 'name')) &&
    Object.hasOwn(source, 'steps') &&
    !Object.hasOwn(source, 'workflow')
  );
}
