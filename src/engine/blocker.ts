import type { blockerCodes } from '../base/closed-sets.js';
import type { Sentence } from '../base/sentence.js';

/** One thing a step lacks, where in the request it is missed, and the exact fix. */
export interface Blocker {
  readonly code: (typeof blockerCodes)[number];
  readonly pointer: string;
  readonly message: Sentence;
  readonly fix: Sentence;
}

/** One that the agent can mend itself, with what belongs in its place. */
export interface Mendable extends Blocker {
  /** What a hole in the place should say. */
  readonly wanted: string;
  /** The kind of the artifact whose form is wrong. */
  readonly artifact?: string;
  /** Nothing belongs there. */
  readonly stray?: true;
  /** The key has a value from before, which conditions go by. */
  readonly stands?: true;
  /** In place of the whole context: the keys one of which is not as it was meant to be. */
  readonly reads?: readonly string[];
}
