import type { SecretTold } from './bundle-answers.js';
import type { DataPlace, FindingTold } from './session-story.js';

/**
 * `returned`: lines that were redacted are on disk again. `note`: worth knowing, and nothing is wrong with any session.
 * The others are those of a session's own findings.
 */
export interface DoctorFinding {
  readonly level: FindingTold['level'] | 'returned' | 'note';
  /** The data root, or the folder of the user's configuration. */
  readonly folder: string;
  readonly session?: string;
  /** Relative to the session's folder, else to `folder`. */
  readonly file: string;
  readonly line?: number;
  readonly byte?: number;
  readonly message: string;
  /** What to do; a command where there is one. */
  readonly remedy: string;
}

export interface RepairTold {
  readonly session: string;
  readonly folder: string;
  readonly files: readonly {
    readonly file: string;
    /** `restored`: byte for byte as it was. `mended`: what can be read is in it, the rest is gone. `moved`: it is not part of the session any more. */
    readonly did: 'mended' | 'restored' | 'moved';
    /** Where its bytes lie, relative to `folder`. */
    readonly quarantined: string;
    readonly kept: number;
    readonly lost: readonly string[];
  }[];
  /** Good lines that stood in the wrong file and stand in one of their own now. */
  readonly rescued: number;
  readonly withdrawn: { readonly damaged: number; readonly lost: number };
  /** Why nothing was done. */
  readonly refused?: { readonly code: string; readonly message: string };
}

export interface DoctorReport {
  readonly roots: readonly { readonly folder: string; readonly place: DataPlace; readonly sessions: number }[];
  readonly sessions: number;
  readonly events: number;
  /** As they are now: after the repair, where one was asked for. */
  readonly findings: readonly DoctorFinding[];
  readonly repairs: readonly RepairTold[];
  /** Nothing is damaged, of a newer format, not here although it was, or back again after it was redacted. */
  readonly sound: boolean;
}

/** What looks like a credential, in any line that lies on disk, whether or not it is part of a session. */
export interface LeakTold extends Omit<SecretTold, 'event'> {
  readonly folder: string;
  readonly session: string;
  /** Where a copy of the session lies that was taken away, relative to `folder`; absent for the session itself. */
  readonly trash?: string;
  /** Absent where the line cannot be read as one. */
  readonly event?: string;
}

export interface SecretsReport {
  readonly roots: readonly { readonly folder: string; readonly place: DataPlace; readonly sessions: number }[];
  /** Roots that were left out: what lies there is not shared through a repository. */
  readonly passedOver: readonly string[];
  readonly sessions: number;
  readonly lines: number;
  readonly secrets: readonly LeakTold[];
  /** Of what was found, how much was let through as asked. */
  readonly excepted: number;
}
