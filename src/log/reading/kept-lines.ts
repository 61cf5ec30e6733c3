import type { EventSum, OriginId, SessionId } from '../../base/ids.js';
import { chooseOrigin, passOver, type Pass } from './pass-over.js';
import { type ReadingRules, readLines, segmentStart } from '../segments/segment-lines.js';
import { siftSegment, type SoundLine } from '../segments/sift-segment.js';
import { readFrom, type SessionFolder } from '../segments/session-folder.js';
import type { Spare } from '../segments/spares.js';

/** Whole appends that follow each other, and that are in no segment of the session. */
export interface KeptChain {
  readonly lines: readonly SoundLine[];
  readonly spare: Spare;
  /** It goes on from a line that is here, or from a chain that does. */
  readonly hangs: boolean;
}

export interface KeptLines {
  /** What each second name leads to. */
  readonly appends: ReadonlyMap<Spare, readonly Append[]>;
  /** Of these lines the session may be without. */
  readonly withdrawn: ReadonlySet<string>;
  readonly chains: readonly KeptChain[];
  /** Something of the session is here, and nothing of it is damaged. */
  readonly maySettle: boolean;
  readonly isHere: boolean;
}

export type Append = readonly SoundLine[];

/** What is kept under second names and is nowhere in the session. What was withdrawn from it is not missed. */
export function keptLines(
  at: SessionFolder,
  id: SessionId,
  spares: readonly Spare[],
  wasRefused: (sum: EventSum) => boolean,
): KeptLines {
  const pass = passOver(at, id);
  const read = spares.map((spare) => ({ spare, bytes: bytesOf(spare) }));
  // A file from which lines were cut is whole only for who knows of that, and what says so may be kept as well.
  const withdrawn = new Set<string>(pass.rules.withdrawn);
  const origins = [...pass.segments.values()].map(({ position }) => position.origin);
  for (const { bytes } of read) {
    const { sound } = siftSegment(bytes);
    for (const { event } of sound)
      if (event.kind === 'lines_withdrawn') for (const sum of event.data.sums) withdrawn.add(sum);
    origins.push(...new Set(sound.map(({ event }) => event.origin)));
  }
  // A repair leaves the second name of what it has mended, with lines of others that it took out.
  const origin = mostNamed(id, origins);
  const whole = read.map(({ spare, bytes }) => ({ spare, appends: appendsIn(spare, bytes, { withdrawn, origin }) }));
  // What was refused counts only where somebody has seen it all the same, and went on from it.
  const named = new Set<string>(pass.named.map(({ sum }) => sum));
  for (const { event } of whole.flatMap(({ appends }) => appends.flat()))
    for (const sum of [event.prev, ...Object.values(event.saw ?? {})]) named.add(sum);
  const counts = (append: Append): boolean => {
    const { sum } = append.at(-1)!.event;
    return named.has(sum) || !wasRefused(sum);
  };
  const kept = whole.map(({ spare, appends }) => ({ spare, appends: appends.filter(counts) }));
  const lines = kept.flatMap(({ appends }) => appends.flat());
  const absent = absentOf(lines, pass);
  const chains: { lines: SoundLine[]; spare: Spare }[] = [];
  for (const { spare, appends } of kept) {
    let chain: SoundLine[] | undefined;
    for (const append of appends) {
      if (!append.some(({ event }) => absent.has(event.sum))) chain = undefined;
      else if (chain === undefined) chains.push({ spare, lines: (chain = [...append]) });
      else chain.push(...append);
    }
  }
  const segments = [...pass.segments.values()];
  return {
    appends: new Map(kept.map(({ spare, appends }) => [spare, appends])),
    withdrawn: pass.rules.withdrawn,
    chains: withHanging(once(chains), absent),
    isHere: segments.some(({ position }) => position.lines > 0),
    maySettle: pass.links.length === 0 && segments.every(({ stop }) => stop === undefined || stop.level === 'torn'),
  };
}

function mostNamed(id: SessionId, named: readonly (OriginId | undefined)[]): OriginId | undefined {
  const origins = new Map<OriginId, number>();
  for (const origin of named) if (origin !== undefined) origins.set(origin, (origins.get(origin) ?? 0) + 1);
  return origins.size === 0 ? undefined : chooseOrigin(id, origins);
}

/** Every byte under a second name; none where it has gone. */
export const bytesOf = ({ path }: Spare): Buffer => readFrom(path, 0)?.bytes ?? Buffer.alloc(0);

function appendsIn(
  { writer, firstSeq }: Spare,
  bytes: Buffer,
  { withdrawn, origin }: Pick<ReadingRules, 'withdrawn' | 'origin'>,
): readonly Append[] {
  const { position } = readLines(bytes, segmentStart, { writer, firstSeq, withdrawn, origin });
  return appendsOf(siftSegment(bytes.subarray(0, position.offset)).sound);
}

/** Lines in the appends that they are of. */
function appendsOf(lines: readonly SoundLine[]): readonly Append[] {
  const appends: SoundLine[][] = [[]];
  for (const line of lines) {
    appends.at(-1)!.push(line);
    if (line.event.more === undefined) appends.push([]);
  }
  return appends.filter((append) => append.length > 0);
}

/** Of these lines and of those that they name, the ones that are not here. */
function absentOf(lines: readonly SoundLine[], { lines: here, rules }: Pass): ReadonlySet<string> {
  const absent = new Set<string>();
  for (const { event } of lines)
    for (const sum of [event.sum, event.prev, ...Object.values(event.saw ?? {})])
      if (!rules.withdrawn.has(sum)) absent.add(sum);
  here.strike(absent);
  return absent;
}

/** The same lines may be kept twice. */
function once<C extends { readonly lines: readonly SoundLine[] }>(chains: readonly C[]): readonly C[] {
  const last = ({ lines }: C): string => `${lines[0]!.event.sum} ${lines.at(-1)!.event.sum}`;
  return [...new Map(chains.map((chain) => [last(chain), chain])).values()];
}

function withHanging(chains: readonly Omit<KeptChain, 'hangs'>[], absent: ReadonlySet<string>): readonly KeptChain[] {
  const coming = new Set<EventSum>();
  const hanging = new Set<Omit<KeptChain, 'hangs'>>();
  const isKnown = (sum: string): boolean => sum !== '' && (!absent.has(sum) || coming.has(sum as EventSum));
  for (let before = -1; before < hanging.size;) {
    before = hanging.size;
    for (const chain of chains) {
      const { prev, saw } = chain.lines[0]!.event;
      if (hanging.has(chain) || ![prev, ...Object.values(saw ?? {})].some(isKnown)) continue;
      hanging.add(chain);
      for (const { event } of chain.lines) coming.add(event.sum);
    }
  }
  return chains.map((chain) => ({ ...chain, hangs: hanging.has(chain) }));
}
