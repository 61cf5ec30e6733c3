import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { pointerTo } from '../base/patch/json-pointer.js';
import type { DocumentReporter, Spot } from './document-reporter.js';
import { reportUnfound } from './follow.js';
import { mapReferences } from './map-references.js';
import type { References } from './references.js';

/** Takes the schemas of one operation out of a document, so that they stand by themselves. */
export interface SchemaBag {
  /** A schema as it is there; what it refers to goes into the bag and is called `#/$defs/<name>`. */
  take(schema: Spot): JsonValue;
  /** What was referred to, the nearest first, as much of it as may be. */
  close(): { readonly definitions: Record<string, JsonValue>; readonly leftOut: string[] };
}

export function openSchemaBag(
  references: References,
  report: DocumentReporter,
  bounds: { readonly chars: number; readonly count: number } = {
    chars: limits.apiSchemas,
    count: limits.apiDefinitions,
  },
): SchemaBag {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const waiting: { readonly key: string; readonly name: string; readonly at: Spot }[] = [];
  const rename = (reference: Spot): string | undefined => {
    const found = references.find(reference.value as string, reference.file);
    if (!found.ok) {
      reportUnfound(report, reference, found.error);
      return undefined;
    }
    const key = `${found.value.file}#${pointerTo(found.value.path)}`;
    let name = names.get(key);
    if (name === undefined) {
      name = freeName(nameOf(found.value), taken);
      names.set(key, name);
      taken.add(name);
      waiting.push({ key, name, at: found.value });
    }
    return `#/$defs/${name}`;
  };
  return {
    take: (schema) => mapReferences(schema, rename),
    close: () => {
      const definitions: [string, JsonValue][] = [];
      const leftOut: string[] = [];
      let room = bounds.chars;
      // What is taken out may refer to more, which is put at the end.
      for (const { name, at } of waiting) {
        if (room <= 0 || definitions.length >= bounds.count) {
          leftOut.push(name);
          continue;
        }
        const before = waiting.length;
        const made = mapReferences(at, rename);
        const length = JSON.stringify(made).length;
        if (length > room) {
          leftOut.push(name);
          // What only it refers to is not missed.
          for (const one of waiting.splice(before)) {
            names.delete(one.key);
            taken.delete(one.name);
          }
          continue;
        }
        room -= length;
        definitions.push([name, made]);
      }
      return { definitions: Object.fromEntries(definitions), leftOut };
    },
  };
}

/** Only looks whether every reference leads somewhere; each schema is looked at once for all operations. */
export function referenceCheck(references: References, report: DocumentReporter): SchemaBag {
  const seen = new Set<string>();
  const waiting: Spot[] = [];
  const visit = (reference: Spot): undefined => {
    const found = references.find(reference.value as string, reference.file);
    if (!found.ok) {
      reportUnfound(report, reference, found.error);
      return undefined;
    }
    const key = `${found.value.file}#${pointerTo(found.value.path)}`;
    if (!seen.has(key)) {
      seen.add(key);
      waiting.push(found.value);
    }
    return undefined;
  };
  return {
    take: (schema) => {
      mapReferences(schema, visit);
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) mapReferences(next, visit);
      return true;
    },
    close: () => ({ definitions: {}, leftOut: [] }),
  };
}

/** The last part of where it stands, or the name of the file, in letters that a pointer need not escape. */
function nameOf({ file, path }: Spot): string {
  const last =
    path.at(-1) ??
    file
      .split('/')
      .at(-1)!
      .replace(/\.\w+$/u, '');
  const name = String(last)
    .replaceAll(/[^\w.-]+/gu, '_')
    .slice(0, limits.definitionName);
  return name === '' || name === '__proto__' ? 'schema' : name;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}
