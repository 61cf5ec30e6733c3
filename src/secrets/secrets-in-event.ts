import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { Event } from '../events/event.js';
import { maskedSecret } from './masked-secret.js';
import { isPlaceholder } from './placeholder.js';
import { secretsInValue } from './secrets-in-value.js';

export interface FoundSecret {
  /** What it seems to be, with its article: `an AWS access key`. */
  readonly name: string;
  /** JSON pointer into the event's data, or to what stands beside it, such as `/origin`. */
  readonly pointer: string;
  /** Its beginning; never the whole of it. */
  readonly sample: string;
}

/** What looks like a credential anywhere in an event. */
export function secretsIn(event: Event): readonly FoundSecret[] {
  return leaksIn(event).map(({ name, pointer, text }) => ({ name, pointer, sample: maskedSecret(text) }));
}

/**
 * The same with the secrets themselves, for whoever takes them out. Nothing of it may be shown. Every field is looked
 * at, whoever wrote it: a list of those that matter misses the one in which a secret stands after all.
 */
export function leaksIn(
  event: Event,
): readonly { readonly name: string; readonly pointer: string; readonly text: string }[] {
  const { data, ...beside } = event as object as JsonObject & { readonly data: JsonValue };
  const found = [...secretsInValue(data, ''), ...secretsInValue(beside, '')];
  const login = event.kind === 'observation' ? loginOf(event.data.remote ?? '') : undefined;
  return login === undefined || found.some(({ pointer }) => pointer === '/remote')
    ? found
    : [...found, { name: 'a login in an address', pointer: '/remote', text: login }];
}

/** A remote is recorded without one; older programs did not know every way to write it. */
function loginOf(remote: string): string | undefined {
  const [, login = ''] = /([^/:@]{4,})@[^@]*$/u.exec(remote) ?? [];
  return login === '' || isPlaceholder(login) ? undefined : login;
}
