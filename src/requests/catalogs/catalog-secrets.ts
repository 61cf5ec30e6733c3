import { either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { SecretsListed } from '../../contract/tools/catalog-answers.js';
import type { Environment } from '../world/environment.js';
import { catalogHere } from './catalog-folder.js';
import { secretsNamed } from './change-catalog.js';

interface AskedSecret {
  readonly catalogId: string;
  readonly name: string;
  /** What is kept of it: itself, or the variable that holds it; undefined removes it. */
  readonly held: { readonly value: string } | { readonly env: string } | undefined;
}

/** The secrets that the settings of a catalog read, by name. */
export async function listSecrets(
  env: Environment,
  { catalogId }: { readonly catalogId: string },
): Promise<Result<SecretsListed, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  const { entry } = found.value;
  return ok({ catalogId: entry.id, secrets: secretsNamed(entry.settings).map((name) => ({ name, isSet: false })) });
}

/** Keeps the value of a secret for one catalog at its address, or removes it. */
export async function setSecret(
  env: Environment,
  { catalogId, name }: AskedSecret,
): Promise<Result<SecretsListed, Rejection>> {
  const found = catalogHere(env, catalogId);
  if (!found.ok) return found;
  return err({
    code: 'PRECONDITION_FAILED',
    message: `${name} cannot be kept: this version does not call APIs yet; nothing was written`,
    action: [either('tell the user', 'set it once a newer WorkRail can call APIs')],
    context: { catalogId: found.value.entry.id, name },
  });
}
