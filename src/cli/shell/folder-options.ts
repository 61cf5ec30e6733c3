import path from 'node:path';
import { err, ok, type Result } from '../../base/result.js';
import { isLink } from '../../files/folders.js';
import { kindOfPlace } from '../print/kind-of-place.js';
import type { ParsedOptions } from './parse-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';

export interface FolderOptions {
  readonly workspace: string | undefined;
  readonly dataDir: string | undefined;
}

/** `--workspace` and `--data-dir`, absolute. A workspace is somewhere already; a data folder is made when it is needed. */
export function folderOptions(parsed: ParsedOptions, { workingFolder }: CliEnvironment): Result<FolderOptions, string> {
  const workspace = parsed.text('workspace');
  const dataDir = parsed.text('data-dir');
  const folder = workspace === undefined ? undefined : path.resolve(workingFolder, workspace);
  if (folder !== undefined && !isFolder(folder)) return err(`--workspace: ${folder} is not a folder`);
  const data = dataDir === undefined ? undefined : path.resolve(workingFolder, dataDir);
  // A link is refused by what is asked, in words of its own.
  const kind = data === undefined || isLink(data) ? 'nothing' : kindOfPlace(data);
  if (kind === 'file' || kind === 'unreachable') return err(`--data-dir: ${data ?? ''} is not a folder`);
  return ok({ workspace: folder, dataDir: data });
}

export function isFolder(place: string): boolean {
  return kindOfPlace(place) === 'folder';
}
