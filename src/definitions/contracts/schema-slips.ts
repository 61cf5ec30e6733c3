import { closestName, isSlip } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { knownKeywords, schemasIn } from './schema-keywords.js';
import type { SchemaProblem } from './schema-work.js';

/**
 * What JSON Schema allows and nobody means: a misspelt keyword or one without a value, which judge nothing, and a choice
 * of nothing, which nothing passes. Of a schema that was counted, so that it ends.
 */
export function schemaSlip(schema: JsonObject): SchemaProblem | undefined {
  const open: { readonly schema: JsonValue; readonly path: readonly string[] }[] = [{ schema, path: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isJsonObject(next.schema)) continue;
    const { path, schema: part } = next;
    const slip = Object.keys(part).find((keyword) => meant(keyword) !== undefined);
    if (slip !== undefined)
      return {
        pointer: pointerTo([...path, slip]),
        message: `\`${slip}\` is not a JSON Schema keyword; did you mean \`${meant(slip) ?? ''}\`?`,
      };
    const empty = Object.keys(part).find((keyword) => own(part, keyword) === null && !knownKeywords.has(keyword));
    if (empty !== undefined)
      return { pointer: pointerTo([...path, empty]), message: `\`${empty}\` has no value and is not a schema keyword` };
    const choices = part['enum'];
    if (Array.isArray(choices) && choices.length === 0)
      return { pointer: pointerTo([...path, 'enum']), message: '`enum` lists nothing' };
    for (const inner of schemasIn(part).toReversed())
      open.push({ schema: inner.schema, path: [...path, ...inner.pointer] });
  }
  return undefined;
}

/** The keyword that another word is a slip of. */
function meant(keyword: string): string | undefined {
  if (knownKeywords.has(keyword) || keyword.startsWith('x-')) return undefined;
  const closest = closestName(keyword, knownKeywords);
  return closest !== undefined && isSlip(keyword, closest) ? closest : undefined;
}
