import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { limits } from '../../base/limits.js';
import type { OperationEntry } from '../../catalogs/openapi-catalog.js';
import { type SafetyWord, safetyWords } from '../../base/closed-sets.js';
import type { CatalogImported, DocumentPreview } from '../../contract/catalogs-told.js';
import { readCatalog } from '../../library/read-catalog.js';
import type { Environment } from '../world/environment.js';
import { commandHere, safetyWord } from './command-here.js';
import { documentFindings } from './document-told.js';
import { baseUrlOf, groupPrefixes, importDocument } from './import-openapi.js';
import { documentName, planOf } from './planned-import.js';

/** A document as a person hands it in: without the folder that it lies in. */
interface HandedIn {
  readonly text: string;
  /** Of the file, as it is told and noted. */
  readonly name: string;
  readonly to?: 'project' | 'user' | undefined;
}

export interface ImportHandedIn extends HandedIn {
  readonly catalogId?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly overwrite?: boolean | undefined;
  readonly expectedDocument?: string | undefined;
}

/** What comes from a page is named by its last part alone. */
const labelOf = (name: string): string => name.split(/[/\\]/u).at(-1) ?? name;

/** What an import would make. That it can make nothing is an answer. */
export async function previewHandedIn(
  env: Environment,
  { text, name, to }: HandedIn,
): Promise<Result<DocumentPreview, Rejection>> {
  const label = labelOf(name);
  const read = await readCatalog({
    origin: { text, name: label },
    operations: [],
    strict: true,
    whole: { document: false },
  });
  if (!read.ok) return ok({ valid: false, ...findingsOf(read.error) });
  const { kind, title, version, operations, warnings } = read.value.catalog;
  const planned = planOf(env, label, read.value, { to });
  if (!planned.ok) return planned;
  const { id, digest, index } = planned.value;
  const address = baseUrlOf(planned.value);
  return ok({
    valid: true,
    ...findingsOf(warnings),
    document: documentName(digest),
    kind,
    title,
    version,
    catalogId: id,
    ...(address !== undefined && { baseUrl: address }),
    commands: operations.length,
    providers: Object.keys(index.providers).length,
    safety: countsOf(operations),
    groups: [...groupPrefixes(operations)],
    first: operations.slice(0, limits.commandPreview).map((one) => commandHere(id, one)),
  });
}

function findingsOf(
  found: Parameters<typeof documentFindings>[0],
): Pick<DocumentPreview, 'violations' | 'warnings' | 'omitted'> {
  const { violations, warnings, omitted } = documentFindings(found);
  return { violations, warnings, ...(omitted !== undefined && { omitted }) };
}

const countsOf = (operations: readonly OperationEntry[]): Readonly<Record<SafetyWord, number>> =>
  Object.fromEntries(
    safetyWords.map((word) => [word, operations.filter((one) => safetyWord(one) === word).length]),
  ) as Record<SafetyWord, number>;

/** Makes a catalog of it, or gives one another document. */
export async function importHandedIn(
  env: Environment,
  { text, name, ...asked }: ImportHandedIn,
): Promise<Result<CatalogImported, Rejection>> {
  const label = labelOf(name);
  const imported = await importDocument(env, { origin: { text, name: label }, label }, asked);
  if (!imported.ok) return err(imported.error);
  const { catalogId, happened, revision, catalogPath, enabled, commandCount } = imported.value;
  return ok({ catalogId, happened, revision, path: catalogPath, enabled, commandCount });
}
