import { isUtf8 } from 'node:buffer';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { err, ok, type Result } from '../base/result.js';
import { type OpenDocument, openDocument } from '../catalogs/open-document.js';
import type { DocumentViolation } from '../catalogs/openapi-catalog.js';
import { type ParsedDocument, parseDocument } from '../catalogs/parse-document.js';
import { errorCode, faultReason } from '../files/fault-reason.js';
import { readThroughLink } from '../files/read-plain-file.js';

/** An API document: a file, or a text that somebody handed in, which has no folder. */
export type DocumentOrigin =
  | {
      readonly file: string;
      /** How far its references may lead; its own folder where nobody says. */
      readonly folder?: string | undefined;
      readonly documentUrl?: string | undefined;
    }
  | { readonly text: string; readonly name: string; readonly documentUrl?: string | undefined }
  /** As a catalog keeps it. */
  | { readonly kept: string; readonly documentUrl?: string | undefined };

export interface ReadDocument extends OpenDocument {
  readonly value: JsonValue;
  readonly parsed: ParsedDocument;
  /** The document as a catalog keeps it: one text, together with the files that it refers to. */
  readonly keep: () => string;
}

type Wrong = readonly DocumentViolation[];

/** Reads a document, and of the files beside it those that it refers to. Opens nothing else, and asks nobody. */
export function readDocument(origin: DocumentOrigin): Result<ReadDocument, Wrong> {
  if ('kept' in origin) return readKept(origin.kept, origin.documentUrl);
  const folder = 'file' in origin ? folderOf(origin.file, origin.folder) : undefined;
  if (folder !== undefined && !folder.ok) return folder;
  let room: number = limits.apiDocument;
  const read = (path: string): Result<string, string> => {
    const text = textOf(path, room);
    if (text.ok) room -= text.value.length;
    return text;
  };
  const name = 'file' in origin ? (folder?.value.name ?? '') : origin.name;
  const text = 'file' in origin ? read(origin.file) : givenText(origin.text);
  if (!text.ok) return err([problem('file', `${basename(name)} ${text.error}`)]);
  const parsed = parseDocument(text.value, name);
  if (!parsed.ok) return parsed;
  // The document of a catalog, which may be imported again.
  if (isOfSeveral(parsed.value.value))
    return openKept(parsed.value, { name, text: text.value, documentUrl: origin.documentUrl });
  const others = new Map<string, ParsedDocument>();
  const parts = new Map<string, JsonValue>();
  const otherFile = (path: string): Result<JsonValue, string> => {
    const inside =
      folder === undefined ? err('the document came without its folder') : fileInside(folder.value.root, path);
    const found = inside.ok ? read(inside.value) : inside;
    if (!found.ok) return found;
    const other = parseDocument(found.value, path);
    if (!other.ok)
      return err(`${path}, line ${other.error[0]?.line ?? 1}: ${other.error[0]?.message ?? 'cannot be read'}`);
    others.set(path, other.value);
    parts.set(path, other.value.value);
    return ok(other.value.value);
  };
  const opened = openDocument({
    value: parsed.value.value,
    file: name,
    otherFile,
    placeIn: (path) => (path === name ? parsed.value.place : others.get(path)?.place),
    documentUrl: origin.documentUrl,
  });
  if (!opened.ok) return opened;
  const { value } = parsed.value;
  return ok({ ...opened.value, value, parsed: parsed.value, keep: () => keptText(name, value, parts) });
}

/** The version of the form in which a document of several files is kept. */
const keptForm = 'workrail.document/1';

/** A document of one file is kept as it is, as JSON; one of several under their names. */
function keptText(name: string, value: JsonValue, parts: ReadonlyMap<string, JsonValue>): string {
  const kept =
    parts.size === 0
      ? value
      : { form: keptForm, main: name, files: Object.fromEntries([[name, value], ...parts.entries()]) };
  const short = JSON.stringify(kept);
  const isReadable = short.length + indentation(kept, 1) <= limits.apiKept / 2;
  return `${isReadable ? JSON.stringify(kept, null, 2) : short}\n`;
}

/** How much longer a value gets by standing in lines of its own: what is nested deep may get a hundred times as long. */
function indentation(value: JsonValue, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly JsonValue[] = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + 2 * depth + 2 + indentation(one, depth + 1), 2 * depth);
}

function readKept(file: string, documentUrl: string | undefined): Result<ReadDocument, Wrong> {
  const text = textOf(file, limits.apiKept);
  if (!text.ok) return err([problem('file', `${basename(file)} ${text.error}`)]);
  const parsed = parseDocument(text.value, basename(file));
  return parsed.ok ? openKept(parsed.value, { name: basename(file), text: text.value, documentUrl }) : parsed;
}

const isOfSeveral = (value: JsonValue): value is JsonObject => isJsonObject(value) && value['form'] === keptForm;

interface Kept {
  readonly name: string;
  readonly text: string;
  readonly documentUrl: string | undefined;
}

function openKept(parsed: ParsedDocument, { name: file, text, documentUrl }: Kept): Result<ReadDocument, Wrong> {
  const { value: whole } = parsed;
  const isSeveral = isOfSeveral(whole);
  const name = isSeveral && typeof whole['main'] === 'string' ? whole['main'] : file;
  const files = isSeveral && isJsonObject(whole['files']) ? whole['files'] : { [name]: whole };
  const value = own(files, name) ?? null;
  const opened = openDocument({
    value,
    file: name,
    otherFile: (path) => {
      const other = own(files, path);
      return other === undefined ? err(`there is not a file ${path}`) : ok(other);
    },
    placeIn: (path) => (isSeveral || path !== name ? undefined : parsed.place),
    documentUrl,
  });
  return opened.ok ? ok({ ...opened.value, value, parsed, keep: () => text }) : opened;
}

const problem = (rule: string, message: string): DocumentViolation => ({
  severity: 'error',
  rule,
  pointer: '',
  message,
});

const tooLarge = `is larger than ${limits.apiDocument / 1024 / 1024} MiB together with the files that it refers to`;

const givenText = (text: string): Result<string, string> =>
  Buffer.byteLength(text) > limits.apiDocument ? err(tooLarge) : ok(text);

interface DocumentFolder {
  readonly root: string;
  /** Of the document, below the folder. */
  readonly name: string;
}

function folderOf(file: string, given: string | undefined): Result<DocumentFolder, Wrong> {
  const root = resolve(given ?? dirname(file));
  const name = relative(root, resolve(file)).split(sep).join('/');
  if (name === '' || name.startsWith('../') || name === '..')
    return err([problem('file', `${basename(file)} is not in the folder that was named for it`)]);
  return ok({ root, name });
}

/** No link may lead out of the folder either. */
function fileInside(root: string, path: string): Result<string, string> {
  try {
    const [folder, file] = [realpathSync(root), realpathSync(join(root, path))];
    return file.startsWith(folder + sep) ? ok(file) : err('a link points outside the document’s folder');
  } catch (cause) {
    return err(refusal(cause, path));
  }
}

function textOf(path: string, room: number): Result<string, string> {
  try {
    if (statSync(path).size > room) return err(tooLarge);
    const bytes = readThroughLink(path);
    return isUtf8(bytes) ? ok(bytes.toString('utf8')) : err('is not UTF-8 text: save it as UTF-8');
  } catch (cause) {
    return err(refusal(cause, basename(path)));
  }
}

/** Why the system would not give a file; what it did not say is a mistake of ours. */
function refusal(cause: unknown, name: string): string {
  if (errorCode(cause) === 'ENOENT') return `no file named ${name}`;
  const reason = faultReason(cause);
  if (reason === undefined) throw cause;
  return `cannot be read: ${reason.why} (${reason.code})`;
}
