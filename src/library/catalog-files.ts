import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '../base/digest.js';
import { limits } from '../base/limits.js';
import { type CatalogSettings, catalogId, catalogSettings } from '../catalogs/catalog-settings.js';
import { faultReason } from '../files/fault-reason.js';
import { isLink, isRealFolder, lookAt } from '../files/folders.js';
import { readPlainFile } from '../files/read-plain-file.js';
import { revisionOf } from './revision.js';

/** A folder of catalogs: the project's, or the user's. */
export interface CatalogSource {
  readonly name: 'user' | 'project';
  readonly folder: string;
  /** What is shown instead of an absolute path. */
  readonly label: string;
  /** Why nothing of it may be read just now. */
  readonly refused?: (() => string | undefined) | undefined;
}

/** A catalog as it lies on disk. */
export interface CatalogEntry {
  readonly id: string;
  readonly source: CatalogSource['name'];
  /** Its own folder. */
  readonly folder: string;
  readonly label: string;
  /** Of the settings and the document together. */
  readonly revision: string;
  /** SHA-256 of the document; empty where it cannot be read. */
  readonly digest: string;
  readonly settings: CatalogSettings;
  /** Why it cannot be used. */
  readonly problem?: string;
  /** Its settings could not be read, and must not be written over; those that are told are nobody's. */
  readonly unread?: true;
}

export const settingsFile = 'catalog.json';
export const documentFile = 'document.json';

interface Looked {
  readonly state: string;
  readonly entry: CatalogEntry;
}

/** Looks at folders of catalogs, in rising precedence, and reads again what has changed. */
export function openCatalogFiles(sources: readonly CatalogSource[]): {
  /** By source. */
  readonly look: () => readonly (readonly CatalogEntry[])[];
  /** At that one alone, wherever it lies. */
  readonly lookFor: (id: string) => readonly CatalogEntry[];
} {
  let known = new Map<string, Looked>();
  const lookedAt = (source: CatalogSource, id: string, before: ReadonlyMap<string, Looked>): Looked => {
    const folder = path.join(source.folder, id);
    const state = stateOf(folder);
    const last = before.get(folder);
    const looked = last?.state === state && state !== '' ? last : { state, entry: readEntry(source, id) };
    known.set(folder, looked);
    return looked;
  };
  return {
    look: () => {
      const before = known;
      known = new Map();
      return sources.map((source) => idsIn(source).map((id) => lookedAt(source, id, before).entry));
    },
    lookFor: (id) =>
      sources
        .filter((source) => isOpen(source) && isCatalog(source, id))
        .map((source) => lookedAt(source, id, known).entry),
  };
}

function idsIn(source: CatalogSource): readonly string[] {
  if (!isOpen(source)) return [];
  return namesIn(source.folder)
    .filter((name) => isCatalog(source, name))
    .toSorted()
    .slice(0, limits.catalogs);
}

const isOpen = ({ folder, refused }: CatalogSource): boolean => isRealFolder(folder) && refused?.() === undefined;

const isCatalog = ({ folder }: CatalogSource, name: string): boolean =>
  catalogId.safeParse(name).success &&
  (lookAt(path.join(folder, name, settingsFile)) !== undefined || isLink(path.join(folder, name)));

/** A folder that is gone by now, or that may not be read, has none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (faultReason(cause) === undefined) throw cause;
    return [];
  }
}

/** The same state means the same bytes, unless somebody writes within one tick of the clock: then it is empty. */
function stateOf(folder: string): string {
  const looks = [settingsFile, documentFile].map((name) => lookAt(path.join(folder, name)));
  const isFresh = looks.some((look) => look !== undefined && Date.now() - look.ctimeMs < limits.settledMs);
  return isFresh
    ? ''
    : looks
        .map((look) => (look === undefined ? 'none' : [look.ino, look.size, look.mtimeMs, look.ctimeMs].join(' ')))
        .join('; ');
}

const nobodys: CatalogSettings = { version: 1, enabled: false };

/** A catalog as it lies there. What is wrong with it is said, and it is not used. */
export function readEntry({ name, folder: above, label }: CatalogSource, id: string): CatalogEntry {
  const folder = path.join(above, id);
  const known = { id, source: name, folder, label: `${label}/${id}` };
  if (!isRealFolder(folder)) {
    const problem = isLink(folder) ? 'its folder is a link, and links are not followed' : 'it is not a folder';
    return { ...known, revision: revisionOf(sha256Hex(problem)), digest: '', settings: nobodys, problem, unread: true };
  }
  const settings = read(folder, settingsFile, limits.catalogFile);
  const document = read(folder, documentFile, limits.apiKept);
  const digest = 'bytes' in document ? sha256Hex(document.bytes) : '';
  const revision = revisionOf(sha256Hex('bytes' in settings ? `${sha256Hex(settings.bytes)} ${digest}` : digest));
  const parsed = 'bytes' in settings ? parsedSettings(settings.bytes) : settings.problem;
  if (typeof parsed === 'string')
    return { ...known, revision, digest, settings: nobodys, problem: parsed, unread: true };
  return { ...known, revision, digest, settings: parsed, ...('problem' in document && { problem: document.problem }) };
}

function parsedSettings(bytes: Buffer): CatalogSettings | string {
  if (!isUtf8(bytes)) return `${settingsFile} is no UTF-8 text`;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/u, ''));
  } catch (cause) {
    // The piece of the text that such a message shows may be of a secret.
    const why = cause instanceof Error ? cause.message.replace(/, .*is not valid JSON$/su, '') : '';
    return `${settingsFile} is no JSON: ${why.slice(0, limits.echo)}`;
  }
  const parsed = catalogSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${settingsFile}${issue === undefined || issue.path.length === 0 ? '' : `, ${issue.path.join('.')}`}: ${issue?.message ?? ''}`;
}

type Content = { readonly bytes: Buffer } | { readonly problem: string };

function read(folder: string, name: string, most: number): Content {
  const file = path.join(folder, name);
  const standing = lookAt(file);
  if (standing === undefined) return { problem: `there is no ${name}` };
  if (isLink(file)) return { problem: `${name} is a link, and links are not followed` };
  if (standing.size > most) return { problem: `${name} is larger than ${most / 1024} KiB` };
  try {
    return { bytes: readPlainFile(file) };
  } catch (cause) {
    const reason = faultReason(cause);
    if (reason === undefined) throw cause;
    return { problem: `${name} cannot be read: ${reason.why} (${reason.code})` };
  }
}
