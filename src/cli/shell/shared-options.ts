import type { OptionTable } from '../print/option-table.js';

export const places: OptionTable = {
  workspace: { kind: 'text', value: 'folder', says: 'the folder the work is about' },
  'data-dir': {
    kind: 'text',
    value: 'folder',
    says: 'where sessions are kept: this folder alone, in place of .workrail/ and your data folder',
  },
};

export const json: OptionTable = { json: { kind: 'switch', says: 'print the result as JSON' } };

/** What every command that makes requests takes. */
export const atDeskOptions: OptionTable = {
  ...places,
  ...json,
  verbose: { kind: 'switch', says: 'also say what happens behind the scenes, on stderr' },
};

/** The same, for commands whose first word names a session. */
export const sessionOptions: OptionTable = {
  session: { kind: 'text', value: 'session', says: 'the session, in place of the word' },
  ...atDeskOptions,
};
