import type { Rejection } from '../../base/rejection.js';
import type { SecretTold } from '../../contract/bundle-answers.js';
import type { Page } from './page.js';

const shownSecrets = 20;

/** Where a session that was held back holds what looks like a credential; nothing for other rejections. */
export function printSecrets(rejection: Rejection, page: Page): void {
  const secrets = secretsOf(rejection);
  for (const { file, line, event, name, pointer, sample } of secrets.slice(0, shownSecrets))
    page.item('  ', `${file} line ${line}, event ${event}, ${pointer}: ${name} (${sample})`);
  if (secrets.length > shownSecrets) page.say(`  and ${secrets.length - shownSecrets} more; --json lists them`);
}

function secretsOf({ code, context }: Rejection): readonly SecretTold[] {
  const secrets = context?.['secrets'];
  return code === 'SECRETS_FOUND' && Array.isArray(secrets) ? (secrets as readonly SecretTold[]) : [];
}
