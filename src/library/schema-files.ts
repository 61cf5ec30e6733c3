import { readdirSync } from 'node:fs';
import path from 'node:path';
import { closestNames } from '../base/closest-name.js';
import { digestOf } from '../base/digest.js';
import { errorText } from '../base/error-text.js';
import type { SchemaId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { isSchemaName, readSchemaFile } from '../definitions/contracts/schema-file.js';
import { faultReason } from '../files/fault-reason.js';
import { isRealFolder, lookAt, makeFolderDurably } from '../files/folders.js';
import { readPlainFile } from '../files/read-plain-file.js';
import { replaceFile } from '../files/replace-file.js';
import { underLock } from '../files/under-lock.js';
import type { CatalogSource } from './catalog-files.js';

/** Folders of schemas lie beside those of workflows and catalogs. */
export type SchemaSource = CatalogSource;

/** A schema that states are held to. Its file is never changed: another text is another version. */
export interface RegisteredSchema {
  readonly id: SchemaId;
  readonly name: string;
  readonly version: number;
  readonly json: JsonObject | boolean;
  readonly description: string | undefined;
  readonly createdAt: string;
  readonly source: SchemaSource['name'];
  /** Where it lies, as people are shown it. */
  readonly label: string;
}

/** What a schema says, and under which name and number, makes its id. */
const schemaIdOf = (name: string, version: number, json: JsonObject | boolean): SchemaId =>
  `schema_${digestOf({ name, version, json }).slice(0, 12)}` as SchemaId;

export interface Schemas {
  /** By name and version. Two clones may each have made a version of their own under one number: both are here. */
  readonly list: () => readonly RegisteredSchema[];
  /** The newest of a name, or one version of it; several where clones claim the same number. */
  readonly find: (name: string, version?: number) => readonly RegisteredSchema[];
  /** Names like one that is not there. */
  readonly near: (name: string) => readonly string[];
  /** Files that are no schemas, and why. */
  readonly problems: () => readonly { readonly label: string; readonly problem: string }[];
}

export function openSchemas(sources: readonly SchemaSource[]): Schemas {
  const known = new Map<string, { readonly state: string; readonly read: Result<RegisteredSchema, string> }>();
  const look = (): readonly { readonly label: string; readonly read: Result<RegisteredSchema, string> }[] =>
    sources.flatMap((source) =>
      filesIn(source).map(({ file, problem }) => {
        if (problem !== undefined) return { label: `${source.label}/${file}`, read: err(problem) };
        const at = path.join(source.folder, file);
        const seen = lookAt(at);
        const state = seen === undefined ? '' : [seen.ino, seen.size, seen.mtimeMs, seen.ctimeMs].join(' ');
        const before = known.get(at);
        const read = before?.state === state && state !== '' ? before.read : readSchema(source, file);
        known.set(at, { state, read });
        return { label: `${source.label}/${file}`, read };
      }),
    );
  const list = (): readonly RegisteredSchema[] => {
    const byId = new Map<SchemaId, RegisteredSchema>();
    for (const { read } of look()) if (read.ok) byId.set(read.value.id, read.value);
    return [...byId.values()].toSorted((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : a.version - b.version || (a.id < b.id ? -1 : 1),
    );
  };
  return {
    list,
    find: (name, version) => {
      const named = list().filter((one) => one.name === name);
      const wanted = version ?? Math.max(0, ...named.map((one) => one.version));
      return named.filter((one) => one.version === wanted);
    },
    near: (name) => closestNames(name, [...new Set(list().map((one) => one.name))]),
    problems: () => look().flatMap(({ label, read }) => (read.ok ? [] : [{ label, problem: read.error }])),
  };
}

/** A file, or a folder of which nobody can say what is in it. */
interface Found {
  readonly file: string;
  readonly problem?: string;
}

/** `<name>/<version>-<hash>.json`, as far as that can be looked at. */
function filesIn({ folder, refused }: SchemaSource): readonly Found[] {
  if (refused?.() !== undefined) return [];
  const names = namesIn(folder);
  if (!names.ok) return [{ file: '', problem: names.error }];
  return names.value
    .filter((name) => isSchemaName(name))
    .flatMap((name): readonly Found[] => {
      const files = namesIn(path.join(folder, name));
      if (!files.ok) return [{ file: name, problem: files.error }];
      return files.value
        .filter((file) => /^\d{1,9}-[0-9a-f]{8}\.json$/u.test(file))
        .map((file) => ({ file: `${name}/${file}` }));
    });
}

function namesIn(folder: string): Result<readonly string[], string> {
  if (!isRealFolder(folder)) return ok([]);
  try {
    return ok(readdirSync(folder).toSorted().slice(0, limits.schemaFiles));
  } catch (cause) {
    const reason = faultReason(cause);
    if (reason === undefined) throw cause;
    return reason.code === 'ENOENT' ? ok([]) : err(`it cannot be read: ${reason.why} (${reason.code})`);
  }
}

function readSchema(source: SchemaSource, file: string): Result<RegisteredSchema, string> {
  const wrong = (error: string): Result<never, string> => ({ ok: false, error });
  try {
    const bytes = readPlainFile(path.join(source.folder, file));
    if (bytes.length > limits.stateSchema * 2) return wrong(`it has ${bytes.length} bytes`);
    const parsed = readSchemaFile(bytes.toString('utf8'));
    if (!parsed.ok) return wrong(parsed.error);
    const { name, version, description, created_at: createdAt, json_schema: json } = parsed.value;
    if (path.posix.join(name, fileName(version, json)) !== file)
      return wrong('its name and what stands in it do not agree: it was changed by hand');
    const id = schemaIdOf(name, version, json);
    return ok({
      id,
      name,
      version,
      json,
      description,
      createdAt,
      source: source.name,
      label: `${source.label}/${file}`,
    });
  } catch (cause) {
    return wrong(errorText(cause));
  }
}

const fileName = (version: number, json: JsonObject | boolean): string =>
  `${version}-${digestOf(json).slice(0, 8)}.json`;

/** Writes a schema under the next free number; the same text of a name is registered once. Of several who do so at once each has a turn. */
export async function writeSchema(
  source: SchemaSource,
  schemas: Schemas,
  given: Pick<RegisteredSchema, 'name' | 'json' | 'description' | 'createdAt'>,
): Promise<{ readonly schema: RegisteredSchema; readonly isNew: boolean }> {
  makeFolderDurably(source.folder);
  return underLock(source.folder, () => {
    const { name, json, description, createdAt } = given;
    const text = digestOf(json);
    const named = schemas.list().filter((one) => one.name === name);
    const same = named.find((one) => digestOf(one.json) === text);
    if (same !== undefined) return { schema: same, isNew: false };
    const folder = path.join(source.folder, name);
    makeFolderDurably(folder);
    // What cannot be read has its number all the same.
    const taken = readdirSync(folder).map((file) => Number(/^\d{1,9}(?=-)/u.exec(file)?.[0] ?? 0));
    const version = 1 + Math.max(0, ...taken, ...named.map((one) => one.version));
    const id = schemaIdOf(name, version, json);
    const file = fileName(version, json);
    const content = { schema_id: id, name, version, description, created_at: createdAt, json_schema: json };
    // Whole or not at all: a half of it would take the name of what is to be registered.
    replaceFile(path.join(folder, file), folder, Buffer.from(`${JSON.stringify(content, null, 2)}\n`));
    const label = `${source.label}/${name}/${file}`;
    return { schema: { id, name, version, json, description, createdAt, source: source.name, label }, isNew: true };
  });
}
