import { defined } from '../../base/defined.js';
import type { JsonObject } from '../../base/json-value.js';
import { plural } from '../../base/plural.js';
import { either } from '../../base/sentence.js';
import type { Rejection, RequestViolation } from '../../base/rejection.js';
import type { DocumentViolation } from '../../catalogs/openapi-catalog.js';
import { asJson } from '../../contract/reply-with.js';

const mostTold = 20;

/** What is wrong or doubtful, as much of it as is told at once; and how much more there is. */
export function documentFindings(found: readonly DocumentViolation[]): {
  readonly warnings: readonly JsonObject[];
  readonly violations: readonly JsonObject[];
  readonly omitted?: number;
} {
  const [errors, warnings] = (['error', 'warning'] as const).map((severity) =>
    found.filter((one) => one.severity === severity),
  );
  const told =
    errors!.length + warnings!.length - Math.min(errors!.length, mostTold) - Math.min(warnings!.length, mostTold);
  return {
    violations: errors!.slice(0, mostTold).map(violationTold),
    warnings: warnings!.slice(0, mostTold).map(violationTold),
    ...(told > 0 && { omitted: told }),
  };
}

const violationTold = ({ severity: _severity, pointer, ...more }: DocumentViolation): JsonObject =>
  asJson({ path: pointer, ...more });

/** A document that cannot be imported, with all that is wrong. */
export function invalidDocument(label: string, found: readonly DocumentViolation[], left: string): Rejection {
  const errors = found.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  return {
    code: 'CATALOG_INVALID',
    message: `${label} has ${plural(errors.length, 'violation')}: ${first?.message ?? 'it cannot be read'}${left}`,
    action: [either('tell the user what is wrong; ', ''), 'correct the document as listed, or name another'],
    violations: errors.slice(0, mostTold).map(({ file, line, column, pointer, rule, message, expected, actual }) =>
      defined<RequestViolation>({
        path:
          line === undefined
            ? pointer
            : `${file ?? label}:${line}${column === undefined ? '' : `:${column}`} ${pointer}`,
        rule,
        message,
        expected,
        actual,
        patch: undefined,
      }),
    ),
    context: asJson({ source: label, line: first?.line, column: first?.column }),
  };
}
