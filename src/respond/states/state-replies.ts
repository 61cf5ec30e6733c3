import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { jsonBytes } from '../../base/patch/live-document.js';
import { pointerTo } from '../../base/patch/json-pointer.js';
import { plural } from '../../base/plural.js';
import { callText } from '../../contract/call-text.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply, replyWith } from '../../contract/reply-with.js';
import type { SchemaAnswer, StateAnswer, StateWrittenAnswer } from '../../contract/state-answers.js';

export function stateReply(answer: StateAnswer): Reply {
  const { current_data: value, path = '', bytes } = answer;
  const size = path === '' ? bytes : jsonBytes(value);
  const shown =
    size <= limits.stateShown ? ['```json', JSON.stringify(value, null, 2), '```'] : outline(value, path, size);
  const lines = [
    `${named(answer)}, version ${answer.version}${path === '' ? '' : `, ${path}`}:`,
    '',
    ...shown,
    '',
    ...told(answer),
  ];
  return replyWith(lines.join('\n'), answer, backbone(answer));
}

const didWords = {
  created: 'created',
  found: 'was created before',
  written: 'written',
  waived: 'nothing to report, as recorded',
} as const;

export function stateWrittenReply(answer: StateWrittenAnswer, did: keyof typeof didWords): Reply {
  const { unchanged, since } = answer;
  const what =
    unchanged === 'already written'
      ? 'was written before; nothing further was written'
      : unchanged === 'no difference'
        ? 'changes nothing; nothing was written'
        : didWords[did];
  const lines = [
    `${named(answer)}: ${what}. Version ${answer.version}.`,
    ...(since === undefined ? [] : [`Others wrote ${plural(since.length, 'version')} since: ${since.join(', ')}.`]),
    ...told(answer),
  ];
  return replyWith(lines.join('\n'), answer, backbone(answer));
}

const named = ({
  state_id: id,
  schema_name: name,
  schema_version: number,
  root_session_name: session,
}: StateWrittenAnswer): string => `Shared state ${id} (${name} ${number}) of session ${session}`;

function told({ status, conflicts, warnings, nextCall }: StateWrittenAnswer): readonly string[] {
  return [
    ...(status === 'closed' ? ['It is closed: it can be read, and not written.'] : []),
    ...(conflicts.length === 0
      ? []
      : [
          `${plural(conflicts.length, 'change')} of others could not be merged and wait to be settled: ${conflicts.join(', ')}.`,
        ]),
    ...warnings.map((warning) => `Warning: ${warning}.`),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
}

function backbone({ kind, state_id, version, etag, writeToken, warnings, nextCall }: StateWrittenAnswer): JsonObject {
  return {
    kind,
    state_id,
    version,
    etag,
    ...(writeToken !== undefined && { writeToken }),
    warnings,
    ...(nextCall !== undefined && { nextCall: { tool: nextCall.tool, arguments: nextCall.arguments } }),
  };
}

const partsShown = 40;

/** Of a long value: what is in it, and how to read a part. */
function outline(value: JsonValue, path: string, bytes: number): readonly string[] {
  const parts: readonly (readonly [string | number, JsonValue])[] = isJsonObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? (value as readonly JsonValue[]).map((item, index) => [index, item] as const)
      : [];
  const lines = parts
    .slice(0, partsShown)
    .map(([key, part]) => `- ${path}${pointerTo([key])}: ${kindOf(part)}, ${plural(jsonBytes(part), 'byte')}`);
  return [
    `It has ${bytes} bytes, which is too long to show whole. Read a part with path:`,
    ...lines,
    ...(parts.length > partsShown ? [`- and ${parts.length - partsShown} more`] : []),
  ];
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return `array of ${value.length}`;
  if (isJsonObject(value)) return `object with ${plural(Object.keys(value).length, 'member')}`;
  return value === null ? 'null' : typeof value === 'string' ? 'text' : typeof value;
}

export function schemaReply(answer: SchemaAnswer): Reply {
  const { name, version, schema_id: id, description, json_schema: json } = answer;
  const lines = [
    `Schema ${name}, version ${version} (${id})${description === undefined ? '' : `: ${description}`}`,
    '',
    '```json',
    JSON.stringify(json, null, 2),
    '```',
  ];
  return lookupReply(lines.join('\n'), answer);
}
