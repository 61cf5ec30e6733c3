import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CallProblem } from '../../calls/call-problem.js';
import { originOf } from '../../calls/read-secrets.js';
import { listSecrets as listKept, removeSecret, setSecret as keepSecret } from '../../calls/write-secrets.js';
import { secretsNamed } from '../../catalogs/secrets-named.js';
import type { SecretsListed } from '../../contract/tools/catalog-answers.js';
import type { ListedCatalog } from '../../library/open-catalogs.js';
import { secretsInText } from '../../secrets/secrets-in-text.js';
import type { Environment } from '../world/environment.js';
import { catalogHere } from './catalog-folder.js';

interface AskedSecret {
  readonly catalogId: string;
  readonly name: string;
  /** What is kept of it: itself, or the variable that holds it; undefined removes it. */
  readonly held: { readonly value: string } | { readonly env: string } | undefined;
}

/** The secrets that the settings of a catalog read, by name, and those that are kept for it. */
export async function listSecrets(
  env: Environment,
  { catalogId }: { readonly catalogId: string },
): Promise<Result<SecretsListed, Rejection>> {
  const found = catalogHere(env, catalogId);
  return found.ok ? listed(env, found.value.entry) : found;
}

function listed(env: Environment, entry: ListedCatalog): Result<SecretsListed, Rejection> {
  const kept = listKept(env.secretsFile);
  if (!kept.ok) return err(rejectionOf(kept.error));
  const own = kept.value.filter(({ catalog }) => catalog === entry.id);
  const names = [...new Set([...secretsNamed(entry.settings), ...own.map(({ name }) => name)])];
  return ok({
    catalogId: entry.id,
    secrets: names.map((name) => {
      const origins = originsFor(env, entry, name);
      const isSet =
        origins.length > 0 && origins.every((origin) => own.some((one) => one.name === name && one.origin === origin));
      return { name, isSet };
    }),
  });
}

/** Those that its settings read and that are not set. Where nobody can tell, none are named. */
export function missingSecrets(env: Environment, entry: ListedCatalog): readonly string[] {
  const read = secretsNamed(entry.settings);
  const found = read.length === 0 ? undefined : listed(env, entry);
  if (found?.ok !== true) return [];
  return found.value.secrets.filter(({ name, isSet }) => !isSet && read.includes(name)).map(({ name }) => name);
}

/** Where a secret may go: to the address of the catalog, and to the one that gives tokens for it. */
function originsFor(env: Environment, entry: ListedCatalog, name: string): readonly string[] {
  const opened = env.catalogs.open(entry);
  const { baseUrl = opened.ok ? opened.value.catalog.baseUrl : undefined, auth } = entry.settings;
  const forTokens =
    auth?.kind === 'client_credentials' && auth.clientSecret.includes(`secrets.${name}`) ? [auth.tokenUrl] : [];
  const found = [baseUrl, ...forTokens].flatMap((address) => (address === undefined ? [] : (originOf(address) ?? [])));
  return [...new Set(found)];
}

/** Keeps the value of a secret for one catalog at its address, or removes it. */
export async function setSecret(
  env: Environment,
  { catalogId, name, held }: AskedSecret,
): Promise<Result<SecretsListed, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  const { entry } = found.value;
  const { id } = entry;
  const refused = (message: string, action: string): Result<never, Rejection> =>
    err({
      code: 'PRECONDITION_FAILED',
      message: `${message}; nothing was written`,
      action,
      context: { catalogId: id },
    });
  if (secretsInText(name).length > 0)
    return refused(
      'that looks like a secret, not like the name of one',
      'name it, such as TOKEN; its value is asked for',
    );
  const origins = originsFor(env, entry, name);
  if (origins.length === 0)
    return refused(
      `${id} does not say at which address it is called`,
      `set it with workrail catalogs configure ${id} --base-url`,
    );
  for (const origin of origins) {
    const secret = { catalog: id, origin, name };
    const done =
      held === undefined
        ? await removeSecret(env.secretsFile, secret)
        : await keepSecret(env.secretsFile, secret, held);
    if (!done.ok) return err(rejectionOf(done.error));
  }
  return listed(env, entry);
}

const rejectionOf = ({ code, message, action }: CallProblem): Rejection => ({
  code,
  message: message.replace(/\.$/u, ''),
  action: action.replace(/\.$/u, ''),
});
