import type { Repaired, RepairedFile } from '../port/store-care.js';
import { join } from 'node:path';
import { sha256Hex } from '../../base/digest.js';
import type { OriginId } from '../../base/ids.js';
import { plural } from '../../base/plural.js';
import type { EventData } from '../../events/event-data.js';
import { type Maintenance, refuseIfChanged, temporaryFolder, writeSegment } from './exclusive-maintenance.js';
import { checkPins } from '../segments/pins.js';
import { openQuarantine } from './quarantine.js';
import { findingsOf, type KnownTail, type Reading, type ReadSegment } from '../segments/reading.js';
import { type MendPlan, planRepair, type RepairPlan } from './repair-plan.js';
import { replaceFile } from '../../files/replace-file.js';
import { linkedFolders, listSegments, readFrom, segmentBytes, type SessionFolder } from '../segments/session-folder.js';
import { siftSegment, type UnsoundPiece } from '../segments/sift-segment.js';
import { type NamedPins, namedPinsProjection } from '../reading/named-pins.js';
import { readWhole } from '../reading/whole-reading.js';
import { takeUpKept, type Wanted } from './take-up-kept.js';
import { withdrawalLines } from './withdrawal-lines.js';

/**
 * Makes a damaged session sound: what cannot be read goes to quarantine, what can be stays. Each step leaves a session
 * that the same repair makes the same thing of: bytes are kept before they are replaced, and an absence is on record
 * before the lines are absent.
 */
export function repairSession(
  care: Maintenance,
  {
    acceptLoss,
    kept = 'of this branch',
    witnesses = [],
  }: { readonly acceptLoss: boolean; readonly kept?: Wanted; readonly witnesses?: readonly KnownTail[] },
): Repaired {
  const { at, id } = care;
  const read = (): Reading<NamedPins> => readWhole(at, id, namedPinsProjection, witnesses);
  const files: RepairedFile[] = [];
  let broughtBack = 0;
  // Behind a folder that is a link nothing is ours to mend.
  if (linkedFolders(at).length === 0) {
    files.push(...moveLinks(care), ...repairPins(care));
    // Before anything is called lost: what is damaged here may stand there whole.
    broughtBack = takeUpKept(care, kept).lines;
  }
  let reading = read();
  const unended = [...reading.segments.values()].filter(({ stop }) => stop?.onlyLineFeed !== undefined);
  files.push(...unended.map((segment) => endLastLine(care, segment)));
  if (unended.length > 0) reading = read();
  let rescued = 0;
  let withdrawn = 0;
  // What is mended may show that another segment is not of this session; then that is looked at again.
  for (let round = 0; round < rounds; round += 1) {
    const damaged = [...reading.segments.values()].filter(
      (segment) => segment.stop?.level === 'damage' && !holdsNewer(at, segment),
    );
    if (damaged.length === 0) break;
    const plan = planRepair(at, id, reading, damaged, witnesses);
    files.push(...carryOut(care, plan));
    rescued += plan.rescued.flat().length;
    withdrawn += plan.withdraw.length;
    reading = read();
  }
  const lost = acceptLoss ? [...reading.missing.keys()] : [];
  if (lost.length > 0) {
    const detail = `${plural(lost.length, 'line')} that others had seen ${lost.length === 1 ? 'is' : 'are'} not here; the loss was accepted`;
    withdraw(
      care,
      { sums: lost, reason: 'lost', detail },
      reading.origin ?? (id as string as OriginId),
      reading.lastSeq + 1,
    );
    reading = read();
  }
  return {
    files,
    rescued,
    broughtBack,
    withdrawn: { damaged: withdrawn, lost: lost.length },
    left: findingsOf(reading),
  };
}

const rounds = 4;

function holdsNewer(at: SessionFolder, { name }: ReadSegment): boolean {
  return siftSegment(segmentBytes(at, name)).newer;
}

/** Puts back the line feed that is all that a file lacks. */
function endLastLine(care: Maintenance, { name, stop }: ReadSegment): RepairedFile {
  const file = `segments/${name}`;
  const path = join(care.at.segments, name);
  const whole = segmentBytes(care.at, name);
  const lines = stop?.onlyLineFeed === 'changed' ? whole.subarray(0, -1) : whole;
  const bytes = Buffer.concat([lines, Buffer.from('\n')]);
  const quarantined = openQuarantine(care.root, care.id).keep(file, whole);
  replaceFile(path, temporaryFolder(care), bytes, () => refuseIfChanged(path, whole));
  return { file, did: 'restored', quarantined, kept: siftSegment(bytes).sound.length, lost: [] };
}

function moveLinks({ root, id, at }: Maintenance): readonly RepairedFile[] {
  const quarantine = openQuarantine(root, id);
  return listSegments(at).links.map((name) => {
    const file = `segments/${name}`;
    return {
      file,
      did: 'moved',
      quarantined: quarantine.moveIn(file, join(at.segments, name)),
      kept: 0,
      lost: ['it was a link or not a regular file; its target was not changed'],
    };
  });
}

function repairPins(care: Maintenance): readonly RepairedFile[] {
  const { root, id, at } = care;
  const quarantine = openQuarantine(root, id);
  return checkPins(at.pins).findings.map(({ file, message }) => {
    const name = file.slice('pins/'.length);
    const path = join(at.pins, name);
    const bytes = readFrom(path, 0)?.bytes;
    const restored = bytes && Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
    if (bytes === undefined || restored === undefined || `${sha256Hex(restored)}.json` !== name) {
      return { file, did: 'moved', quarantined: quarantine.moveIn(file, path), kept: 0, lost: [message] };
    }
    const quarantined = quarantine.keep(file, bytes);
    replaceFile(path, temporaryFolder(care), restored);
    return { file, did: 'restored', quarantined, kept: 0, lost: [] };
  });
}

function carryOut(
  care: Maintenance,
  { mends, rescued, withdraw: sums, origin, nextSeq }: RepairPlan,
): readonly RepairedFile[] {
  const { root, id, at, newWriter } = care;
  const quarantine = openQuarantine(root, id);
  const kept = new Map<string, string>();
  for (const { name, whole, bytes } of mends)
    if (bytes !== undefined && !bytes.equals(whole)) kept.set(name, quarantine.keep(`segments/${name}`, whole));
  for (const chain of rescued)
    writeSegment(care, chain[0]!.event.seq, newWriter(), Buffer.concat(chain.map((line) => line.bytes)));
  if (sums.length > 0)
    withdraw(
      care,
      {
        sums: [...sums],
        reason: 'damaged',
        detail: `could not be read in ${mends.map(({ name }) => `segments/${name}`).join(', ')}`.slice(0, 500),
      },
      origin,
      nextSeq,
    );
  // A line is in two files for a moment rather than in none.
  for (const { name, whole, bytes, lent } of mends) {
    const path = join(at.segments, name);
    if (bytes !== undefined && !bytes.equals(whole))
      replaceFile(path, temporaryFolder(care), Buffer.concat([...lent.map((line) => line.bytes), bytes]), () =>
        refuseIfChanged(path, whole),
      );
  }
  return mends.map((mend) => {
    const file = `segments/${mend.name}`;
    const path = join(at.segments, mend.name);
    const lost = lostOf(mend);
    if (mend.bytes === undefined)
      return { file, did: 'moved', quarantined: quarantine.moveIn(file, path), kept: 0, lost };
    if (mend.lent.length > 0) replaceFile(path, temporaryFolder(care), mend.bytes);
    return {
      file,
      did: lost.length === 0 ? 'restored' : 'mended',
      quarantined: kept.get(mend.name) ?? '',
      kept: mend.kept,
      lost,
    };
  });
}

function withdraw(care: Maintenance, withdrawal: EventData<'lines_withdrawn'>, origin: OriginId, seq: number): void {
  const by = care.newWriter();
  const bytes = withdrawalLines(withdrawal, { seq, by, at: care.now().toISOString(), origin });
  writeSegment(care, seq, by, bytes);
}

function lostOf({ lost, gone, foreign, bytes }: MendPlan): readonly string[] {
  const unseen =
    lost.length > 0
      ? []
      : gone.map(
          ({ sum, before }) =>
            `one or more lines before number ${before} are missing without a trace, the last of them ${sum}`,
        );
  const strange =
    foreign === 0
      ? []
      : [
          bytes === undefined
            ? 'all of it belongs to another session'
            : `${plural(foreign, 'line')} of another session`,
        ];
  return [...lost.map(lostText), ...unseen, ...strange];
}

const shownText = 80;

/** What can still be told of bytes that are no line any more: where they stood, and what they show of what they said. */
function lostText({ line, byte, bytes, message }: UnsoundPiece): string {
  const shown = shownIn(bytes.toString('utf8', 0, 16 * 1024));
  return `line ${line} (byte ${byte}, ${bytes.length} bytes): ${shown === '' ? `nothing is readable; ${message}` : `it shows ${shown}`}`;
}

function shownIn(text: string): string {
  const field = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.slice(0, shownText);
  const kind = field(/"kind":"([a-z_]{1,40})"/u);
  const step = field(/"step":\{"id":"(?:[^"\\]|\\.){0,200}","path":"((?:[^"\\]|\\.){0,200})"/u);
  const title = field(/"title":"((?:[^"\\]|\\.){0,200})"/u);
  const said = field(/"(?:text|notes)":"((?:[^"\\]|\\.){1,80})/u);
  const at = field(/"at":"([0-9TZ:.+-]{1,40})"/u);
  const node = field(/"node":"(n_[0-9a-f]{12})"/u);
  const words = said === undefined ? undefined : `“${said.replaceAll(/\\./gu, ' ')}…”`;
  return [
    kind,
    step !== undefined && `step ${JSON.stringify(step)}`,
    title !== undefined && step === undefined && `title ${JSON.stringify(title)}`,
    words,
    node,
    at !== undefined && `of ${at}`,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(', ');
}
