/** Spellings that agents use for a field of the output, besides other case and separators. */
export const outputAliases: { readonly [alias: string]: string } = {
  notes: 'notesMarkdown',
  note: 'notesMarkdown',
  summary: 'notesMarkdown',
  markdown: 'notesMarkdown',
  artifact: 'artifacts',
  artefact: 'artifacts',
  artefacts: 'artifacts',
  gap: 'gaps',
};

export const foldName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, '');
