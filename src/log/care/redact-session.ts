import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EventSum, OriginId, WriterId } from '../../base/ids.js';
import { limits } from '../../base/limits.js';
import type { EventDraft } from '../../events/event.js';
import { encodeLine } from '../../events/line-codec.js';
import { type Maintenance, refuseIfChanged, temporaryFolder, writeSegment } from './exclusive-maintenance.js';
import { syncFolder } from '../../files/folders.js';
import { namedPinsProjection } from '../reading/named-pins.js';
import {
  planRedaction,
  type RedactedAppend,
  type RedactionPlan,
  type RedactionRules,
  withNewSums,
} from './redaction-plan.js';
import { findingsOf } from '../segments/reading.js';
import { worstFinding } from '../port/finding.js';
import { replaceFile } from '../../files/replace-file.js';
import { marksOf, readFrom } from '../segments/session-folder.js';
import { noteTaken } from '../segments/spares.js';
import { siftSegment } from '../segments/sift-segment.js';
import { readWhole } from '../reading/whole-reading.js';
import { scrubKept } from './take-up-kept.js';
import { withdrawalLines } from './withdrawal-lines.js';
import type { Finding } from '../port/finding.js';

/** `scrubbed` are files beside the session that it was taken out of as well. */
export type RedactedSession =
  | { readonly plan: RedactionPlan; readonly scrubbed: readonly string[] }
  | { readonly damaged: Finding };

interface Chain {
  readonly text: string[];
  readonly sums: EventSum[];
  readonly firstSeq: number;
  lastSeq: number;
  lastSum: EventSum;
  bytes: number;
}

/**
 * Takes something out of a session's log. First each append that holds it is written anew, in one file together with the
 * record that the old lines are withdrawn: from the moment that file has its name, the session is the new one. Then the
 * old lines are cut out of their files; until that is done, the same redaction finds them again.
 */
export function redactSession(care: Maintenance, rules: RedactionRules, dryRun: boolean): RedactedSession {
  const { at, id } = care;
  const reading = readWhole(at, id, namedPinsProjection);
  const damaged = worstFinding(findingsOf(reading));
  if (damaged !== undefined) return { damaged };
  const plan = planRedaction(at, reading, rules);
  if (dryRun) return { plan, scrubbed: [] };
  const temporary = temporaryFolder(care);
  const origin = reading.origin ?? (id as string as OriginId);
  let seq = reading.lastSeq + 1;
  for (const chain of chainsOf(plan.appends, origin)) {
    const by: WriterId = care.newWriter();
    const withdrawal = withdrawalLines(
      {
        sums: chain.sums,
        reason: 'redacted',
        detail: 'their text was taken out; what takes their place stands before this line',
      },
      { seq, by, at: care.now().toISOString(), origin, prev: chain.lastSum },
    );
    seq += Math.ceil(chain.sums.length / limits.withdrawnSums);
    writeSegment(care, chain.firstSeq, by, Buffer.concat([Buffer.from(chain.text.join(''), 'utf8'), withdrawal]));
  }
  // Whoever holds one of them open keeps nothing of it from here on.
  noteTaken(
    care.root,
    id,
    marksOf(at).filter(({ name }) => plan.cuts.has(name)),
  );
  for (const [name, { sums, tailFrom }] of plan.cuts) cutLines(join(at.segments, name), temporary, sums, tailFrom);
  const { redact, inBytes } = rules;
  const scrubbed = scrubKept(care, ({ event, bytes }) => redact(event) === undefined && !inBytes(bytes));
  return { plan, scrubbed };
}

/** Lines in the order of their numbers, as one append each, in as few files as that allows: parallel writers gave one number twice. */
function chainsOf(appends: readonly RedactedAppend[], origin: OriginId): readonly Chain[] {
  const chains: Chain[] = [];
  const renewed = new Map<EventSum, EventSum>();
  for (const { lines } of appends) {
    const first = lines[0]!.event.seq;
    let chain = chains.find(({ lastSeq, bytes }) => lastSeq < first && bytes < limits.segment);
    for (const { event, draft } of lines) {
      const fields: EventDraft = withNewSums(draft, renewed);
      const { seq, by, at, saw } = event;
      // The first line follows the one whose place it takes, so that not even an unchanged one has the sum that is withdrawn.
      const { line, event: written } = encodeLine(fields, {
        seq,
        by,
        at,
        prev: chain?.lastSum ?? event.sum,
        more: true,
        origin: chain === undefined ? origin : event.origin,
        saw,
      });
      renewed.set(event.sum, written.sum);
      if (chain === undefined) {
        chain = { text: [], sums: [], firstSeq: seq, lastSeq: seq, lastSum: written.sum, bytes: 0 };
        chains.push(chain);
      }
      chain.text.push(line);
      chain.sums.push(event.sum);
      Object.assign(chain, { lastSeq: seq, lastSum: written.sum, bytes: chain.bytes + line.length });
    }
  }
  return chains;
}

function cutLines(path: string, temporary: string, sums: ReadonlySet<string>, tailFrom: number | undefined): void {
  const whole = readFrom(path, 0)?.bytes;
  if (whole === undefined) return;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { event, byte, bytes } of siftSegment(whole).sound) {
    if (!sums.has(event.sum)) continue;
    pieces.push(whole.subarray(from, byte));
    from = byte + bytes.length;
  }
  pieces.push(whole.subarray(from, tailFrom));
  const left = Buffer.concat(pieces);
  const check = (): void => refuseIfChanged(path, whole);
  if (left.length > 0) return replaceFile(path, temporary, left, check);
  check();
  rmSync(path);
  syncFolder(dirname(path));
}
