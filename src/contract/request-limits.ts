import { byteLength } from '../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue, nestingDepth } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { RequestViolation } from '../base/rejection.js';

/** Everything in a request that is larger than allowed, with what was measured. Depth comes before sizes: nothing deeper may be serialised. */
export function overLimits(request: JsonObject): readonly RequestViolation[] {
  const output = request['output'];
  const crowded = tooMany(request, output);
  if (crowded.length > 0) return crowded;
  const depth = nestingDepth(request, limits.callerDepth);
  if (depth > limits.callerDepth)
    return [over('', 'nesting', `more than ${limits.callerDepth}`, limits.callerDepth, 'levels')];
  const context = size(request['context']);
  const found: RequestViolation[] = [];
  if (context > limits.context) found.push(over('/context', 'size', context, limits.context, 'bytes'));
  if (isJsonObject(output)) {
    const notes = output['notesMarkdown'];
    const bytes = typeof notes === 'string' ? byteLength(notes) : 0;
    if (bytes > limits.notes) found.push(over('/output/notesMarkdown', 'size', bytes, limits.notes, 'bytes'));
    const artifacts = Array.isArray(output['artifacts']) ? output['artifacts'] : [];
    if (artifacts.length > limits.artifactCount)
      found.push(over('/output/artifacts', 'count', artifacts.length, limits.artifactCount, 'artifacts'));
    artifacts.forEach((artifact, index) => {
      const bytesOf = size(artifact);
      if (bytesOf > limits.artifact)
        found.push(over(`/output/artifacts/${index}`, 'size', bytesOf, limits.artifact, 'bytes'));
    });
  }
  const together = context + size(output);
  if (together > limits.requestStored)
    found.push(over('', 'context_and_output', together, limits.requestStored, 'bytes'));
  return found;
}

/** Where we give the names there are few; each that we do not know costs a search for the one that is meant. */
function tooMany(request: JsonObject, output: JsonValue | undefined): readonly RequestViolation[] {
  const gaps = isJsonObject(output) && Array.isArray(output['gaps']) ? (output['gaps'] as readonly JsonValue[]) : [];
  if (gaps.length > limits.gapCount) return [over('/output/gaps', 'count', gaps.length, limits.gapCount, 'gaps')];
  const named: readonly (readonly [string, JsonValue | undefined])[] = [
    ['', request],
    ['/preferences', request['preferences']],
    ['/output', output],
    ...gaps.map((gap, index) => [`/output/gaps/${index}`, gap] as const),
  ];
  return named.flatMap(([path, value]) => {
    const count = isJsonObject(value) ? Object.keys(value).length : 0;
    return count > limits.requestFields ? [over(path, 'fields', count, limits.requestFields, 'fields')] : [];
  });
}

/** As it would be stored: escapes count. */
const size = (value: unknown): number => (value === undefined ? 0 : byteLength(JSON.stringify(value)));

function over(path: string, rule: string, measured: number | string, allowed: number, unit: string): RequestViolation {
  const what = path === '' ? (rule === 'context_and_output' ? 'context and output together' : 'the request') : path;
  return {
    path,
    rule,
    message: `${what}: ${measured} ${unit}, allowed are ${allowed}`,
    expected: `at most ${allowed} ${unit}`,
    actual: `${measured} ${unit}`,
  };
}
