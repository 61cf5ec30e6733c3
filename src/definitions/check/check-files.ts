import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { isFile } from '../compiled/file-reference.js';
import { expressionTree } from '../expression/expression-tree.js';
import { templateExpressions } from '../expression/template.js';
import { rootRead } from '../expression/visit-expression.js';
import { type Finding, finding, warning } from '../source/finding.js';
import type { SourcePath } from '../source/source-path.js';
import { SchemaViews } from './schema-view.js';

interface Uploading {
  readonly contentType: string;
  readonly schema?: JsonValue;
  /** Those of the workflow, which say what a hole reads. */
  readonly inputs: JsonObject;
}

/** Files that a body sends: how they are named, and texts that were meant for files. */
export function checkFiles(
  value: JsonValue,
  path: SourcePath,
  { contentType, schema = true, inputs }: Uploading,
  definitions: { readonly [name: string]: JsonValue },
): readonly Finding[] {
  if (!/^multipart\//iu.test(contentType)) return fileFindings(value, path, !isText.test(contentType), inputs);
  if (!isJsonObject(value)) return [];
  const { members } = new SchemaViews(definitions).ofAny([schema]);
  return Object.entries(value).flatMap(([name, field]) => {
    const takesBytes = [...(members.get(name) ?? [])].some((one) => isBytes(one) || isBytes(itemsOf(one)));
    const all: readonly (readonly [JsonValue, SourcePath])[] = Array.isArray(field)
      ? (field as readonly JsonValue[]).map((one, at) => [one, [...path, name, at]])
      : [[field, [...path, name]]];
    return all.flatMap(([one, at]) => fileFindings(one, at, takesBytes, inputs));
  });
}

const isText = /^text\/|[/+](?:xml|yaml)\s*(?:;|$)/iu;

const isBytes = (schema: JsonValue): boolean =>
  isJsonObject(schema) && (schema['format'] === 'binary' || schema['contentMediaType'] === 'application/octet-stream');
const itemsOf = (schema: JsonValue): JsonValue => (isJsonObject(schema) ? (schema['items'] ?? null) : null);

function fileFindings(value: JsonValue, path: SourcePath, takesBytes: boolean, inputs: JsonObject): readonly Finding[] {
  if (isFile(value)) return pathFindings(value, path);
  if (!takesBytes || typeof value !== 'string' || !isSurelyText(value, inputs)) return [];
  const message = 'this text itself is sent; to send a file, name it as `{ file: path/in/the/workspace }`';
  return [warning(path, 'file', message, { expected: '{ file: path }' })];
}

/** The result of an earlier step may be bytes; what is written and what an input holds are none. */
const isSurelyText = (value: string, inputs: JsonObject): boolean =>
  templateExpressions(value).every(({ source }) => isTextInput(source, inputs));

const textTypes: ReadonlySet<JsonValue> = new Set(['string', 'number', 'integer', 'boolean']);

function isTextInput(source: string, inputs: JsonObject): boolean {
  const tree = expressionTree(source);
  const read = tree.ok ? rootRead(tree.value, new Set()) : undefined;
  const input = read?.root === 'inputs' ? (own(inputs, read.key) ?? null) : null;
  return isJsonObject(input) && textTypes.has(input['type'] ?? null);
}

function pathFindings({ file }: JsonObject & { readonly file: string }, path: SourcePath): readonly Finding[] {
  const at = [...path, 'file'];
  const [hole] = templateExpressions(file);
  if (hole !== undefined) return [];
  const isOutside =
    file.trim() === '' ||
    /^(?:[/\\~]|[a-z]:[/\\]|[a-z][a-z0-9+.-]+:\/\/)/iu.test(file) ||
    file.split(/[/\\]/u).includes('..');
  if (!isOutside) return [];
  const message = `\`${file}\` is not a path in the workspace; write one such as \`reports/build.zip\`, or \`\${{ outputs.<step>.body }}\` for what an earlier \`run\` downloaded`;
  return [finding(at, 'file', message, { expected: 'a path in the workspace', actual: file })];
}
