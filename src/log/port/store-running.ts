import type { AgentName } from '../../base/agent-name.js';
import type { Place } from './session-ref.js';

/** The right to do what only one may do. Its number rises with each holder, so that a late one can be told apart. */
export interface Claim {
  readonly name: string;
  readonly fence: number;
}

/** Who holds a claim, as far as that can be told. */
export interface Holder {
  /** The name of its machine; undefined where the claim cannot be read. */
  readonly host?: string;
  /** When it took the claim. */
  readonly since?: string;
  /** A process that is seen from here, and lives. Of any other nobody here can tell whether it has ended. */
  readonly isSeen: boolean;
}

/** A name under which something is or was claimed or noted. */
export interface ClaimedName {
  readonly name: string;
  readonly noted: string | undefined;
  /** What its last holder said that it is about. */
  readonly of: string | undefined;
  /** When something was last done with it, in milliseconds. */
  readonly at: number;
}

/** What is kept beside sessions for work under way. Losing it loses outcomes, never a line that was acknowledged. */
export interface StoreRunning {
  /** Takes a claim that nobody holds, or whose holder is gone. Undefined where somebody else holds it. `of` says whose work it is about. */
  take(place: Place, name: string, of?: string): Promise<Claim | undefined>;
  /** Whether it is still held: who was stopped for long may have lost it. */
  check(place: Place, claim: Claim): Promise<boolean>;
  letGo(place: Place, claim: Claim): Promise<void>;
  /** Who holds the claim of that name; undefined where nobody does, or its holder has ended. */
  holder(place: Place, name: string): Holder | undefined;
  /** Lets go in the place of a holder that is not seen from here: somebody says that it has ended. One that is seen keeps its claim. */
  letGoFor(place: Place, name: string): Promise<void>;
  /** All names there are, but for those of claims that are held. */
  claimed(place: Place): readonly ClaimedName[];
  /** Forgets what was claimed and noted under a name that nobody holds. Numbers begin anew then: only for what is over. */
  forget(place: Place, name: string): void;
  /** Keeps a text under the name of a claim, on this machine alone; the last one counts. A process that is killed leaves it, a machine that falls may not. */
  note(place: Place, name: string, text: string): void;
  noted(place: Place, name: string): string | undefined;
  /** Bytes by their digest; undefined where they are not here, or not what was put. */
  blob(place: Place, digest: string): Promise<Buffer | undefined>;
  /** Keeps bytes, durably, until they are too old or others take their room: the oldest go first. Returns their digest. */
  putBlob(place: Place, bytes: Uint8Array): Promise<string>;
  /** Keeps, on this machine alone and as long as there is room, whose program wrote an event. No log has it: it is what a program says of itself. */
  noteAgent(place: Place, event: string, agent: AgentName): void;
  /** Undefined where nobody knows any more, or nobody ever did. */
  agentOf(place: Place, event: string): AgentName | undefined;
}
