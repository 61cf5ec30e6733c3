import { applyEdits, findNodeAtLocation, modify, type ParseError, parseTree } from 'jsonc-parser';
import { canonicalJson } from '../../base/canonical-json.js';
import type { JsonValue } from '../../base/json-value.js';
import { parseSource } from './source-document.js';
import { keysOf, patchedValue } from './patched-value.js';
import type { PatchOperation } from './violation.js';
import { patchedYaml } from './patched-yaml.js';

/**
 * The text of a file with a patch done to it, all of it or nothing: comments, order and layout stay. Undefined where that
 * cannot be done safely: what was edited as text must say what the patch says, and nothing else may have changed.
 */
export function patchedText(text: string, file: string, patch: readonly PatchOperation[]): string | undefined {
  const before = parseSource(text, file);
  if (!before.ok) return undefined;
  let edited = text;
  let meant: JsonValue = before.value.value;
  for (const operation of patch) {
    const [next, value] = [
      before.value.isJson ? patchedJson(edited, operation) : patchedYaml(edited, operation),
      patchedValue(meant, operation),
    ];
    if (next === undefined || value === undefined) return undefined;
    [edited, meant] = [next, value];
  }
  const after = parseSource(edited, file);
  return after.ok && canonicalJson(after.value.value) === canonicalJson(meant) ? edited : undefined;
}

function patchedJson(text: string, operation: PatchOperation): string | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  // YAML may begin as JSON does.
  if (root === undefined || errors.length > 0) return patchedYaml(text, operation);
  const pathOf = (pointer: string): (string | number)[] => {
    const path: (string | number)[] = [];
    for (const key of keysOf(pointer)) path.push(findNodeAtLocation(root, path)?.type === 'array' ? Number(key) : key);
    return path;
  };
  if (operation.op === 'move') {
    const [from, to] = [keysOf(operation.from), keysOf(operation.path)];
    if (canonicalJson(from.slice(0, -1)) !== canonicalJson(to.slice(0, -1))) return undefined;
    const key = findNodeAtLocation(root, pathOf(operation.from))?.parent?.children?.[0];
    if (key === undefined) return undefined;
    return text.slice(0, key.offset) + JSON.stringify(to.at(-1)) + text.slice(key.offset + key.length);
  }
  const indent = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const value = operation.op === 'remove' ? undefined : operation.value;
  return applyEdits(text, modify(text, pathOf(operation.path), value, { formattingOptions }));
}
