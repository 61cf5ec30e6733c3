import type { RequestName } from '../../contract/request-schemas.js';
import type { Who } from '../../events/event.js';
import type { SessionStore, StoreNeeds } from '../../log/port/session-store.js';
import type { FoldedSession } from '../../sessions/folded-session.js';

/** What the border draws once and hands in. */
export interface RequestsOptions {
  /** The folder the work is about. */
  readonly workspace: string;
  readonly dataDir: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Folder of the workflows that ship with the program. */
  readonly bundledWorkflows: string;
  /** What the build has compiled of them, and which build it was, where it did. */
  readonly compiledWorkflows?: string;
  readonly version: string;
  readonly now: () => Date;
  readonly randomBytes: (count: number) => Uint8Array;
  /** The tools that the door offers: an answer calls for no other. All of them where the door does not say. */
  readonly offered?: ReadonlySet<RequestName>;
  /** Whoever calls is a person at this door. Where the door does not say it is an agent, and the page is what people use. */
  readonly person?: Who['door'];
  /** A server that lives long watches the workflow folders, so that a list costs no look at each file. */
  readonly watch?: boolean;
  /** A command of ours as it runs for whoever asks. `workrail` and its words where the door does not say. */
  readonly commandLine?: (words: readonly string[]) => string;
  /** Where sessions are kept in something else than folders. */
  readonly openStore?: (needs: StoreNeeds<FoldedSession>) => SessionStore<FoldedSession>;
  readonly log: (line: string) => void;
}
