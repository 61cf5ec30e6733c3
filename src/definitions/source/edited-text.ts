import { applyEdits, modify } from 'jsonc-parser';
import { canonicalJson } from '../../base/canonical-json.js';
import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import type { PatchOperation as AskedOperation } from '../../base/patch/json-patch.js';
import { valueAt } from '../../base/patch/json-pointer.js';
import { err, ok, type Result } from '../../base/result.js';
import { patchedBlock } from './patched-block.js';
import { patchedText } from './patched-text.js';
import { keysOf, patchedValue } from './patched-value.js';
import { parseSource } from './source-document.js';
import type { PatchOperation } from './violation.js';

export interface EditProblem {
  /** Which operation. */
  readonly index: number;
  readonly message: string;
}

/**
 * The text of a file with operations done to it, all or none. What they do not speak of keeps its bytes, comments and
 * layout: each is done to the text, and the text must then say what the operation says, and nothing else.
 */
export function editedText(
  text: string,
  file: string,
  operations: readonly AskedOperation[],
): Result<string, EditProblem> {
  let [edited, meant] = [text, valueIn(text, file)];
  if (meant === undefined) return err({ index: 0, message: 'the file cannot be edited in parts; save it whole' });
  for (const [index, asked] of operations.entries()) {
    const simple = simpler(meant, asked);
    if (!simple.ok) return err({ index, message: simple.error });
    for (const operation of simple.value) {
      const value = patchedValue(meant, operation);
      if (value === undefined) return err({ index, message: `${pathIn(operation)} is not there` });
      const next = withOperation(edited, file, operation, value);
      if (next === undefined) return err({ index, message: 'this would change the layout of the file; save it whole' });
      [edited, meant] = [next, value];
    }
  }
  return ok(edited);
}

const pathIn = (operation: PatchOperation): string => (operation.op === 'move' ? operation.from : operation.path);

function valueIn(text: string, file: string): JsonValue | undefined {
  const source = parseSource(text, file);
  return source.ok ? source.value.value : undefined;
}

/** The first way that says what is meant. */
function withOperation(text: string, file: string, operation: PatchOperation, meant: JsonValue): string | undefined {
  const wanted = canonicalJson(meant);
  const says = (edited: string): boolean => {
    const value = valueIn(edited, file);
    return value !== undefined && canonicalJson(value) === wanted;
  };
  for (const way of [patchedJsonList, patchedBlock, patchedOne]) {
    const edited = way(text, operation, file);
    if (edited !== undefined && says(edited)) return edited;
  }
  return undefined;
}

const patchedOne = (text: string, operation: PatchOperation, file: string): string | undefined =>
  patchedText(text, file, [operation]);

/** JSON: an element more in a list. */
function patchedJsonList(text: string, operation: PatchOperation): string | undefined {
  if (operation.op !== 'add' || !/^\s*[{[]/u.test(text)) return undefined;
  const keys = keysOf(operation.path);
  const last = keys.at(-1) ?? '';
  if (!/^(?:-|\d+)$/u.test(last)) return undefined;
  const path = [
    ...keys.slice(0, -1).map((key) => (/^\d+$/u.test(key) ? Number(key) : key)),
    last === '-' ? -1 : Number(last),
  ];
  const indent = /^([ \t]+)\S/mu.exec(text)?.[1] ?? '  ';
  try {
    const formattingOptions = { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length };
    return applyEdits(text, modify(text, path, operation.value, { formattingOptions, isArrayInsertion: true }));
  } catch {
    return undefined;
  }
}

/** In operations of which each does one thing. */
function simpler(value: JsonValue, asked: AskedOperation): Result<readonly PatchOperation[], string> {
  if (asked.op === 'test') {
    const standing = at(value, asked.path);
    return standing !== undefined && canonicalJson(standing) === canonicalJson(asked.value)
      ? ok([])
      : err(`${asked.path} is ${standing === undefined ? 'not there' : 'another value'}`);
  }
  if (asked.op === 'copy') {
    const copied = at(value, asked.from);
    return copied === undefined ? err(`${asked.from} is not there`) : ok([added(value, asked.path, copied)]);
  }
  if (asked.op === 'move' && !isRename(asked.from, asked.path)) {
    const moved = at(value, asked.from);
    if (moved === undefined) return err(`${asked.from} is not there`);
    if (`${asked.path}/`.startsWith(`${asked.from}/`)) return err(`${asked.from} cannot go into itself`);
    return ok([
      { op: 'remove', path: asked.from },
      { op: 'add', path: asked.path, value: moved },
    ]);
  }
  if (asked.op === 'add') return ok([added(value, asked.path, asked.value)]);
  return ok([asked]);
}

/** A member that is there already is replaced. */
function added(value: JsonValue, path: string, given: JsonValue): PatchOperation {
  const keys = keysOf(path);
  const holder = at(value, path.slice(0, path.lastIndexOf('/')));
  const isThere = isJsonObject(holder) && Object.hasOwn(holder, keys.at(-1) ?? '');
  return { op: isThere ? 'replace' : 'add', path, value: given };
}

const isRename = (from: string, to: string): boolean =>
  from.slice(0, from.lastIndexOf('/')) === to.slice(0, to.lastIndexOf('/')) &&
  !/^\d+$/u.test(to.slice(to.lastIndexOf('/') + 1));

const at = (value: JsonValue, pointer: string): JsonValue | undefined =>
  valueAt(value, pointer === '' ? [] : keysOf(pointer));
