import type { CallId } from '../../base/ids.js';
import type { JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';

/** What commands brought that is kept out of every log: it is known to this process alone, for as long as that lives. */
export interface SecretAnswers {
  readonly keep: (call: CallId, body: JsonValue) => void;
  readonly of: (call: CallId) => JsonValue | undefined;
}

export function openSecretAnswers(): SecretAnswers {
  const kept = new Map<CallId, JsonValue>();
  return {
    keep: (call, body) => {
      kept.delete(call);
      kept.set(call, body);
      const [oldest] = kept.keys();
      if (kept.size > limits.secretAnswers && oldest !== undefined) kept.delete(oldest);
    },
    of: (call) => kept.get(call),
  };
}
