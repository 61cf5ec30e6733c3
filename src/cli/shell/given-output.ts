import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { err, ok, type Result } from '../../base/result.js';
import { type GivenValues, parseJson } from './given-values.js';
import type { ParsedOptions } from './parse-options.js';

/** What the options hand back for a step; undefined where they hand back nothing. */
export async function givenOutput(
  parsed: ParsedOptions,
  values: GivenValues,
): Promise<Result<JsonObject | undefined, string>> {
  const named = parsed.text('notes');
  const notes = named === undefined ? undefined : await values.text('--notes', named);
  if (notes?.ok === false) return notes;
  const artifacts: JsonValue[] = [];
  for (const entry of parsed.list('artifact')) {
    const artifact = await values.json('--artifact', entry);
    if (!artifact.ok) return artifact;
    if (Array.isArray(artifact.value)) artifacts.push(...(artifact.value as readonly JsonValue[]));
    else artifacts.push(artifact.value);
  }
  const gaps: JsonObject[] = [];
  for (const entry of parsed.list('gap')) {
    const gap = await givenGap(entry, values);
    if (!gap.ok) return gap;
    gaps.push(gap.value);
  }
  if (notes === undefined && artifacts.length + gaps.length === 0) return ok(undefined);
  return ok({
    ...(notes !== undefined && { notesMarkdown: notes.value }),
    ...(artifacts.length > 0 && { artifacts }),
    ...(gaps.length > 0 && { gaps }),
  });
}

/** A gap in plain words is one that whoever did the step discloses. */
async function givenGap(entry: string, values: GivenValues): Promise<Result<JsonObject, string>> {
  const text = await values.text('--gap', entry);
  if (!text.ok) return text;
  if (!text.value.trimStart().startsWith('{'))
    return ok({ category: 'agent_disclosed', reason: 'disclosed', detail: text.value });
  const gap = parseJson(text.value);
  if (!gap.ok) return err(`--gap is not JSON: ${gap.error}`);
  return isJsonObject(gap.value) ? ok(gap.value) : err('--gap: expected text or an object');
}
