import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { templateExpressions } from '../expression/template.js';
import { type Finding, finding } from '../source/finding.js';
import type { StepOutline } from '../source/source-outline.js';
import type { SourcePath } from '../source/source-path.js';
import { listOf } from './source-uses.js';

/** Holes in the names of fields: nobody fills them, so they would be sent as they stand. */
export function checkFieldNames(source: JsonObject, all: readonly StepOutline[]): readonly Finding[] {
  return [
    ...all.flatMap(({ source: step, path }) => [
      ...holesInNames(step['body'] ?? null, [...path, 'body']),
      ...ofArguments(step, path),
      ...listOf(step['delegate']).flatMap((piece, at) =>
        isJsonObject(piece) ? ofArguments(piece, [...path, 'delegate', at]) : [],
      ),
    ]),
    ...holesInNames(source['returns'] ?? null, ['returns']),
  ];
}

/** What the arguments themselves are called is looked up, and told where that is done. */
function ofArguments({ with: given = null }: JsonObject, path: SourcePath): readonly Finding[] {
  return isJsonObject(given)
    ? Object.entries(given).flatMap(([name, value]) => holesInNames(value, [...path, 'with', name]))
    : [];
}

function holesInNames(value: JsonValue, path: SourcePath): readonly Finding[] {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((one, at) => holesInNames(one, [...path, at]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const within = holesInNames(one, [...path, name]);
    const [hole] = templateExpressions(name);
    if (hole === undefined) return within;
    const whole = String(path.findLast((part) => typeof part === 'string'));
    const expected = `${whole}: '\${{ {${hole.source}: …} }}'`;
    const message = `\`${name}\` is the name of a field, and holes are filled only in values; write the whole object as one hole: \`${expected}\``;
    return [finding([...path, name], 'template', message, { of: 'key', expected, actual: name }), ...within];
  });
}
