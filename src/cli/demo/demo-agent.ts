import type { Expects } from '../../contract/answer.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';

/** What a request to continue carries beside its tokens, from nothing but what the answer says it expects: an agent without a mind of its own. */
export function expectsFiller({ notes, artifacts, context, confirmation, needs }: Expects): JsonObject {
  const required = artifacts.filter((artifact) => artifact.required).map(({ example }) => example);
  // What only the user can give comes first, so that an example of a right value, where there is one, takes its place.
  const given = needs
    .filter(({ satisfied }) => !satisfied)
    .map(({ key, ask }): [string, JsonValue] => [key, `from the user, asked: ${ask}`]);
  const facts = Object.fromEntries([
    ...given,
    ...context.map(({ key, example }): [string, JsonValue] => [key, example]),
  ]);
  return {
    output: { notesMarkdown: notes.example, ...(required.length > 0 && { artifacts: required }) },
    ...(Object.keys(facts).length > 0 && { context: facts }),
    ...(confirmation.required && { confirmed: true as const }),
  };
}
