import { alternatives, innerSchemas } from '../compiled/schema-parts.js';
import type { SourcePath } from './source-path.js';
import { workflowSource } from './workflow-format.js';

/** The keys that the format knows in the object at a path, for telling an author which one was meant. */
export function knownKeys(path: SourcePath): readonly string[] {
  const here = path.reduce(
    (schemas, key) => schemas.flatMap((one) => innerSchemas(one, key)),
    alternatives(workflowSource),
  );
  const keys = here.flatMap(({ _zod: { def } }) => (def.type === 'object' ? [Object.keys(def.shape)] : []));
  // The fuller form first.
  return [...new Set(keys.toSorted((a, b) => b.length - a.length).flat())];
}
