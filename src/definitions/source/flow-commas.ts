import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { eachStep, outlineSteps } from './source-outline.js';
import type { SourceDocument } from './source-document.js';
import type { SourcePath } from './source-path.js';
import { type Finding, warning } from './finding.js';
import { blockFields } from './workflow-format.js';

/**
 * In flow style `[ Read it, then judge. ]` is two items, and nothing is wrong with either: the comma was meant to be
 * text. Told where an item goes on in lower case what the one before it on the same line left without an end.
 */
export function flowCommas(source: JsonObject, document: SourceDocument): readonly Finding[] {
  if (document.isJson) return [];
  return proseLists(source).flatMap(([path, items]): readonly Finding[] => {
    const at = items.findIndex(
      (item, index) => index > 0 && /^\p{Lu}/u.test(items[index - 1]!) && goesOn(items[index - 1]!, item),
    );
    if (at < 0 || !isPlainInLine(document, [...path, at - 1], items[at - 1]!)) return [];
    if (!isPlainInLine(document, [...path, at], items[at]!)) return [];
    if (document.place([...path, at - 1]).line !== document.place([...path, at]).line) return [];
    const end = items.findIndex((item, index) => index > at && !goesOn(items[index - 1]!, item));
    const whole = items.slice(at - 1, end < 0 ? undefined : end).join(', ');
    const message = `\`${items[at]!}\` became a separate item, because a comma ends an item in flow style; put the text in quotes: \`${JSON.stringify(whole)}\``;
    const expected = JSON.stringify(whole);
    const rest = Array.from({ length: (end < 0 ? items.length : end) - at }, () => ({
      op: 'remove' as const,
      path: pointerTo([...path, at]),
    }));
    const patch = [{ op: 'replace' as const, path: pointerTo([...path, at - 1]), value: whole }, ...rest];
    return [warning([...path, at], 'comma', message, { expected, actual: items[at]!, patch })];
  });
}

const goesOn = (before: string, item: string): boolean => !/[.?!:;…]\s*$/u.test(before) && /^\p{Ll}/u.test(item);

/** A text in quotes begins one sign after its quote. */
function isPlainInLine(document: SourceDocument, path: SourcePath, text: string): boolean {
  const first = /^\S+/u.exec(text)?.[0] ?? text;
  return document.place(path).column === document.place(path, { text: first }).column;
}

function proseLists(source: JsonObject): readonly (readonly [SourcePath, readonly string[]])[] {
  const listed = (value: JsonValue | undefined, path: SourcePath): ReturnType<typeof proseLists> =>
    Array.isArray(value) && value.length > 1 && value.every((item) => typeof item === 'string') ? [[path, value]] : [];
  const fields = ['guidance', 'preconditions', 'clarify'] as const;
  return [
    ...fields.flatMap((field) => listed(source[field], [field])),
    ...eachStep(outlineSteps(source['steps'], ['steps'])).flatMap(({ source: step, path }) => {
      const { guidance, prompt = null } = step;
      return [
        ...listed(guidance, [...path, 'guidance']),
        ...(isJsonObject(prompt)
          ? blockFields.flatMap((field) => listed(prompt[field], [...path, 'prompt', field]))
          : []),
      ];
    }),
  ];
}
