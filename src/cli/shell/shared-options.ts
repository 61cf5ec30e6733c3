import type { OptionTable } from '../print/option-table.js';

export const places: OptionTable = {
  workspace: { kind: 'text', value: 'folder', says: 'the folder you work in' },
  'data-dir': {
    kind: 'text',
    value: 'folder',
    says: 'keep sessions only in this folder, instead of .workrail/ and your data folder',
  },
};

export const json: OptionTable = { json: { kind: 'switch', says: 'print the result as JSON' } };

/** What every command that makes requests takes. */
export const atDeskOptions: OptionTable = {
  ...places,
  ...json,
  verbose: { kind: 'switch', says: 'print more details on stderr' },
};

/** The same, for commands whose first word names a session. */
export const sessionOptions: OptionTable = {
  session: { kind: 'text', value: 'session', says: 'the session, instead of the first argument' },
  ...atDeskOptions,
};
