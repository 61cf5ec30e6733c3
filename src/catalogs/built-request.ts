import type { JsonObject, JsonValue } from '../base/json-value.js';
import type { RequestViolation } from '../base/rejection.js';
import type { FileReference } from '../definitions/compiled/file-reference.js';

/** What a step gives for one call. */
export interface GivenCall {
  /** Parameters by name; `query.id` where a name stands in two places. */
  readonly with?: JsonObject | undefined;
  readonly body?: JsonValue | undefined;
  /** The content type of the body, where the operation takes several. */
  readonly content?: string | undefined;
  /** The address that the path is added to. */
  readonly baseUrl: string;
}

export type BuiltPart = { readonly name: string; readonly type?: string } & (
  | { readonly text: string }
  | { readonly file: FileReference }
);

export type BuiltBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly file: FileReference }
  /** Whoever sends it chooses the boundary, and completes the content type with it. */
  | { readonly kind: 'multipart'; readonly parts: readonly BuiltPart[] };

/** A request that is complete but for who makes it. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: BuiltBody;
}

/** Gathers what is wrong with a call, so that all of it is told at once. */
export type Complain = (path: string, rule: string, message: string, more?: Partial<RequestViolation>) => void;
