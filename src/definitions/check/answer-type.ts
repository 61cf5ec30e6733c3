import type { JsonValue } from '../../base/json-value.js';
import type { AnswerType, KnownType } from './known-type.js';
import { SchemaViews } from './schema-view.js';

/** What these schemas say of a value that has one of them. */
export function answerType(
  schemas: Iterable<JsonValue>,
  definitions: { readonly [name: string]: JsonValue },
): KnownType {
  return typeIn(schemas, new SchemaViews(definitions));
}

function typeIn(schemas: Iterable<JsonValue>, views: SchemaViews): KnownType {
  const { kinds, members, items, others, rest } = views.ofAny(schemas);
  const [only, another] = kinds ?? [];
  const answer: AnswerType = {
    kinds,
    fields: [...members.keys()],
    // What declares nothing says nothing.
    others: members.size === 0 ? 'open' : others,
    field: (name) => typeIn(members.get(name) ?? (rest.size > 0 ? rest : [true]), views),
    element: () => typeIn(items.size > 0 ? items : [true], views),
  };
  // Documents say text where numbers come and the other way round: only what holds parts is taken at its word.
  const isHolder = another === undefined && (only === 'object' || only === 'array');
  return { type: isHolder ? only : 'any', answer };
}
