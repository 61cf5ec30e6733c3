import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { DocumentTold } from '../../contract/tools/catalog-answers.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import { readCatalog } from '../../library/read-catalog.js';
import { documentReply } from '../../respond/catalogs/catalog-replies.js';
import type { Environment } from '../world/environment.js';
import { type AskedDocument, askedDocument } from './asked-document.js';
import { documentFindings } from './document-told.js';

/** Whether a document can be imported, and all that is wrong with it. To be wrong is an answer, not a mistake of the caller. */
export async function validateOpenapi(
  env: Environment,
  request: RequestOf<'validate_openapi'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedDocument(env, request);
  return asked.ok ? ok(documentReply(await judgedDocument(asked.value, request))) : asked;
}

async function judgedDocument(
  { origin, label }: AskedDocument,
  { source, sourceType }: Pick<RequestOf<'validate_openapi'>, 'source' | 'sourceType'>,
): Promise<DocumentTold> {
  const read = await readCatalog({ origin, operations: [], strict: true });
  if (!read.ok)
    return { valid: false, source: label, documentKind: 'unknown', operationCount: 0, ...documentFindings(read.error) };
  const { kind, title, version, operations, warnings } = read.value.catalog;
  return {
    valid: true,
    source: label,
    documentKind: kind,
    title,
    version,
    operationCount: operations.length,
    ...documentFindings(warnings),
    nextCall: {
      tool: 'preview_openapi',
      arguments: { source, ...(sourceType !== undefined && { sourceType }), includeCommandPreview: true },
    },
  };
}
