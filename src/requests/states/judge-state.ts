import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { JudgeState, SchemaViolation } from '../../decide/states/state-write.js';
import { checkArtifact } from '../../definitions/contracts/output-contract.js';

/** Whether a document fits its schema; what does not, in words. */
export const judgeState: JudgeState = ({ json }, value) => {
  if (typeof json === 'boolean') return json ? [] : [{ path: '', message: 'its schema lets nothing pass' }];
  return judgeWith(json)(value);
};

const judgeWith = oncePerObject((schema: object) => (value: JsonValue): readonly SchemaViolation[] => {
  if (!isJsonObject(value)) return [{ path: '', message: 'expected an object' }];
  return checkArtifact({ kind: 'state', required: true, example: {}, schema: schema as JsonObject }, value).map(
    ({ pointer, message }) => ({ path: pointer, message }),
  );
});
