import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { CatalogDetail } from '../../contract/catalogs-told.js';
import type { Page } from '../print/page.js';

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What a person decided about the calls of a catalog, and which secrets they have yet to set. */
export function printSettings(
  page: Page,
  { catalog: { catalogId, settings, notAllowed = [], missingSecrets = [] } }: Pick<CatalogDetail, 'catalog'>,
): void {
  const { from, auth, headers, idempotencyHeader, allow, limits } = settings;
  if (from !== undefined) page.item('From       ', text(from));
  if (isJsonObject(auth ?? null)) page.item('Auth       ', authText(auth as JsonObject));
  if (isJsonObject(headers ?? null))
    for (const [name, value] of Object.entries(headers as JsonObject))
      page.item('Header     ', `${name}: ${text(value)}`);
  if (idempotencyHeader !== undefined) page.item('Idempotency header: ', text(idempotencyHeader));
  const allowed = (Array.isArray(allow) ? (allow as readonly JsonValue[]).map(text) : []).filter(
    (one) => !notAllowed.includes(one),
  );
  if (allowed.length > 0) page.item('Allowed    ', allowed.join(', '));
  if (notAllowed.length > 0) {
    const why = 'this project asks for it, and you have not allowed it on this machine';
    page.item('Blocked    ', `${notAllowed.join(', ')}: ${why}`, page.style.bad);
    const words = notAllowed.flatMap((one) => ['--allow', one]);
    page.command('If you trust this project: ', ['catalogs', 'configure', catalogId, ...words]);
  }
  if (isJsonObject(limits ?? null))
    page.item(
      'Limits     ',
      Object.entries(limits as JsonObject)
        .map(([name, value]) => limitText(name, value))
        .join(', '),
    );
  for (const name of missingSecrets) page.command(`Set ${name}: `, ['catalogs', 'secret', catalogId, name]);
}

/** Its kind, and then whatever else it names. */
const authText = ({ kind, ...more }: JsonObject): string =>
  [
    text(kind).replace('_', ' '),
    ...Object.entries(more).map(
      ([name, value]) => `${wordsOf(name)} ${Array.isArray(value) ? value.join(' ') : text(value)}`,
    ),
  ].join(', ');

const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);

function limitText(name: string, value: JsonValue): string {
  if (name === 'timeoutMs' && typeof value === 'number') return `${value / 1000} s a call`;
  if (name === 'atOnce') return `${text(value)} calls at once`;
  return `${text(value)} bytes an answer`;
}
