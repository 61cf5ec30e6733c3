import { limits } from '../base/limits.js';
import { pointerTo } from '../base/patch/json-pointer.js';
import type { FindPlace, SourcePath } from '../definitions/source/source-path.js';
import type { DocumentViolation } from './openapi-catalog.js';

/** A value of a document, with where it stands. */
export interface Spot {
  readonly value: unknown;
  /** Below the document's folder. */
  readonly file: string;
  readonly path: SourcePath;
}

export type More = Partial<Pick<DocumentViolation, 'expected' | 'actual' | 'closest'>>;

/** Gathers what is wrong with a document, each thing once. */
export interface DocumentReporter {
  error(at: Spot, rule: string, message: string, more?: More): void;
  warn(at: Spot, rule: string, message: string, more?: More): void;
  /** The errors before the warnings. */
  violations(): DocumentViolation[];
}

/** Where a value of a file stands; undefined where the text is not at hand. */
export type PlaceInFile = (file: string) => FindPlace | undefined;

export function documentReporter(main: string, placeIn: PlaceInFile): DocumentReporter {
  const found = new Map<string, DocumentViolation>();
  const say =
    (severity: DocumentViolation['severity']) =>
    ({ file, path }: Spot, rule: string, message: string, more: More = {}): void => {
      const pointer = pointerTo(path);
      const key = `${rule} ${file} ${pointer} ${message}`;
      if (found.size >= limits.violations || found.has(key)) return;
      const { line, column } = placeIn(file)?.(path) ?? {};
      found.set(key, {
        severity,
        rule,
        pointer,
        message,
        ...(file !== main && { file }),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
        ...more,
      });
    };
  return {
    error: say('error'),
    warn: say('warning'),
    violations: () => {
      const all = [...found.values()];
      return [
        ...all.filter(({ severity }) => severity === 'error'),
        ...all.filter(({ severity }) => severity === 'warning'),
      ];
    },
  };
}

/** A member of what stands at a spot; undefined where there is none. */
export function inside(at: Spot, ...names: readonly string[]): Spot | undefined {
  let spot: Spot | undefined = at;
  for (const name of names) {
    if (spot === undefined || !isObject(spot.value) || !Object.hasOwn(spot.value, name)) return undefined;
    spot = { value: spot.value[name], file: spot.file, path: [...spot.path, name] };
  }
  return spot;
}

/** The members of an object, none of anything else. */
export function membersAt(at: Spot | undefined): readonly (readonly [name: string, at: Spot])[] {
  if (at === undefined || !isObject(at.value)) return [];
  return Object.entries(at.value).map(([name, value]) => [name, { value, file: at.file, path: [...at.path, name] }]);
}

/** The items of a list, none of anything else. */
export function itemsAt(at: Spot | undefined): readonly Spot[] {
  if (at === undefined || !Array.isArray(at.value)) return [];
  return (at.value as readonly unknown[]).map((value, index) => ({
    value,
    file: at.file,
    path: [...at.path, index],
  }));
}

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (at: Spot | undefined): string | undefined =>
  typeof at?.value === 'string' ? at.value : undefined;

export const flagAt = (at: Spot | undefined): boolean | undefined =>
  typeof at?.value === 'boolean' ? at.value : undefined;

export const textsAt = (at: Spot | undefined): string[] =>
  Array.isArray(at?.value) ? at.value.filter((item) => typeof item === 'string') : [];
