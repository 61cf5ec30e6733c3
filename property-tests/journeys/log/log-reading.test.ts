import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OriginId, WriterId } from '../../../src/base/ids.js';
import { compareEvents, type Event, eventVersion } from '../../../src/events/event.js';
import { encodeLine } from '../../../src/events/line-codec.js';
import type { Loaded } from '../../../src/log/port/session-log.js';
import { makeWorld, note, notes, pinOf, type Seen, textOf, type World } from '../../worlds/log-world.js';

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.close());

const segmentsFolder = (): string => join(world.root.folder, 'sessions', 'ses_example', 'segments');
const onlySegment = (): string => join(segmentsFolder(), readdirSync(segmentsFolder())[0]!);
const readFresh = (): Promise<Loaded<Seen>> => world.log().read();

/** Five appends of one to three lines each; returns the segment's bytes and what stands at the end of each append. */
async function fiveAppends(): Promise<{
  readonly file: string;
  readonly bytes: Buffer;
  readonly ends: readonly { readonly offset: number; readonly texts: readonly string[] }[];
}> {
  const log = world.log();
  const ends: { offset: number; texts: string[] }[] = [{ offset: 0, texts: [] }];
  for (const group of [['é1'], ['2a', '2b'], ['3'], ['4a', '4b', '4c'], ['5']]) {
    const done = await log.append(notes(...group));
    expect(done.ok).toBe(true);
    ends.push({ offset: readFileSync(onlySegment()).length, texts: [...ends.at(-1)!.texts, ...group] });
  }
  const file = onlySegment();
  return { file, bytes: readFileSync(file), ends };
}

describe('law 7: bytes that are not as they were', () => {
  test('a segment cut at any byte yields the longest prefix of whole appends', async () => {
    const { file, bytes, ends } = await fiveAppends();
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      writeFileSync(file, bytes.subarray(0, cut));
      const { state, findings } = await readFresh();
      const end = ends.findLast(({ offset }) => offset <= cut)!;
      expect(state.texts).toEqual(end.texts);
      expect(findings.map(({ level }) => level)).toEqual(end.offset === cut ? [] : ['torn']);
      if (end.offset !== cut)
        expect(findings[0]).toMatchObject({ file: `segments/${readdirSync(segmentsFolder())[0]!}` });
    }
  });

  test('any flipped byte is reported with its file and a byte at or before it', async () => {
    const { file, bytes } = await fiveAppends();
    const name = `segments/${readdirSync(segmentsFolder())[0]!}`;
    for (let at = 0; at < bytes.length; at += 1) {
      for (const mask of [0x01, 0x20, 0x80]) {
        const flipped = Buffer.from(bytes);
        flipped[at]! ^= mask;
        writeFileSync(file, flipped);
        const { findings, eventCount } = await readFresh();
        expect(findings, `byte ${at} ^ ${mask}`).toHaveLength(1);
        const [finding] = findings;
        expect(finding).toMatchObject({ file: name });
        expect(['torn', 'damage']).toContain(finding!.level);
        expect(finding!.byte).toBeLessThanOrEqual(at);
        expect(eventCount).toBeLessThan(8);
      }
    }
  }, 120_000);

  test('a last append whose first block never reached the disk is torn; one before it that lost a block is damaged', async () => {
    const log = world.log();
    await log.append(notes('one'));
    await log.append(notes('two'));
    const before = readFileSync(onlySegment()).length;
    await log.append(notes('3a', '3b', '3c'));
    const file = onlySegment();
    const bytes = readFileSync(file);
    for (let end = before + 1; end < bytes.length; end += 1) {
      writeFileSync(file, Buffer.from(bytes).fill(0, before, end));
      expect(await readFresh(), `zeros up to ${end}`).toMatchObject({
        state: { texts: ['one', 'two'] },
        findings: [{ level: 'torn', line: 3, byte: before }],
      });
    }
    const lost = Buffer.from(bytes).fill(0, before, before + 100);
    writeFileSync(file, Buffer.concat([lost, encodedAfter(bytes, 'four')]));
    expect(await readFresh()).toMatchObject({
      state: { texts: ['one', 'two'] },
      findings: [{ level: 'damage', line: 3, byte: before }],
    });
    writeFileSync(file, Buffer.from(bytes).fill(0, before - 100, before - 50));
    expect(await readFresh()).toMatchObject({ state: { texts: ['one'] }, findings: [{ level: 'damage', line: 2 }] });
  });

  test('a flipped byte in a pin is reported', async () => {
    const pin = pinOf('{"steps":["a","b"]}');
    await world.log().append(() => ({ answer: '', events: [note('x')], pins: [pin] }));
    const file = join(world.root.folder, 'sessions', 'ses_example', 'pins', `${pin.hash}.json`);
    for (let at = 0; at < pin.text.length; at += 1) {
      const flipped = Buffer.from(pin.text);
      flipped[at]! ^= 1;
      writeFileSync(file, flipped);
      const log = world.log();
      expect((await log.read()).findings).toMatchObject([{ level: 'damage', file: `pins/${pin.hash}.json` }]);
      expect(await log.append(notes('more'))).toMatchObject({ ok: false, error: { code: 'SESSION_DAMAGED' } });
      expect(await log.pin(pin.hash)).toMatchObject({ ok: false, finding: { level: 'damage' } });
    }
  });

  test('lines dropped before others, swapped, repeated, changed and brought from elsewhere are reported', async () => {
    const { file, bytes } = await fiveAppends();
    const lines = bytes.toString('utf8').trimEnd().split('\n');
    const stranger = encodeLine(note('stranger'), {
      seq: 99,
      by: 'stranger1' as WriterId,
      at: 'x',
      origin: 'other' as OriginId,
      prev: '',
    }).line.trimEnd();
    const expectReported = async (changed: readonly string[]): Promise<void> => {
      writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
      const log = world.log();
      const { findings } = await log.read();
      expect(findings.map(({ level }) => level)).toEqual(['damage']);
      expect(await log.append(notes('more'))).toMatchObject({
        ok: false,
        error: { code: 'SESSION_DAMAGED' },
      });
    };
    for (let i = 0; i < lines.length; i += 1) {
      if (i < lines.length - 1) {
        await expectReported(lines.toSpliced(i, 1));
        await expectReported(lines.toSpliced(i, 2, lines[i + 1]!, lines[i]!));
        await expectReported(lines.toSpliced(i, 1, lines[i]!.replace('note_added', 'note_Added')));
        await expectReported(lines.toSpliced(i, 1, ` ${lines[i]!}`));
      }
      await expectReported(lines.toSpliced(i, 0, lines[i]!));
      await expectReported(lines.toSpliced(i + 1, 0, stranger));
    }
    await expectReported(lines.map((line) => `${line}\r`));
  });

  test('whole segments: a foreign one, a missing one, a shorter one', async () => {
    const [a, b] = [world.log(), world.log()];
    await a.append(notes('a1'));
    await a.append(notes('a2'));
    await b.append(notes('b1'));
    await a.append(notes('a3'));
    const [ofA, ofB] = readdirSync(segmentsFolder()).toSorted();
    const bytesOfA = readFileSync(join(segmentsFolder(), ofA!));
    const bytesOfB = readFileSync(join(segmentsFolder(), ofB!));

    rmSync(join(segmentsFolder(), ofB!));
    // As on a machine that has not written it.
    rmSync(join(world.root.folder, 'local', 'running'), { recursive: true });
    expect(await readFresh()).toMatchObject({ eventCount: 3, findings: [{ level: 'incomplete' }] });
    expect(await world.log().append(notes('still writable'))).toMatchObject({ ok: true });
    writeFileSync(join(segmentsFolder(), ofB!), bytesOfB);
    expect((await readFresh()).findings).toEqual([]);

    const lines = bytesOfA.toString().split('\n');
    writeFileSync(join(segmentsFolder(), ofA!), `${lines[0]!}\n`);
    expect((await readFresh()).findings).toMatchObject([{ level: 'incomplete', file: `segments/${ofA!}` }]);
    writeFileSync(join(segmentsFolder(), ofA!), bytesOfA);

    const other = makeWorld('ses_other');
    await other.log().append(notes('foreign'));
    const foreign = join(other.root.folder, 'sessions', 'ses_other', 'segments');
    const name = readdirSync(foreign)[0]!;
    writeFileSync(join(segmentsFolder(), name), readFileSync(join(foreign, name)));
    await other.close();
    expect((await readFresh()).findings).toMatchObject([{ level: 'damage', file: `segments/${name}`, line: 1 }]);
  });

  test('a newer line is named as such and refuses writes', async () => {
    await world.log().append(notes('old'));
    const line = readFileSync(onlySegment(), 'utf8').trimEnd();
    const body = line
      .slice(0, -26)
      .replace(/^\{"v":\d/u, `{"v":${eventVersion + 1}`)
      .replace('"seq":1', '"seq":2')
      .replace('"prev":""', `"prev":"${line.slice(-18, -2)}"`);
    const sum = createHash('sha256').update(body).digest('hex').slice(0, 16);
    writeFileSync(onlySegment(), `${line}\n${body},"sum":"${sum}"}\n`);
    const log = world.log();
    expect(await log.read()).toMatchObject({ eventCount: 1, findings: [{ level: 'newer', line: 2 }] });
    expect(await log.append(notes('x'))).toMatchObject({ ok: false, error: { code: 'SESSION_NEWER_FORMAT' } });
    expect(await log.append(() => ({ answer: 'read only' }))).toMatchObject({ ok: true, written: [] });
  });
});

function encodedAfter(bytes: Buffer, text: string): Buffer {
  const last = JSON.parse(bytes.toString('utf8').trimEnd().split('\n').at(-1)!) as Event;
  return Buffer.from(encodeLine(note(text), { seq: last.seq + 1, by: last.by, at: last.at, prev: last.sum }).line);
}

interface Chain {
  readonly writer: WriterId;
  readonly groups: readonly (readonly { readonly line: string; readonly event: Event }[])[];
}

/** Writers that took turns in any order, each seeing what it happened to see. */
const chains: fc.Arbitrary<readonly Chain[]> = fc
  .array(
    fc.record({ writer: fc.integer({ min: 0, max: 2 }), size: fc.integer({ min: 1, max: 3 }), sees: fc.boolean() }),
    { minLength: 1, maxLength: 12 },
  )
  .map((turns) => {
    const built = ['writerone1', 'writertwo2', 'writerthr3'].map((writer) => ({
      writer: writer as WriterId,
      groups: [] as { line: string; event: Event }[][],
    }));
    let clock = 0;
    const own = [0, 0, 0];
    for (const [turn, { writer, size, sees }] of turns.entries()) {
      const chain = built[writer]!;
      let seq = sees ? clock : own[writer]!;
      const group: { line: string; event: Event }[] = [];
      for (let i = 0; i < size; i += 1) {
        seq += 1;
        const last = group.at(-1) ?? chain.groups.at(-1)?.at(-1);
        group.push(
          encodeLine(note(`turn ${turn} line ${i}`), {
            seq,
            by: chain.writer,
            at: '2026-01-01T00:00:00.000Z',
            prev: last?.event.sum ?? '',
            ...(last === undefined && { origin: 'ses_example' as OriginId }),
            ...(i < size - 1 && { more: true as const }),
          }),
        );
      }
      chain.groups.push(group);
      own[writer] = seq;
      clock = Math.max(clock, seq);
    }
    return built.filter((chain) => chain.groups.length > 0);
  });

test('law 2: any split into segments, any duplication, any order of arrival folds the same', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      chains,
      fc.infiniteStream(fc.nat(5)),
      fc.array(fc.nat(1000), { maxLength: 8 }),
      async (made, draws, reads) => {
        const id = `ses_${(number += 1)}`;
        const here = makeWorld(id);
        const folder = join(here.root.folder, 'sessions', id, 'segments');
        mkdirSync(folder, { recursive: true });
        const draw = (): number => draws.next().value as number;
        const expected = made
          .flatMap((chain) => chain.groups.flat())
          .map(({ event }) => event)
          .toSorted(compareEvents)
          .map(textOf);
        // Cut each chain between appends; some pieces are copied under another name, some torn copies too.
        const files: { readonly name: string; readonly bytes: Buffer }[] = [];
        for (const chain of made) {
          let piece: (typeof chain.groups)[number][number][] = [];
          const finish = (writer: string): void => {
            if (piece.length === 0) return;
            const bytes = Buffer.from(piece.map(({ line }) => line).join(''));
            const name = (by: string): string => `${String(piece[0]!.event.seq).padStart(6, '0')}-${by}.ndjson`;
            files.push({ name: name(writer), bytes });
            if (draw() === 0) files.push({ name: name(`copyof${writer.slice(-6)}`), bytes });
            if (draw() === 0)
              files.push({ name: name(`tornof${writer.slice(-6)}`), bytes: bytes.subarray(0, bytes.length - 7) });
          };
          let pieces = 0;
          for (const group of chain.groups) {
            piece.push(...group);
            if (draw() > 1) continue;
            finish(pieces === 0 ? chain.writer : `piece${pieces}${chain.writer.slice(-4)}`);
            pieces += 1;
            piece = [];
          }
          finish(pieces === 0 ? chain.writer : `piece${pieces}${chain.writer.slice(-4)}`);
        }
        // One process reads now and then while files arrive and grow; another only at the end.
        const watcher = here.log();
        const order = files.toSorted(
          (a, b) => ((a.bytes.length * 7 + a.name.length) % 5) - ((b.bytes.length * 7 + b.name.length) % 5),
        );
        for (const [index, { name, bytes }] of order.entries()) {
          const half = bytes.indexOf(10) + 1;
          writeFileSync(join(folder, name), bytes.subarray(0, half));
          if (reads.includes(index)) await watcher.read();
          writeFileSync(join(folder, name), bytes.subarray(half), { flag: 'a' });
          if (reads.includes(index * 7)) await watcher.read();
        }
        const final = await here.log().read();
        expect(final.state.texts).toEqual(expected);
        expect(final.findings.filter(({ level }) => level !== 'torn')).toEqual([]);
        expect((await watcher.read()).state.texts).toEqual(expected);
        await here.close();
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);
