import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { closestName } from '../../base/closest-name.js';
import { either } from '../../base/sentence.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { DocumentOrigin } from '../../library/read-document.js';
import type { Environment } from '../world/environment.js';

export interface AskedDocument {
  readonly origin: DocumentOrigin;
  /** As it is told, and noted in the catalog. */
  readonly label: string;
}

interface Asked {
  readonly source: string;
  readonly sourceType?: 'path' | 'url' | undefined;
}

/** The document that a call names: a file in the workspace, or of whoever sits at the terminal, or an address that they asked for. */
export async function askedDocument(
  env: Environment,
  { source, sourceType }: Asked,
): Promise<Result<AskedDocument, Rejection>> {
  if (sourceType === 'url') return fetchedDocument(env, source);
  if (sourceType === undefined && /^https?:\/\//iu.test(source))
    return err({
      code: 'PRECONDITION_FAILED',
      message: `${shown(source)} is an address, and nothing is fetched that nobody asked for`,
      action: [
        either(
          'if the user asked for this address, send "sourceType": "url"; else name a file in the workspace',
          'to fetch it, use --url',
        ),
      ],
      again: [{ at: '/sourceType', to: 'url' }],
    });
  return fileOf(env, source);
}

/** What would break a line or end a text is told by its code. */
const shown = (source: string): string => (/[\p{C}]/u.test(source) ? JSON.stringify(source) : source);

/** A person who types an address of this machine means it. */
function onThisMachine(source: string): readonly string[] {
  if (!URL.canParse(source)) return [];
  const { host, hostname } = new URL(source);
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(hostname) ? [host] : [];
}

/** A document at an address: fetched as it is, without showing who asks, and only where the address is public. */
async function fetchedDocument(env: Environment, source: string): Promise<Result<AskedDocument, Rejection>> {
  const allow = env.caller === undefined ? [] : onThisMachine(source);
  const fetched = await env.calls.fetchDocument(source, { allow });
  if (fetched.ok) {
    const { text, url } = fetched.value;
    const pathname = new URL(url).pathname;
    return ok({
      origin: { text, name: pathname.split('/').at(-1) || 'openapi.json', documentUrl: url },
      label: source,
    });
  }
  const { code, message, action } = fetched.error;
  return err({ code, message: message.replace(/\.$/u, ''), action: action.replace(/\.$/u, ''), context: { source } });
}

function fileOf(env: Environment, source: string): Result<AskedDocument, Rejection> {
  const notThere = (message: string, more: Partial<Rejection> = {}): Result<never, Rejection> =>
    err({
      code: 'NOT_FOUND',
      message,
      action: ['name an OpenAPI document', either(' in the workspace', ''), ', as YAML or JSON'],
      context: { path: source },
      ...more,
    });
  const workspace = realPath(env.workspace) ?? env.workspace;
  // A person names whatever file is theirs; an agent one that it was given to work on.
  const mayNameIn = (folder: string): boolean =>
    env.caller !== undefined || folder === workspace || folder.startsWith(workspace + path.sep);
  const file = realPath(path.resolve(env.workspace, source));
  if (file === undefined) {
    const folder = realPath(path.dirname(path.resolve(env.workspace, source)));
    const meant = folder !== undefined && mayNameIn(folder) ? closestFile(folder, source) : undefined;
    if (meant === undefined) return notThere(`no such file: ${shown(source)}`);
    return notThere(`no such file: ${shown(source)}; did you mean ${shown(meant)}?`, {
      again: [{ at: '/source', to: meant }],
    });
  }
  const isInside = file.startsWith(workspace + path.sep);
  if (!mayNameIn(file))
    return notThere(`${shown(source)} is outside the workspace`, {
      action: 'copy it into the workspace first, and name it there',
    });
  if (statSync(file).isDirectory()) return notThere(`${shown(source)} is a folder`);
  const folder = isInside ? workspace : path.dirname(file);
  return ok({
    origin: { file, folder },
    label: isInside ? path.relative(workspace, file).split(path.sep).join('/') : path.basename(file),
  });
}

/** As it was asked for, with the name of a file that is there. */
function closestFile(folder: string, source: string): string | undefined {
  const name = closestName(path.basename(source), filesIn(folder));
  return name === undefined ? undefined : path.join(path.dirname(source), name).split(path.sep).join('/');
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isFile() ? [one.name] : []));
  } catch {
    return [];
  }
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
