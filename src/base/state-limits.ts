const KiB = 1024;
const MiB = 1024 * KiB;

/** Those of `limits` that bound shared states, and what is written to them. */
export const stateLimits = {
  /** A document that agents share; operations of one patch, and how much they may copy, move, and take out together. */
  sharedDocument: 1_000_000,
  patchOperations: 1_000,
  /** The whole of it is kept again once the operations since take so much and so many times its own size. */
  keptStateAfter: 256 * KiB,
  keptStateTimes: 4,
  /** A schema of states, and how many files of one folder are looked at. */
  stateSchema: 64 * KiB,
  schemaFiles: 1_000,
  /** Of a shared document, in an answer to an agent: a longer one is told as an outline. */
  stateShown: 8 * KiB,
  /** Writes that were refused and are recorded, for one version, and how much of what was wrong with each. */
  refusalsKept: 20,
  violationsKept: 20,
  /** Operations that are recorded as they are, however short the document. */
  stateOperations: 4 * KiB,
  /** Of it, what is recorded with a step whose texts read it. */
  stateRead: 64 * KiB,
  patchWork: 20_000_000,
  /** Of two arrays that are compared: pairs of elements that may be the same one. */
  pairedElements: 100_000,
  /** Of what a misspelt member may have meant, how many are looked at. */
  membersMeant: 1_000,
  /** Of versions that somebody has missed: how many, and how much of them, are told before more is read. */
  missedVersions: 100,
  missedBytes: 1024 * KiB,
  /** Of a version that brings those of other clones, how many of them are named. */
  versionsIncluded: 100,
  /** How long a request may wait for a change. */
  stateWaitMs: 45_000,
  /** WebSockets at the same time; what one may follow, and how long a message of its client may be. */
  webSockets: 100,
  socketSubscriptions: 100,
  socketMessage: 4 * KiB,
  /** A request that carries one. */
  stateBody: 4 * MiB,
} as const;
