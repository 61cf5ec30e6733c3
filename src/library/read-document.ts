import { isUtf8 } from 'node:buffer';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
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
  | { readonly text: string; readonly name: string; readonly documentUrl?: string | undefined };

export interface ReadDocument extends OpenDocument {
  readonly value: JsonValue;
  readonly parsed: ParsedDocument;
}

type Wrong = readonly DocumentViolation[];

/** Reads a document, and of the files beside it those that it refers to. Opens nothing else, and asks nobody. */
export function readDocument(origin: DocumentOrigin): Result<ReadDocument, Wrong> {
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
  const others = new Map<string, ParsedDocument>();
  const otherFile = (path: string): Result<JsonValue, string> => {
    const inside =
      folder === undefined ? err('the document came without its folder') : fileInside(folder.value.root, path);
    const found = inside.ok ? read(inside.value) : inside;
    if (!found.ok) return found;
    const other = parseDocument(found.value, path);
    if (!other.ok)
      return err(`${path}, line ${other.error[0]?.line ?? 1}: ${other.error[0]?.message ?? 'cannot be read'}`);
    others.set(path, other.value);
    return ok(other.value.value);
  };
  const opened = openDocument({
    value: parsed.value.value,
    file: name,
    otherFile,
    placeIn: (path) => (path === name ? parsed.value.place : others.get(path)?.place),
    documentUrl: origin.documentUrl,
  });
  return opened.ok ? ok({ ...opened.value, value: parsed.value.value, parsed: parsed.value }) : opened;
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
