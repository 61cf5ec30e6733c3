import { readFileSync } from 'node:fs';
import type { KeptFile } from './compile-files.js';

/** What the build has compiled already; as trusted as the program it lies beside. None where there was no such build. */
export function readKeptFiles(file: string): readonly KeptFile[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly KeptFile[];
  } catch {
    return [];
  }
}
