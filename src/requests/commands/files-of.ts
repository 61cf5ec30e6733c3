import { buildRequest } from '../../catalogs/build-request.js';
import type { BuiltBody } from '../../catalogs/built-request.js';
import { operationOfShape } from '../../catalogs/operation-of-shape.js';
import { type RequestParts, type SentFile, workspaceNames } from '../../decide/commands/sent-files.js';
import type { WorkspaceFiles } from '../world/workspace-files.js';

/** The files of the workspace that a request would send, as they are now. */
export const filesOf =
  ({ look }: Pick<WorkspaceFiles, 'look'>) =>
  (request: RequestParts): readonly SentFile[] =>
    namesIn(request).map((file) => ({ file, ...look(file) }));

/** In JSON such a name is what it says and no file; what cannot be built yet may have any of them. */
function namesIn({ operation, body = null, ...parts }: RequestParts): readonly string[] {
  const names = workspaceNames(body);
  if (names.length === 0) return names;
  const built = buildRequest(operationOfShape(operation), { ...parts, body, baseUrl: 'https://localhost' });
  if (!built.ok) return names;
  return built.value.body === undefined ? [] : [...new Set(filesIn(built.value.body).flatMap(workspaceNames))];
}

function filesIn(body: BuiltBody): readonly { readonly file: string }[] {
  switch (body.kind) {
    case 'text':
      return [];
    case 'file':
      return [body.file];
    case 'multipart':
      return body.parts.flatMap((part) => ('file' in part ? [part.file] : []));
  }
}
