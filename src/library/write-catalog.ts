import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Result } from '../base/result.js';
import type { CatalogSettings } from '../catalogs/catalog-settings.js';
import { isRealFolder, lookAt, makeFolderDurably, modeWithin, syncFolder, syncNamedFolder } from '../files/folders.js';
import { moveAcross } from '../files/move-across.js';
import { removeUnfinished } from '../files/remove-unfinished.js';
import { replaceFile, writeNewFile } from '../files/replace-file.js';
import { type CatalogSource, documentFile, readEntry, settingsFile } from './catalog-files.js';
import { Refused, refusals, type WriteProblem } from './write-problem.js';
import type { Standing } from './write-workflow.js';

interface Written {
  readonly settings: CatalogSettings;
  /** As it is kept. */
  readonly document: Uint8Array;
}

const settingsText = (settings: CatalogSettings): string => `${JSON.stringify(settings, null, 2)}\n`;

/** Puts a catalog into a folder of catalogs, whole or not at all. Of several who do so at once one does, and the others are told. */
export async function writeCatalog(
  source: CatalogSource,
  id: string,
  { settings, document }: Written,
  standing: Standing,
): Promise<Result<string, WriteProblem>> {
  makeFolderDurably(source.folder);
  // Written before its turn and away from the others: a large one takes its time to be on disk.
  const draft = path.join(source.folder, `.${id}.${process.pid}.${(drafts += 1)}.draft`);
  try {
    await writeDraft(draft, document);
    return await placed(source, id, { settings, draft }, standing);
  } finally {
    rmSync(draft, { force: true });
  }
}

let drafts = 0;

async function writeDraft(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', modeWithin(path.dirname(file)) & 0o666);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Placed {
  readonly settings: CatalogSettings;
  /** A file beside the folders, whose name is given up. */
  readonly draft: string;
}

function placed(
  source: CatalogSource,
  id: string,
  { settings, draft }: Placed,
  standing: Standing,
): Promise<Result<string, WriteProblem>> {
  return refusals(source.folder, () => {
    removeUnfinished(source.folder);
    const folder = path.join(source.folder, id);
    const isLeft = lookAt(path.join(folder, settingsFile)) === undefined && isRealFolder(folder);
    if (standing === 'absent' && !isLeft) writeNew(folder, { settings, draft });
    else {
      if (standing !== 'absent') requireRevision(source, id, standing.revision);
      // Each is replaced in one step; settings fit any document, so that no moment between the two is wrong.
      renameSync(draft, path.join(folder, documentFile));
      put(path.join(folder, settingsFile), settingsText(settings));
    }
    return readEntry(source, id).revision;
  });
}

/** Writes other settings of a catalog; its document stays. */
export const writeSettings = (
  source: CatalogSource,
  id: string,
  settings: CatalogSettings,
  revision: string,
): Promise<Result<string, WriteProblem>> =>
  refusals(source.folder, () => {
    requireRevision(source, id, revision);
    put(path.join(source.folder, id, settingsFile), settingsText(settings));
    return readEntry(source, id).revision;
  });

/** Takes a catalog out of the way, into a folder where it can be found again. Its document may stay for a later import. */
export const removeCatalog = (
  source: CatalogSource,
  id: string,
  { to, revision, withDocument }: { readonly to: string; readonly revision: string; readonly withDocument: boolean },
): Promise<Result<string, WriteProblem>> =>
  refusals(source.folder, () => {
    requireRevision(source, id, revision);
    const folder = path.join(source.folder, id);
    if (withDocument) moveAcross(folder, to);
    else moveAcross(path.join(folder, settingsFile), `${to}.json`);
    syncNamedFolder(withDocument ? source.folder : folder);
    return revision;
  });

/** In one step; a link that stands there gives way, and what it leads to is left alone. */
const put = (file: string, text: string): void => replaceFile(file, path.dirname(file), Buffer.from(text));

function requireRevision(source: CatalogSource, id: string, wanted: string): void {
  const isThere = isRealFolder(path.join(source.folder, id));
  const revision = isThere ? readEntry(source, id).revision : undefined;
  if (revision !== wanted) throw new Refused({ kind: 'changed', revision });
}

/** Beside its place under another name first. */
function writeNew(folder: string, { settings, draft }: Placed): void {
  if (lookAt(folder) !== undefined) throw new Refused({ kind: 'exists' });
  const above = path.dirname(folder);
  const temporary = path.join(above, `.${path.basename(folder)}.${process.pid}.tmp`);
  try {
    rmSync(temporary, { recursive: true, force: true });
    mkdirSync(temporary, modeWithin(above));
    renameSync(draft, path.join(temporary, documentFile));
    writeNewFile(path.join(temporary, settingsFile), Buffer.from(settingsText(settings)), 0o666);
    syncFolder(temporary);
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  syncNamedFolder(above);
}
