import path from 'node:path';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { makeFolderDurably } from '../files/folders.js';
import { rewriteFile } from '../files/rewrite-file.js';
import { underLock } from '../files/under-lock.js';
import { type CallProblem, callProblem } from './call-problem.js';
import { originOf, readSecrets, type SecretEntry } from './read-secrets.js';
import { type SecretName, secretNamePattern } from './secret-source.js';

/** What is known of a secret without knowing it. */
export interface ListedSecret extends SecretName {
  /** The variable that holds it, where it is not in the file. */
  readonly env?: string;
}

export function listSecrets(file: string): Result<readonly ListedSecret[], CallProblem> {
  const entries = readSecrets(file);
  return entries.ok
    ? ok(entries.value.map(({ catalog, origin, name, env }) => ({ catalog, origin, name, ...(env && { env }) })))
    : entries;
}

/** Sets a secret, or says which variable holds it. Any address at the origin will do. */
export async function setSecret(
  file: string,
  given: SecretName,
  held: { readonly value: string } | { readonly env: string },
): Promise<Result<ListedSecret, CallProblem>> {
  const origin = originOf(given.origin);
  const wrong = origin === undefined ? `\`${given.origin}\` is no address of http or https.` : whyWrong(given, held);
  if (origin === undefined || wrong !== undefined)
    return err(callProblem('VALIDATION_ERROR', wrong ?? '', 'Correct that, and set the secret again.'));
  const named = { catalog: given.catalog, origin, name: given.name };
  const changed = await change(file, (entries) => [
    ...entries.filter((one) => !isSame(one, named)),
    { ...named, ...held },
  ]);
  return changed.ok ? ok({ ...named, ...('env' in held && { env: held.env }) }) : changed;
}

/** Says whether there was one. */
export async function removeSecret(file: string, given: SecretName): Promise<Result<boolean, CallProblem>> {
  const named = { ...given, origin: originOf(given.origin) ?? given.origin };
  return change(file, (entries) => entries.filter((one) => !isSame(one, named)));
}

const isSame = (one: SecretName, other: SecretName): boolean =>
  one.catalog === other.catalog && one.origin === other.origin && one.name === other.name;

function whyWrong(
  { catalog, name }: SecretName,
  held: { readonly value: string } | { readonly env: string },
): string | undefined {
  if (catalog === '') return 'A secret is of one catalog, and none is named.';
  if (!secretNamePattern.test(name))
    return `\`${name}\` is no name of a secret: letters, digits and _, and no digit first.`;
  if ('env' in held)
    return /^[A-Za-z_][A-Za-z0-9_]*$/u.test(held.env) ? undefined : `\`${held.env}\` is no name of a variable.`;
  return held.value.length < limits.secretLeast
    ? `A secret of fewer than ${limits.secretLeast} characters could not be kept out of what is recorded.`
    : undefined;
}

/** Says whether something is otherwise now. */
async function change(
  file: string,
  edit: (entries: readonly SecretEntry[]) => readonly SecretEntry[],
): Promise<Result<boolean, CallProblem>> {
  const folder = path.dirname(file);
  makeFolderDurably(folder);
  return underLock(folder, () => {
    const entries = readSecrets(file);
    if (!entries.ok) return entries;
    const edited = edit(entries.value);
    const text = `${JSON.stringify({ secrets: edited }, null, 2)}\n`;
    const isOther = text !== `${JSON.stringify({ secrets: entries.value }, null, 2)}\n`;
    if (isOther) rewriteFile(file, text, undefined, 0o600);
    return ok(isOther);
  });
}
