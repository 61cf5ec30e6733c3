import { isJsonObject, type JsonValue } from '../base/json-value.js';

/** The first contract let notes ride in the context; they belong into the output, and context they never were. */
export function moveLegacyNotes(raw: unknown): unknown {
  if (!isJsonObject(raw)) return raw;
  const { context, output } = raw;
  if (!isJsonObject(context) || typeof context['notesMarkdown'] !== 'string') return raw;
  const { notesMarkdown, ...facts } = context;
  const target: JsonValue = output ?? {};
  // Notes in both places: those of the output were meant, and nothing is dropped without a word.
  if (!isJsonObject(target) || target['notesMarkdown'] !== undefined || raw['notesMarkdown'] !== undefined) return raw;
  const rest = Object.entries(raw).filter(([field]) => field !== 'context');
  return {
    ...Object.fromEntries(rest),
    ...(Object.keys(facts).length > 0 && { context: facts }),
    output: { ...target, notesMarkdown },
  };
}
