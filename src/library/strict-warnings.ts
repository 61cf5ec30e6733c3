import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { DocumentViolation } from '../catalogs/openapi-catalog.js';
import type { FindPlace } from '../definitions/source/source-path.js';

/**
 * What the official schema of OpenAPI has against a document. Many that work have something: it is told, and stops nothing.
 * The validator is loaded when it is first needed; it asks nobody, and follows no reference out of the document.
 */
export async function strictWarnings(value: JsonValue, place: FindPlace | undefined): Promise<DocumentViolation[]> {
  if (!isJsonObject(value)) return [];
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const { errors = [] } = await new Validator().validate(value);
  // What it says of references as a text is told with their places by who follows them; it takes a property for one.
  if (typeof errors === 'string') return [];
  const told = new Map<string, DocumentViolation>();
  for (const { instancePath, message = 'differs from the schema of OpenAPI' } of errors) {
    if (told.size >= limits.apiStrictWarnings) break;
    const path = instancePath
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    const { line, column } = place?.(path) ?? {};
    told.set(`${instancePath} ${message}`, {
      severity: 'warning',
      rule: 'strict',
      pointer: instancePath,
      message,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    });
  }
  return [...told.values()];
}
