import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { EventSum, OriginId, WriterId } from '../../src/base/ids.js';
import { decodeLine, encodeLine, sumOf } from '../../src/events/line-codec.js';
import { parseSegmentName, segmentName } from '../../src/log/segments/segment-name.js';
import { note, notes, pinOf, type World } from './log-world.js';

/** What was appended, by whom, one list a write. */
export type Writing = readonly { readonly by: number; readonly lines: number }[];

export const writings: fc.Arbitrary<Writing> = fc.array(
  fc.record({ by: fc.nat(2), lines: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 3, maxLength: 12 },
);

/** What becomes of the bytes of one segment. */
const inBytes = [
  'flip',
  'cut',
  'zero',
  'drop line',
  'drop two',
  'swap',
  'double',
  'garbage',
  'carriage returns',
  'byte order mark',
  'no last line feed',
  'line feed flipped',
  'stranger',
] as const;

/** The same, but for a repair, which leaves it as it is. */
const besidesInBytes = ['torn tail', 'newer line'] as const;

type InBytes = (typeof inBytes)[number] | (typeof besidesInBytes)[number];
const isInBytes = (kind: string): kind is InBytes => [...inBytes, ...besidesInBytes].some((known) => known === kind);

/** What becomes of other files. A repair makes all of this and the above sound again. */
const inFiles = ['foreign segment', 'elsewhere', 'link', 'pin', 'pin returns'] as const;

/** What a repair leaves as it is, and what is no damage at all; everybody has to read it the same way. */
const besides = [
  'lose segment',
  'folder',
  'lose pin',
  'repeat segment',
  'withdraw',
  'redact',
  'withdraw and drop',
  'another session',
] as const;

/** Something that happens to a session's files. Numbers are taken as parts of what there is. */
export interface Damage {
  readonly kind: InBytes | (typeof inFiles)[number] | (typeof besides)[number];
  readonly file: number;
  readonly at: number;
  readonly length: number;
}

const oneOf = (...kinds: readonly Damage['kind'][]): fc.Arbitrary<Damage> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    file: fc.nat(1000),
    at: fc.nat(1_000_000),
    length: fc.integer({ min: 1, max: 400 }),
  });

export const damages: fc.Arbitrary<readonly Damage[]> = fc.array(oneOf('flip', ...inBytes, ...inFiles), {
  minLength: 1,
  maxLength: 3,
});

export const allDamages: fc.Arbitrary<readonly Damage[]> = fc.array(
  oneOf(...inBytes, ...besidesInBytes, ...besidesInBytes, ...inFiles, ...besides),
  {
    maxLength: 4,
  },
);

export const sessionPath = (world: World, ...names: readonly string[]): string =>
  join(world.root.folder, 'sessions', 'ses_example', ...names);

/** Lines of varying length; the first append names a pin of several lines. */
export async function write(world: World, writing: Writing): Promise<void> {
  const logs = [0, 1, 2].map(() => world.log({ lock: 'off' }));
  const pin = pinOf('{\n "steps": [\n  "a"\n ]\n}\n');
  for (const [index, { by, lines }] of writing.entries()) {
    const texts = Array.from(
      { length: lines },
      (_, line) => `note ${index}.${line} ${'é'.repeat((index * 7 + line * 13) % 90)}`,
    );
    const done = await logs[by]!.append(
      index === 0 ? () => ({ answer: '', events: texts.map(note), pins: [pin] }) : notes(...texts),
    );
    if (!done.ok) throw new Error(done.error.message);
  }
}

export interface FileState {
  readonly path: string;
  readonly content: string;
}

/** Everything under a folder, as it lies there. */
export function filesUnder(folder: string): readonly FileState[] {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => ({
      path: path.slice(folder.length + 1),
      content: lstatSync(path).isSymbolicLink()
        ? `link to ${readlinkSync(path)}`
        : readFileSync(path).toString('latin1'),
    }));
}

/** The files' names, sorted, of what is no link. */
function plainFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .toSorted()
    .filter((name) => lstatSync(join(folder, name)).isFile());
}

const lineStarts = (bytes: Buffer): readonly number[] =>
  [0, ...[...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index + 1)].filter(
    (start) => start < bytes.length,
  );

function linesOf(bytes: Buffer): Buffer[] {
  const starts = lineStarts(bytes);
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length));
}

export function inflict(world: World, damage: Damage): void {
  const { kind, at } = damage;
  const segments = sessionPath(world, 'segments');
  if (kind === 'another session') addSession(segments, at);
  else if (kind === 'foreign segment' || kind === 'link') addFile(segments, kind, at);
  else if (kind === 'pin' || kind === 'pin returns' || kind === 'lose pin')
    harmPin(sessionPath(world, 'pins'), kind, at);
  else harmSegment(segments, { ...damage, kind });
}

function harmPin(pins: string, kind: 'pin' | 'pin returns' | 'lose pin', at: number): void {
  const [pin] = plainFiles(pins);
  if (pin === undefined) return;
  const path = join(pins, pin);
  if (kind === 'lose pin') return rmSync(path);
  const bytes = readFileSync(path);
  if (bytes.length > 0) writeFileSync(path, kind === 'pin' ? flipped(bytes, at) : withReturns(bytes));
}

type OfSegment = Exclude<
  Damage['kind'],
  'another session' | 'foreign segment' | 'link' | 'pin' | 'pin returns' | 'lose pin'
>;

function harmSegment(segments: string, { kind, file, at, length }: Damage & { readonly kind: OfSegment }): void {
  const names = plainFiles(segments);
  const name = names[file % Math.max(1, names.length)];
  if (name === undefined) return;
  const path = join(segments, name);
  const bytes = readFileSync(path);
  if (bytes.length === 0) return;
  if (isInBytes(kind)) return writeFileSync(path, changed(kind, bytes, at, length));
  switch (kind) {
    case 'lose segment':
      return rmSync(path);
    case 'folder':
      rmSync(path);
      mkdirSync(path);
      return;
    case 'repeat segment':
      return copyFileSync(
        path,
        join(segments, segmentName(parseSegmentName(name)!.firstSeq, `again${at % 10}zzzz` as WriterId)),
      );
    case 'withdraw':
    case 'redact':
      return withdraw(segments, lineAt(bytes, at), kind);
    case 'withdraw and drop':
      withdraw(segments, lineAt(bytes, at), at % 2 === 0 ? 'redact' : 'withdraw');
      return writeFileSync(path, changed('drop line', bytes, at, length));
    case 'elsewhere': {
      const other = join(segments, names[(file + 1) % names.length]!);
      const lines = linesOf(bytes);
      const moved = lines.splice(at % lines.length, 1);
      writeFileSync(path, Buffer.concat(lines));
      return writeFileSync(other, Buffer.concat([readFileSync(other), ...moved]));
    }
  }
}

function changed(
  kind: (typeof inBytes)[number] | 'torn tail' | 'newer line',
  bytes: Buffer,
  at: number,
  length: number,
): Buffer {
  const from = at % bytes.length;
  const lines = linesOf(bytes);
  const line = at % lines.length;
  switch (kind) {
    case 'cut':
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
    case 'zero':
      return Buffer.from(bytes).fill(0, from, Math.min(bytes.length, from + length));
    case 'drop line':
      return Buffer.concat(lines.toSpliced(line, 1));
    case 'drop two':
      return Buffer.concat(lines.toSpliced(line, 2));
    case 'swap':
      return Buffer.concat(lines.toSpliced(line, 2, ...lines.slice(line, line + 2).toReversed()));
    case 'double':
      return Buffer.concat(lines.toSpliced(line, 0, lines[line]!));
    case 'garbage':
      return Buffer.concat(lines.toSpliced(line, 0, Buffer.from('<<<<<<< HEAD\n')));
    case 'carriage returns':
      return withReturns(bytes);
    case 'byte order mark':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 'no last line feed':
      return bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes;
    case 'line feed flipped': {
      const feeds = [...bytes.keys()].filter((place) => bytes[place] === 0x0a);
      return feeds.length === 0 ? bytes : flipped(bytes, feeds[at % feeds.length]!, at);
    }
    case 'stranger':
      return Buffer.concat(lines.toSpliced(line, 0, Buffer.from(strangerLine(at))));
    case 'flip':
      return flipped(bytes, at);
    case 'torn tail':
      return bytes.subarray(0, Math.max(0, bytes.length - length));
    case 'newer line':
      return Buffer.concat(lines.toSpliced(line + (at % 2), 0, newerLine(at)));
  }
}

const flipped = (bytes: Buffer, at: number, bit = at): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at % copy.length]! ^= 1 << (bit % 8);
  return copy;
};
const withReturns = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
const strangerLine = (seq: number): string =>
  encodeLine(note('stranger'), {
    seq: 1 + (seq % 50),
    by: 'stranger1' as WriterId,
    at: 'x',
    origin: 'other' as OriginId,
    prev: '',
  }).line;

/** A line of a format, or of a kind, that this program does not know. */
function newerLine(at: number): Buffer {
  const fields = {
    v: at % 2 === 0 ? 99 : 2,
    seq: at + 1,
    by: 'stranger1',
    at: 'x',
    kind: 'foretold',
    data: {},
    prev: '',
  };
  const body = JSON.stringify(fields).slice(0, -1);
  return Buffer.from(`${body},"sum":"${sumOf(body)}"}\n`);
}

function lineAt(bytes: Buffer, at: number): Buffer {
  const lines = linesOf(bytes);
  return lines[at % lines.length]!;
}

/** Another writer says of a line that it was taken out, as a repair or a redaction does. */
function withdraw(segments: string, line: Buffer, how: 'withdraw' | 'redact'): void {
  const decoded = decodeLine(line.subarray(0, -1));
  if (!decoded.ok) return;
  const { sum, seq, origin = 'ses_example' as OriginId } = decoded.value;
  const by = `care${sum.slice(0, 6).replaceAll(/[ilou]/gu, '0')}` as WriterId;
  const data = { sums: [sum], reason: how === 'redact' ? ('redacted' as const) : ('lost' as const), detail: '' };
  const around = { seq: seq + 1, by, at: 'x', prev: '' as const, origin };
  const { line: said } = encodeLine({ kind: 'lines_withdrawn', data }, around);
  writeFileSync(join(segments, segmentName(seq + 1, by)), said);
}

/** Sound segments that were made under another id. */
function addSession(segments: string, at: number): void {
  const origin = 'other' as OriginId;
  for (let file = 0; file <= at % 3; file += 1) {
    const by = `other${at % 10}${file}00` as WriterId;
    const seq = 1 + (at % 7) + file;
    const { line } = encodeLine(note('of another session'), { seq, by, at: 'x', origin, prev: '' });
    writeFileSync(join(segments, segmentName(seq, by)), line);
  }
}

function addFile(segments: string, kind: 'foreign segment' | 'link', at: number): void {
  mkdirSync(segments, { recursive: true });
  const name = `00000${at % 10}-${kind === 'link' ? 'linked00' : 'stranger1'}.ndjson`;
  if (lstatSync(join(segments, name), { throwIfNoEntry: false }) !== undefined) return;
  if (kind === 'link') return symlinkSync('/etc/hostname', join(segments, name));
  const first = strangerLine(1 + (at % 10));
  const { sum, seq } = JSON.parse(first) as { readonly sum: EventSum; readonly seq: number };
  writeFileSync(
    join(segments, name),
    first + encodeLine(note('stranger'), { seq: seq + 1, by: 'stranger1' as WriterId, at: 'x', prev: sum }).line,
  );
}
