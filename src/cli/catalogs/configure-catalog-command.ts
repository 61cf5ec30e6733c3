import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CatalogDetail } from '../../contract/catalogs-told.js';
import type { ParsedOptions } from '../shell/parse-options.js';
import { ask } from '../shell/ask.js';
import { withRequests } from '../shell/with-requests.js';
import { givenAuth } from './given-auth.js';
import { printSettings } from './print-settings.js';

export const runCatalogsConfigure = withRequests('catalogs configure', async (asked) => {
  const { parsed, misused, requests, reject, tell } = asked;
  const [catalogId] = parsed.words;
  if (catalogId === undefined) return misused('which catalog? `workrail catalogs` lists them');
  const before = await requests.people.readCatalog({ catalog: catalogId });
  if (!before.ok) return reject(before.error);
  const changes = changesAsked(parsed, before.value.catalog);
  if (!changes.ok) return misused(changes.error);
  if (Object.keys(changes.value).length === 0)
    return tell(before.value, (page) => {
      page.say(`Settings of ${catalogId}:`, page.style.bold);
      page.item('Address    ', before.value.catalog.baseUrl ?? 'none');
      printSettings(page, before.value);
      page.gap();
      page.command('To change them: ', ['catalogs', 'configure', catalogId, '--help']);
    });
  const expectedRevision = before.value.catalog.revision;
  const changed = await ask(asked, 'configure_catalog', { catalogId, ...changes.value, expectedRevision });
  if (!changed.ok) return changed.error;
  const addresses = parsed.list('allow');
  const allowed = addresses.length === 0 ? undefined : await requests.people.allowAddresses({ catalogId, addresses });
  if (allowed?.ok === false) return reject(allowed.error);
  const happened = isNowAllowed(before.value.catalog, addresses) ? 'configured' : changed.value.happened;
  const after = await requests.people.readCatalog({ catalog: catalogId });
  return tell({ ...changed.value, happened }, (page) => {
    page.say(`${happened === 'unchanged' ? 'Unchanged:' : 'Configured'} ${catalogId}.`, page.style.good);
    if (!after.ok) return;
    page.item('Address    ', after.value.catalog.baseUrl ?? 'none');
    printSettings(page, after.value);
  });
});

/** Nothing of a project's file may change where the person allows what is in it. */
const isNowAllowed = ({ notAllowed = [] }: CatalogDetail['catalog'], addresses: readonly string[]): boolean =>
  addresses.some((one) => notAllowed.includes(one));

const settingOf: { readonly [word: string]: string } = {
  'base-url': 'baseUrl',
  auth: 'auth',
  headers: 'headers',
  'idempotency-header': 'idempotencyHeader',
  allow: 'allow',
  limits: 'limits',
};

/** What the options change; what they add to is what is there, unless it is reset. */
function changesAsked(parsed: ParsedOptions, { settings }: CatalogDetail['catalog']): Result<JsonObject, string> {
  const reset: string[] = [];
  for (const word of parsed.list('reset')) {
    const setting = Object.hasOwn(settingOf, word) ? settingOf[word] : undefined;
    if (setting === undefined)
      return err(`--reset is one of ${Object.keys(settingOf).join(', ')}, not ${JSON.stringify(word)}`);
    reset.push(setting);
  }
  const standing = (name: string): JsonObject => {
    const value = own(settings, name) ?? null;
    return isJsonObject(value) && !reset.includes(name) ? value : {};
  };
  const auth = givenAuth(parsed);
  if (!auth.ok) return auth;
  const headers = givenHeaders(parsed.list('header'), standing('headers'));
  if (!headers.ok) return headers;
  const limits = givenLimits(parsed, standing('limits'));
  if (!limits.ok) return limits;
  const baseUrl = parsed.text('base-url');
  const idempotencyHeader = parsed.text('idempotency-header');
  const added = parsed.list('allow');
  const allowed = reset.includes('allow') ? [] : (settings['allow'] ?? []);
  const before = Array.isArray(allowed) ? (allowed as readonly string[]) : [];
  return ok({
    ...(reset.length > 0 && { reset: [...new Set(reset)] }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(auth.value !== undefined && { auth: auth.value }),
    ...(headers.value !== undefined && { headers: headers.value }),
    ...(idempotencyHeader !== undefined && { idempotencyHeader }),
    ...(added.length > 0 && { allow: [...new Set([...before, ...added])] }),
    ...(limits.value !== undefined && { limits: limits.value }),
  });
}

function givenHeaders(given: readonly string[], standing: JsonObject): Result<JsonObject | undefined, string> {
  if (given.length === 0) return ok(undefined);
  const headers = new Map(Object.entries(standing));
  for (const entry of given) {
    const [, name, value = ''] = /^([^=:\s]+)[=:]\s*(.*)$/su.exec(entry) ?? [];
    if (name === undefined) return err('--header takes name=value, such as --header "Accept=application/json"');
    for (const known of headers.keys()) if (known.toLowerCase() === name.toLowerCase()) headers.delete(known);
    if (value !== '') headers.set(name, value);
  }
  return ok(Object.fromEntries(headers));
}

function givenLimits(parsed: ParsedOptions, standing: JsonObject): Result<JsonObject | undefined, string> {
  const seconds = parsed.text('timeout');
  const atOnce = parsed.text('at-once');
  if (seconds === undefined && atOnce === undefined) return ok(undefined);
  const [, count] = /^(\d{1,4}(?:\.\d{1,3})?)s?$/u.exec(seconds ?? '0') ?? [];
  const timeoutMs = Math.round(Number(count ?? 0) * 1000);
  if (seconds !== undefined && (timeoutMs < 100 || timeoutMs > 600_000))
    return err(`--timeout takes seconds from 0.1 to 600, not ${JSON.stringify(seconds)}`);
  if (atOnce !== undefined && !(/^\d{1,2}$/u.test(atOnce) && Number(atOnce) >= 1 && Number(atOnce) <= 32))
    return err(`--at-once takes a number from 1 to 32, not ${JSON.stringify(atOnce)}`);
  return ok({
    ...standing,
    ...(seconds !== undefined && { timeoutMs }),
    ...(atOnce !== undefined && { atOnce: Number(atOnce) }),
  });
}
