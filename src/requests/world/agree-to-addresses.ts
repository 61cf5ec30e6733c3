import type { Rejection } from '../../base/rejection.js';
import { command, either } from '../../base/sentence.js';
import type { CatalogEntry } from '../../library/catalog-files.js';

/** Addresses that the settings of a project's catalog allow, and nobody has allowed on this machine. */
export interface Unagreed {
  readonly catalog: string;
  readonly addresses: readonly string[];
  readonly all: readonly string[];
}

export const unagreedOf = (
  { id, settings }: Pick<CatalogEntry, 'id' | 'settings'>,
  addresses: readonly string[],
): Unagreed => ({ catalog: id, addresses, all: settings.allow ?? [] });

/** The settings may allow it already: then what is missing is that the person does. */
export function agreeToAddresses(rejection: Rejection, { catalog, addresses, all }: Unagreed): Rejection {
  if (addresses.length === 0) return rejection;
  const list = addresses.join(', ');
  return {
    ...rejection,
    message: `${rejection.message}; this project's settings of ${catalog} allow ${list}, but the user has not allowed ${addresses.length === 1 ? 'it' : 'them'} on this machine`,
    action: [
      either(
        `ask the user whether ${catalog} may call ${list}; only if they agree, call configure_catalog with "allow": ${JSON.stringify(all)}, or have them run `,
        'if you trust this project, run ',
      ),
      command('catalogs', 'configure', catalog, ...addresses.flatMap((one) => ['--allow', one])),
    ],
    context: { ...rejection.context, catalogId: catalog, notAllowed: addresses },
  };
}
