import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SafetyWord } from '../../base/closed-sets.js';
import type { CommandsPage } from '../../contract/catalogs-told.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { commandHere, safetyWord } from './command-here.js';
import { unknownToPeople } from './read-one-catalog.js';

interface Asked {
  readonly query?: string | undefined;
  readonly catalog?: string | undefined;
  readonly safety?: SafetyWord | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

const usual = 100;

/** The commands of all catalogs, found as agents find them, searched while somebody types. */
export async function browseCommands(
  env: Environment,
  { query = '', catalog, safety, cursor, limit = usual }: Asked,
): Promise<Result<CommandsPage, Rejection>> {
  const from = readCursor(cursor);
  if (from === undefined) return err(wrongCursor('search_commands', cursor ?? ''));
  if (catalog !== undefined && env.catalogs.find(catalog) === undefined) return err(unknownToPeople(env, catalog));
  const search = env.catalogs.search();
  const found = search
    .find(query, { catalog })
    .filter(({ operation }) => safety === undefined || safetyWord(operation) === safety);
  const next = from + limit;
  return ok({
    commands: found.slice(from, next).map((one) => commandHere(one.catalog, one.operation)),
    total: found.length,
    here: search.find('').length,
    ...(next < found.length && { nextCursor: String(next) }),
  });
}
