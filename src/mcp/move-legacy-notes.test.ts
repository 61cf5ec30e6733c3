import { expect, it } from 'vitest';
import { moveLegacyNotes } from './move-legacy-notes.js';

it.each([
  [
    { stateToken: 's', context: { notesMarkdown: 'n' } },
    { stateToken: 's', output: { notesMarkdown: 'n' } },
  ],
  [
    { context: { notesMarkdown: 'n', size: 2 }, output: { artifacts: [] } },
    { context: { size: 2 }, output: { artifacts: [], notesMarkdown: 'n' } },
  ],
  [
    { context: { notesMarkdown: 'n' }, output: { notesMarkdown: 'own' } },
    { context: { notesMarkdown: 'n' }, output: { notesMarkdown: 'own' } },
  ],
  [
    { context: { notesMarkdown: 'n' }, notesMarkdown: 'own' },
    { context: { notesMarkdown: 'n' }, notesMarkdown: 'own' },
  ],
  [{ context: { notesMarkdown: 7 } }, { context: { notesMarkdown: 7 } }],
  [{ context: { size: 2 } }, { context: { size: 2 } }],
  ['nonsense', 'nonsense'],
])('notes in the context move to the output where nothing is in doubt: %#', (raw, moved) => {
  expect(moveLegacyNotes(raw)).toEqual(moved);
});
