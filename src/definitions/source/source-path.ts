/** The way to a value in a source file: keys, and indexes from 0. */
export type SourcePath = readonly (string | number)[];

export interface SourcePlace {
  readonly pointer: string;
  readonly line?: number;
  readonly column?: number;
}

/** Of the value at a path, or of the nearest value around it; of the key itself, or of a piece of text inside it. */
export type FindPlace = (path: SourcePath, of?: 'key' | { readonly text: string }) => SourcePlace;
