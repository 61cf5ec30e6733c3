import { secretsInValue } from '../secrets/secrets-in-value.js';

/** Headers that carry credentials, whatever their value looks like. */
const carriesCredentials =
  /^(?:.*[-_])?(?:authorization|cookie|passw(?:or)?d|secret|credentials?|(?:api|access|auth|private|secret|subscription|functions)[-_]?key|(?:api|access|auth|private|security|session|bearer|refresh|id|vault)[-_]?token)$|^(?:x[-_])?token$/iu;

const secretHole = /\$\{\{\s*secrets\.[A-Za-z][A-Za-z0-9_]*\s*\}\}/gu;

const remedy = 'write ${{ secrets.NAME }}, and give its value with `workrail catalogs secret`';
export const namesNoSecret = `names no secret: ${remedy}`;

/** Why a header may not stand in a project's file as it is written; its value is never repeated. */
export function headerSecret(name: string, value: string): string | undefined {
  // What stands beside the name of a secret is looked at too.
  const literal = value.replaceAll(secretHole, ' ');
  if (secretsInValue({ [name]: literal.trim() }, '').length > 0) return `seems to hold a secret itself: ${remedy}`;
  return literal === value && carriesCredentials.test(name) ? namesNoSecret : undefined;
}
