import type { OptionTable } from '../print/option-table.js';

/** What a step is handed back, as options. */
export const outputTable: OptionTable = {
  notes: { kind: 'text', value: 'text|@file|-', says: 'what happened and what is next; - reads stdin' },
  artifact: { kind: 'list', value: 'json|@file', says: 'a structured result, or a list of them; again for more' },
  gap: { kind: 'list', value: 'text|json', says: 'something assumed, skipped or missing; again for more' },
};
