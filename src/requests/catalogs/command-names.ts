import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { Environment } from '../world/environment.js';

interface NamedCommand {
  readonly name: string;
  readonly summary: string;
}

/** What the commands of one catalog are called, as far as somebody typed the beginning of them. */
export async function commandNames(
  env: Environment,
  { catalogId, begins, most }: { readonly catalogId: string; readonly begins: string; readonly most: number },
): Promise<Result<readonly NamedCommand[], Rejection>> {
  const entry = env.catalogs.find(catalogId);
  const opened = entry && env.catalogs.open(entry);
  const operations = opened?.ok === true ? opened.value.catalog.operations : [];
  return ok(
    operations
      // Whatever completes a line puts it there as it is.
      .filter(({ id }) => id.startsWith(begins) && !/\s/u.test(id))
      .slice(0, most)
      .map(({ id, summary }) => ({ name: id, summary })),
  );
}
