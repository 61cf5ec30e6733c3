import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import type { JudgeState, SchemaViolation } from './state-write.js';
import { judgeValue } from '../../definitions/contracts/schema-judge.js';

/** Whether a document fits its schema; what does not, in words. */
export const judgeState: JudgeState = ({ json }, value) => {
  if (typeof json === 'boolean') return json ? [] : wholly('its schema lets nothing pass');
  return judged(json, value);
};

function judged(schema: JsonObject, value: JsonValue): readonly SchemaViolation[] {
  const verdict = judgeValue(schema, value);
  switch (verdict.kind) {
    case 'judged':
      return verdict.problems.slice(0, limits.violations).map(({ pointer, message }) => ({ path: pointer, message }));
    case 'no_schema':
      return wholly(`its schema cannot be used: ${verdict.problem.message}`);
    case 'too_much_work':
      return wholly('it takes too much work to hold it against its schema: make it smaller, or its schema simpler');
    case 'not_judged':
      return wholly('it cannot be held against its schema, which asks what a choice among schemas has judged');
  }
}

const wholly = (message: string): readonly SchemaViolation[] => [{ path: '', message }];
