declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The name of a session's folder. */
export type SessionId = Branded<'SessionId'>;
/** The id a session was made under; every segment's first line names it. */
export type OriginId = Branded<'OriginId'>;
export type RunId = Branded<'RunId'>;
/** `n_` and 48 bits: short enough that a state token carries all of it. */
export type NodeId = Branded<'NodeId'>;
/** `a_` and 40 bits: an ack token carries all of it. */
export type AttemptId = Branded<'AttemptId'>;
export type GapId = Branded<'GapId'>;
export type WriterId = Branded<'WriterId'>;
/** The first 16 hexadecimal digits of the SHA-256 of a line: the identity of an event. */
export type EventSum = Branded<'EventSum'>;
export type WorkflowHash = Branded<'WorkflowHash'>;
export type KeyId = Branded<'KeyId'>;
/** `c_` and 48 bits: one command at one place of a run, however often it is tried. */
export type CallId = Branded<'CallId'>;
/** `wfstate_` and 48 bits, the first 34 of which are its session's, as in a token. */
export type StateId = Branded<'StateId'>;
/** One version of a state: 48 bits, drawn like a node's. */
export type VersionId = Branded<'VersionId'>;
/** `schema_` and 48 bits of the digest of its name, its version and what it says. */
export type SchemaId = Branded<'SchemaId'>;

export const idPatterns = {
  session: /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/u,
  run: /^run_[0-9a-z]{8,16}$/u,
  node: /^n_[0-9a-f]{12}$/u,
  attempt: /^a_[0-9a-f]{10}$/u,
  gap: /^gap_[0-9a-f]{8}$/u,
  writer: /^[0-9a-z]{8,16}$/u,
  sum: /^[0-9a-f]{16}$/u,
  workflowHash: /^[0-9a-f]{64}$/u,
  key: /^k_[0-9a-f]{8}$/u,
  call: /^c_[0-9a-f]{12}$/u,
  state: /^wfstate_[0-9a-f]{12}$/u,
  version: /^[0-9a-f]{12}$/u,
  schema: /^schema_[0-9a-f]{12}$/u,
} as const;
