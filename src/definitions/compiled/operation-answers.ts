import type { JsonValue } from '../../base/json-value.js';

/** What a command may answer. A workflow keeps nothing of it: it serves to judge what is read of an answer. */
export interface OperationAnswers {
  readonly answers: readonly OperationAnswer[];
  /** What schemas refer to, as `#/$defs/<name>`. */
  readonly definitions: { readonly [name: string]: JsonValue };
}

export interface OperationAnswer {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  /** Those that its body may have; none where it has no body, undefined where that may be anything. */
  readonly schemas: readonly JsonValue[] | undefined;
}
