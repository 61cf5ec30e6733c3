import { listeners } from '../api/listeners.js';

/** An API document that somebody handed in. */
export interface HandedDocument {
  readonly id: number;
  readonly file: File;
}

let handed: readonly HandedDocument[] = [];
let next = 0;
const watchers = listeners();

/** API documents wait here until the person says what becomes of each. */
export const documentDesk = {
  listen: watchers.listen,
  handed: (): readonly HandedDocument[] => handed,
  bringIn: (files: readonly File[]): void => {
    const added = files.map((file, index) => ({ id: next + index, file }));
    next += files.length;
    handed = [...handed, ...added];
    watchers.tell();
  },
  /** The first is done with. */
  done: (): void => {
    handed = handed.slice(1);
    watchers.tell();
  },
};

/** Whether a file is an API document rather than a bundle, by its name. */
export const isDocument = ({ name }: File): boolean => /\.(?:ya?ml|json)$/iu.test(name);
