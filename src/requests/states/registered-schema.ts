import type { Rejection } from '../../base/rejection.js';
import { either } from '../../base/sentence.js';
import { err, ok, type Result } from '../../base/result.js';
import type { RegisteredSchema } from '../../library/schema-files.js';
import type { Environment } from '../world/environment.js';

/** The schema of a name, the newest unless a version is said. */
export function registeredSchema(
  { schemas }: Pick<Environment, 'schemas'>,
  name: string,
  version?: number,
): Result<RegisteredSchema, Rejection> {
  const found = schemas.find(name, version);
  const [only, other] = found;
  const label = version === undefined ? name : `${name} ${version}`;
  if (only === undefined) {
    const near = schemas.near(name);
    const others = schemas.find(name);
    const unread = schemas.problems().find(({ label: at }) => at.endsWith('/') || at.split('/').includes(name));
    if (unread !== undefined)
      return err({
        code: 'NOT_FOUND',
        message: `there is no schema ${label} that can be used; ${unread.label}: ${unread.problem}`,
        action: 'mend it, or register the schema again with `workrail schema add`',
        context: { schemaName: name },
      });
    return err({
      code: 'NOT_FOUND',
      message:
        others[0] === undefined
          ? `there is no schema ${JSON.stringify(name)}${near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`}`
          : `schema ${name} has no version ${version ?? ''}; the newest is ${others[0].version}`,
      action: [
        either('ask the user to register it with `workrail schema add`', 'register it with `workrail schema add`'),
      ],
      context: { schemaName: name, ...(near.length > 0 && { closest: near }) },
    });
  }
  if (other === undefined) return ok(only);
  return err({
    code: 'STATE_CONFLICT',
    message: `two schemas claim to be ${label}: ${found.map(({ id, label: at }) => `${id} (${at})`).join(' and ')}`,
    action: 'keep one of the two files, and register the other again, which gives it a number of its own',
    context: { schemaName: name, schemas: found.map(({ id }) => id) },
  });
}
