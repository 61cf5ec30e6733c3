import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { EventSum, OriginId, WriterId } from '../../src/base/ids.js';
import { encodeLine } from '../../src/events/line-codec.js';
import { note, notes, pinOf, type World } from './log-world.js';

/** What was appended, by whom, one list a write. */
export type Writing = readonly { readonly by: number; readonly lines: number }[];

export const writings: fc.Arbitrary<Writing> = fc.array(
  fc.record({ by: fc.nat(2), lines: fc.integer({ min: 1, max: 3 }) }),
  { minLength: 3, maxLength: 12 },
);

/** Something that happens to a session's files. Numbers are taken as parts of what there is. */
export interface Damage {
  readonly kind:
    | 'flip'
    | 'cut'
    | 'zero'
    | 'drop line'
    | 'drop two'
    | 'swap'
    | 'double'
    | 'garbage'
    | 'carriage returns'
    | 'byte order mark'
    | 'foreign segment'
    | 'stranger'
    | 'elsewhere'
    | 'link'
    | 'pin'
    | 'pin returns';
  readonly file: number;
  readonly at: number;
  readonly length: number;
}

export const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Damage['kind'][]>(
      'flip',
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
      'foreign segment',
      'stranger',
      'elsewhere',
      'link',
      'pin',
      'pin returns',
    ),
    file: fc.nat(1000),
    at: fc.nat(1_000_000),
    length: fc.integer({ min: 1, max: 400 }),
  }),
  { minLength: 1, maxLength: 3 },
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
  const { kind, at, length } = damage;
  const segments = sessionPath(world, 'segments');
  if (kind === 'foreign segment' || kind === 'link') return addFile(segments, kind, at);
  if (kind === 'pin' || kind === 'pin returns') {
    const [pin] = plainFiles(sessionPath(world, 'pins'));
    if (pin === undefined) return;
    const path = sessionPath(world, 'pins', pin);
    const bytes = readFileSync(path);
    if (bytes.length > 0) writeFileSync(path, kind === 'pin' ? flipped(bytes, at) : withReturns(bytes));
    return;
  }
  const names = plainFiles(segments);
  const name = names[damage.file % Math.max(1, names.length)];
  if (name === undefined) return;
  const path = join(segments, name);
  const bytes = readFileSync(path);
  if (bytes.length === 0) return;
  if (kind === 'elsewhere') {
    const other = join(segments, names[(damage.file + 1) % names.length]!);
    const lines = linesOf(bytes);
    const moved = lines.splice(at % lines.length, 1);
    writeFileSync(path, Buffer.concat(lines));
    writeFileSync(other, Buffer.concat([readFileSync(other), ...moved]));
  } else writeFileSync(path, changed(kind, bytes, at, length));
}

function changed(kind: Damage['kind'], bytes: Buffer, at: number, length: number): Buffer {
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
    case 'stranger':
      return Buffer.concat(lines.toSpliced(line, 0, Buffer.from(strangerLine(at))));
    case 'flip':
      return flipped(bytes, at);
    case 'elsewhere':
    case 'foreign segment':
    case 'link':
    case 'pin':
    case 'pin returns':
      return bytes;
  }
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at % copy.length]! ^= 1 << (at % 8);
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
