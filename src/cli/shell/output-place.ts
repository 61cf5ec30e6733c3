import path from 'node:path';
import { isFolder } from './folder-options.js';

/** Where `--output` has something written: into a file, or under a name of its own into a folder. */
export function outputPlace(
  asked: string,
  workingFolder: string,
): { readonly file: string } | { readonly folder: string } {
  const place = path.resolve(workingFolder, asked);
  return asked.endsWith('/') || isFolder(place) ? { folder: place } : { file: place };
}

/** A file by its short name, where it lies below the folder that people work in. */
export function nearName(file: string, workingFolder: string): string {
  const near = path.relative(workingFolder, file);
  return near.startsWith('..') ? file : near;
}
