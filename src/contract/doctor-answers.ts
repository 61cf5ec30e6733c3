import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import type { SecretTold } from './bundle-answers.js';
import { count, flag, text, texts } from './described.js';
import { retentionTold } from './retention-answers.js';
import { dataPlace, findingTold } from './session-story.js';

const doctorFinding = z.strictObject({
  level: z
    .enum([...findingTold.shape.level.options, 'returned', 'unreadable', 'note'])
    .describe(
      'The kinds of a session’s findings, and: returned: redacted lines are on disk again; unreadable: the system refused to read it, so its state is unknown; note: worth knowing, but no session has a problem',
    ),
  folder: text('The data folder, or the user’s configuration folder'),
  session: text('ID of the session').exactOptional(),
  file: text('The file, relative to the session’s folder, or to folder without a session'),
  line: findingTold.shape.line,
  byte: findingTold.shape.byte,
  message: findingTold.shape.message,
  remedy: text('What to do; a command if there is one'),
});
export type DoctorFinding = ReadonlyOutput<typeof doctorFinding>;

const repairTold = z.strictObject({
  session: text('ID of the session'),
  folder: text('Its data folder'),
  files: z
    .array(
      z.strictObject({
        file: text('The file, relative to the session’s folder'),
        did: z
          .enum(['mended', 'restored', 'moved'])
          .describe('The readable part was kept; restored byte for byte; or moved out of the session'),
        quarantined: text('Where the original bytes are, relative to folder'),
        kept: count('How many lines were kept'),
        lost: texts('What was lost'),
      }),
    )
    .describe('What was done to each file'),
  rescued: count('Intact lines that were moved from a wrong file to the right one'),
  broughtBack: count('Lines that git had removed and that were restored'),
  withdrawn: z
    .strictObject({ damaged: count('Lines that are damaged'), lost: count('Lines that are missing') })
    .describe('Lines that were withdrawn'),
  refused: z
    .strictObject({ code: text('Error code'), message: text('Why, in words') })
    .describe('Why nothing was done')
    .exactOptional(),
});
export type RepairTold = ReadonlyOutput<typeof repairTold>;

/** GET /api/doctor */
export const doctorReport = z.strictObject({
  roots: z
    .array(
      z.strictObject({
        folder: text('Its folder'),
        place: dataPlace,
        sessions: count('How many sessions are in it'),
      }),
    )
    .describe('Data folders that were checked'),
  sessions: count('How many sessions were checked'),
  events: count('How many events they have'),
  findings: z.array(doctorFinding).describe('What is wrong now; after the repair, if there was one'),
  repairs: z.array(repairTold).describe('What was repaired'),
  retention: retentionTold.describe('Whether finished sessions are pruned automatically, and which were'),
  sound: flag('True if nothing is damaged, in a newer format, missing, or back after a redaction'),
});
export type DoctorReport = ReadonlyOutput<typeof doctorReport>;

/** What looks like a credential, in any line that lies on disk, whether or not it is part of a session. */
export interface LeakTold extends Omit<SecretTold, 'event'> {
  readonly folder: string;
  readonly session: string;
  /** Where a copy of the session lies that was taken away, relative to `folder`; absent for the session itself. */
  readonly trash?: string;
  /** Absent where the line cannot be read as one. */
  readonly event?: string;
}

/** What could not be looked through, and so may hold anything. */
export interface UnreadTold {
  readonly folder: string;
  readonly session?: string;
  /** Relative to `folder`. */
  readonly file: string;
  readonly message: string;
  readonly remedy: string;
}

export interface SecretsReport {
  readonly roots: DoctorReport['roots'];
  /** Roots that were left out: what lies there is not shared through a repository. */
  readonly passedOver: readonly string[];
  readonly sessions: number;
  readonly lines: number;
  readonly secrets: readonly LeakTold[];
  readonly unread: readonly UnreadTold[];
  /** Of what was found, how much was let through as asked. */
  readonly excepted: number;
}
