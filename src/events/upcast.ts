import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { eventVersion } from './event.js';

type Upcast = (line: JsonObject) => JsonObject;

/** For each old version of a line, the step that makes it one version newer. Steps are only ever added. */
const steps: ReadonlyMap<number, Upcast> = new Map<number, Upcast>([[1, titleOfStep]]);

/** An ack named the id and path of its step, which are its parent's to say. */
function titleOfStep(line: JsonObject): JsonObject {
  const data = line['data'];
  if (line['kind'] !== 'step_acked' || !isJsonObject(data)) return line;
  const step = data['step'];
  return isJsonObject(step) && typeof step['title'] === 'string'
    ? { ...line, data: { ...data, step: step['title'] } }
    : line;
}

/** The line as today's program would have written it. Its sum stays that of its bytes. */
export function upcast(line: JsonObject, version: number): JsonObject {
  let upcasted = line;
  for (let v = version; v < eventVersion; v += 1) {
    const step = steps.get(v);
    if (step !== undefined) upcasted = step(upcasted);
  }
  return upcasted;
}
