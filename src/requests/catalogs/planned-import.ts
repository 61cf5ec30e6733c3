import { either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { type CatalogSettings, catalogId, catalogSettings } from '../../catalogs/catalog-settings.js';
import type { OperationIndex } from '../../catalogs/operation-index.js';
import type { CatalogEntry, CatalogSource } from '../../library/catalog-files.js';
import { type ReadCatalog, readCatalog } from '../../library/read-catalog.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { Environment } from '../world/environment.js';
import type { AskedDocument } from './asked-document.js';
import { catalogFolder } from './catalog-folder.js';
import { unusable } from './change-catalog.js';
import { invalidDocument } from './document-told.js';
import { wrongSettings } from './wrong-settings.js';

export interface PlannedImport {
  readonly id: string;
  readonly source: CatalogSource;
  /** The one of that id that is in that folder. */
  readonly standing: CatalogEntry | undefined;
  readonly settings: CatalogSettings;
  /** As it is kept; absent for who only looks. */
  readonly document: Uint8Array | undefined;
  readonly digest: string;
  readonly index: Pick<OperationIndex, 'catalog' | 'providers'>;
}

type Asked = Pick<RequestOf<'import_openapi'>, 'catalogId' | 'title' | 'vendor' | 'baseUrl' | 'to' | 'enabled'>;

/** What an import would write: the same for who only looks. */
export async function plannedImport(
  env: Environment,
  { origin, label }: AskedDocument,
  asked: Asked,
  { toWrite }: { readonly toWrite: boolean },
): Promise<Result<PlannedImport, Rejection>> {
  const folder = toWrite ? env.catalogIndex.folder() : undefined;
  const whole = { document: toWrite, ...(folder !== undefined && { index: { folder, key: env.catalogIndex.key() } }) };
  const read = await readCatalog({ origin, operations: [], strict: true, whole });
  if (!read.ok) return err(invalidDocument(label, read.error, '; nothing was written'));
  return planOf(env, label, read.value, asked);
}

/** The same of a document that has been read. */
export function planOf(
  env: Environment,
  label: string,
  { catalog, whole }: ReadCatalog,
  asked: Asked,
): Result<PlannedImport, Rejection> {
  if (whole === undefined) throw new Error('all of a document was asked for');
  const id = asked.catalogId ?? (asked.title === undefined ? idFor(label, catalog.title) : idFor('', asked.title));
  const named = catalogId.safeParse(id);
  if (!named.success) return err(notAnId(id, named.error.issues[0]?.message ?? ''));
  const found = catalogFolder(env, asked.to, id);
  if (!found.ok) return found;
  const { source, standing } = found.value;
  if (standing?.unread === true) return err(unusable(standing, standing.problem ?? ''));
  const checked = catalogSettings.safeParse(settingsFor(standing, asked, label));
  if (!checked.success) return err(wrongSettings(checked.error.issues));
  return ok({
    id,
    source,
    standing,
    settings: checked.data,
    document: whole.document,
    digest: whole.digest,
    index: { catalog, providers: whole.providers },
  });
}

/** What a person decided before stays, where they do not say otherwise. */
const settingsFor = (
  standing: CatalogEntry | undefined,
  { enabled, title, vendor, baseUrl }: Asked,
  label: string,
): CatalogSettings => ({
  ...standing?.settings,
  version: 1,
  enabled: enabled ?? standing?.settings.enabled ?? true,
  ...(title !== undefined && { title }),
  ...(vendor !== undefined && { vendor }),
  ...(baseUrl !== undefined && { baseUrl }),
  from: label,
});

/** A document by its bytes: between a preview and the import they must be the same. */
export const documentName = (digest: string): string => `doc_${digest.slice(0, 16)}`;

const saysNothing = new Set(
  'api apis openapi open swagger spec specification document documentation definition schema rest the of and for official web public http https www index main v1 v2 v3 json yaml yml'.split(
    ' ',
  ),
);

/** What a text is about, in at most two words; nothing where it only says that it is an API. */
function nameIn(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}|['’]s\b/gu, '')
    .split(/[^a-z0-9]+/u)
    .filter((word) => !saysNothing.has(word) && /^[a-z]/u.test(word));
  return words.slice(0, 2).join('_').slice(0, 60);
}

/** An id for a document: what its file is called, where that says something, else its title. */
function idFor(label: string, title: string): string {
  const file = label
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/u, '');
  return nameIn(file) || nameIn(title) || 'api';
}

function notAnId(id: string, why: string): Rejection {
  return {
    code: 'VALIDATION_ERROR',
    message: `${JSON.stringify(id)} ${why}; nothing was written`,
    action: [either('send another catalogId, such as github', 'choose another id, such as --id github')],
    violations: [{ path: '/catalogId', rule: 'id', message: why, actual: id }],
    again: [{ at: '/catalogId', to: idFor('', id) }],
  };
}
