import { hole } from '../../base/hole.js';
import { either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CommandListed, ImportAnswer, ImportPreview } from '../../contract/tools/catalog-answers.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { limits } from '../../base/limits.js';
import type { OperationEntry } from '../../catalogs/openapi-catalog.js';
import { writeCatalog } from '../../library/write-catalog.js';
import { importedReply, previewReply } from '../../respond/catalogs/catalog-replies.js';
import type { Environment } from '../world/environment.js';
import { type AskedDocument, askedDocument } from './asked-document.js';
import { catalogChanged } from './catalog-folder.js';
import { documentFindings } from './document-told.js';
import { documentName, type PlannedImport, plannedImport } from './planned-import.js';

/** What an import would make. */
export async function previewOpenapi(
  env: Environment,
  request: RequestOf<'preview_openapi'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedDocument(env, request);
  if (!asked.ok) return asked;
  const planned = await plannedImport(env, asked.value, request, { toWrite: false });
  return planned.ok ? ok(previewReply(previewOf(planned.value, request))) : planned;
}

function previewOf(planned: PlannedImport, request: RequestOf<'preview_openapi'>): ImportPreview {
  const { id, settings, standing, digest, index } = planned;
  const { operations, warnings, title } = index.catalog;
  const { includeCommandPreview = false, source, sourceType, vendor, baseUrl } = request;
  const address = baseUrlOf(planned);
  return {
    catalog: {
      catalogId: id,
      title: settings.title ?? title,
      ...(settings.vendor !== undefined && { vendor: settings.vendor }),
      ...(address !== undefined && { baseUrl: address }),
    },
    document: documentName(digest),
    ...(standing !== undefined && { replaces: standing.revision }),
    projectedCommandCount: operations.length,
    projectedGroupPrefixes: groupPrefixes(operations),
    providerContractCount: Object.keys(index.providers).length,
    warnings: documentFindings(warnings).warnings,
    ...(includeCommandPreview && {
      commandPreview: operations.slice(0, limits.commandPreview).map((one) => listed(id, one)),
    }),
    nextCall: {
      tool: 'import_openapi',
      arguments: {
        source,
        ...(sourceType !== undefined && { sourceType }),
        catalogId: id,
        ...(request.title !== undefined && { title: request.title }),
        ...(vendor !== undefined && { vendor }),
        ...(baseUrl !== undefined && { baseUrl }),
        ...(standing !== undefined && { overwrite: true }),
        expectedDocument: documentName(digest),
      },
    },
  };
}

export const baseUrlOf = ({ settings, index }: PlannedImport): string | undefined =>
  settings.baseUrl ?? index.catalog.baseUrl;

export const listed = (catalog: string, { id, method, path, safety, summary }: OperationEntry): CommandListed => ({
  command: `${catalog} ${id}`,
  method,
  path,
  safety,
  summary,
});

/** What the names of the commands begin with, the most frequent first. */
export function groupPrefixes(operations: readonly OperationEntry[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { id, path, tags } of operations) {
    const prefix = /^[\w-]+(?=[/.])/u.exec(id)?.[0] ?? tags[0] ?? path.split('/')[1] ?? '';
    if (prefix !== '') counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([prefix]) => prefix)
    .slice(0, limits.commandPreview);
}

/** Makes a catalog of a document, or gives one another document. */
export async function importOpenapi(
  env: Environment,
  request: RequestOf<'import_openapi'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedDocument(env, request);
  if (!asked.ok) return asked;
  const imported = await importDocument(env, asked.value, request);
  return imported.ok ? ok(importedReply(imported.value)) : imported;
}

export async function importDocument(
  env: Environment,
  asked: AskedDocument,
  request: Omit<RequestOf<'import_openapi'>, 'source' | 'sourceType'>,
): Promise<Result<ImportAnswer, Rejection>> {
  const found = await plannedImport(env, asked, request, { toWrite: true });
  if (!found.ok) return found;
  const planned = found.value;
  const { id, source, standing, digest, index, settings, document } = planned;
  if (request.expectedDocument !== undefined && request.expectedDocument !== documentName(digest))
    return err(changedSince(asked.label, documentName(digest)));
  const isSame = standing?.digest === digest && JSON.stringify(standing.settings) === JSON.stringify(settings);
  const answer = (revision: string, happened: ImportAnswer['happened']): Result<ImportAnswer, Rejection> =>
    ok({
      catalogId: id,
      happened,
      revision,
      catalogPath: `${source.label}/${id}`,
      manifestPath: `${source.label}/${id}/document.json`,
      enabled: settings.enabled,
      commandCount: index.catalog.operations.length,
      providerContractCount: Object.keys(index.providers).length,
      warnings: documentFindings(index.catalog.warnings).warnings,
      nextCall: { tool: 'search_commands', arguments: { query: hole('what to do'), catalog: id } },
    });
  if (document === undefined) throw new Error('a document that is written was asked for');
  if (standing !== undefined && isSame) return answer(standing.revision, 'unchanged');
  if (standing !== undefined && request.overwrite !== true)
    return err(alreadyHere(id, standing.label, standing.revision));
  const written = await writeCatalog(
    source,
    id,
    { settings, document },
    standing === undefined ? 'absent' : { revision: standing.revision },
  );
  if (written.ok) return answer(written.value, standing === undefined ? 'created' : 'replaced');
  return err(
    written.error.kind === 'exists'
      ? alreadyHere(id, `${source.label}/${id}`)
      : catalogChanged(id, written.error.revision),
  );
}

const changedSince = (label: string, now: string): Rejection => ({
  code: 'REVISION_CONFLICT',
  message: `${label} is not what it was at the preview: it is ${now} now; nothing was written`,
  action: 'preview it again, and tell the user what has changed',
  nextCall: { tool: 'preview_openapi', arguments: { source: label, includeCommandPreview: true } },
  context: { source: label, document: now },
});

const alreadyHere = (id: string, label: string, revision?: string): Rejection => ({
  code: 'ALREADY_EXISTS',
  message: `a catalog ${id} is here already, in ${label}; nothing was written`,
  action: [
    either(
      'to replace its document send "overwrite": true; else choose another catalogId',
      'to replace its document and keep its settings, add --overwrite; or choose another id with --id',
    ),
  ],
  nextCall: { tool: 'list_catalogs', arguments: {} },
  context: { catalogId: id, ...(revision !== undefined && { revision }) },
});
