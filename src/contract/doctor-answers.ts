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
      'As for a session’s own findings; returned: lines that were redacted are on disk again; unreadable: the system would not give it, so nobody knows what is wrong with it; note: worth knowing, and nothing is wrong with any session',
    ),
  folder: text('The data root, or the folder of the user’s configuration'),
  session: text('Id of the session').exactOptional(),
  file: text('The file, relative to the session’s folder, else to folder'),
  line: findingTold.shape.line,
  byte: findingTold.shape.byte,
  message: findingTold.shape.message,
  remedy: text('What to do; a command where there is one'),
});
export type DoctorFinding = ReadonlyOutput<typeof doctorFinding>;

const repairTold = z.strictObject({
  session: text('Id of the session'),
  folder: text('Folder of its data root'),
  files: z
    .array(
      z.strictObject({
        file: text('The file, relative to the session’s folder'),
        did: z
          .enum(['mended', 'restored', 'moved'])
          .describe(
            'What can be read is in it, the rest is gone; byte for byte as it was; or not part of the session any more',
          ),
        quarantined: text('Where its bytes lie, relative to folder'),
        kept: count('How many lines were kept'),
        lost: texts('What was lost'),
      }),
    )
    .describe('What was done to each file'),
  rescued: count('Good lines that stood in the wrong file and stand in one of their own now'),
  broughtBack: count('Lines that git had taken away, that were kept beside the session, and that stand in it again'),
  withdrawn: z
    .strictObject({ damaged: count('Lines that are damaged'), lost: count('Lines that are not here') })
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
        sessions: count('How many sessions lie in it'),
      }),
    )
    .describe('Data roots that were examined'),
  sessions: count('How many sessions were examined'),
  events: count('How many events they have'),
  findings: z.array(doctorFinding).describe('What is amiss now: after the repair, where one was asked for'),
  repairs: z.array(repairTold).describe('What was repaired'),
  retention: retentionTold.describe('Whether old finished sessions go to the trash by themselves, and which did'),
  sound: flag('Nothing is damaged, of a newer format, missing, or back again after it was redacted'),
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
