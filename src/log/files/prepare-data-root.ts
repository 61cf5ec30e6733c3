import { join } from 'node:path';
import { type DataRoot, rootMode } from '../../machine/data-root.js';
import { makeFolderDurably, syncFolder } from '../../files/folders.js';
import { errorCode } from '../../files/fault-reason.js';
import { writeNewFile } from '../../files/replace-file.js';

const files: Readonly<Record<string, string>> = {
  '.gitignore': '# Caches and locks of this machine, and damaged bytes that repair set aside.\nlocal/\nquarantine/\n',
  // The log is checked byte for byte, so git must not touch line ends; two sides of a merge are a union.
  '.gitattributes': '*.ndjson -text merge=union\nsessions/**/pins/*.json -text\n',
};

/** Makes a folder fit to hold sessions; what is there already stays as it is. Returns the names of the files it made. */
export function prepareDataRoot({ kind, folder }: DataRoot): readonly string[] {
  makeFolderDurably(folder, rootMode(kind));
  const made: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    try {
      writeNewFile(join(folder, name), Buffer.from(text));
      made.push(name);
    } catch (cause) {
      if (errorCode(cause) !== 'EEXIST') throw cause;
    }
  }
  makeFolderDurably(join(folder, 'sessions'));
  syncFolder(folder);
  return made;
}
