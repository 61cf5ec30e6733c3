import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId } from '../../src/base/ids.js';
import type { FileStore } from '../../src/log/file-store.js';
import type { SessionRef } from '../../src/log/port/session-ref.js';
import { makeWorld, notes, type Seen } from '../worlds/log-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const who = fc.nat(1);
const deed = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('append' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), who }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('copy' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove one' as const), which: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('bring back' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('kill' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repair' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('redact' as const), who, which: fc.nat() }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** As plain as can be: what was acknowledged, and what was taken away on purpose. */
interface Model {
  readonly acked: Set<string>;
  readonly taken: Set<string>;
  redacted: number;
}

class Play {
  readonly model: Model = { acked: new Set(), taken: new Set(), redacted: 0 };
  readonly world = makeWorld();
  readonly #ref: SessionRef;
  #stores: FileStore<Seen>[];
  #said = 0;
  /** A file was taken away alone, which may say why lines of another are not there: until a repair that other is damaged. */
  #inPieces = false;
  /** Processes that are gone, or stopped for good, with their files open. */
  readonly #stopped: FileStore<Seen>[] = [];

  constructor() {
    this.#stores = [this.#start(), this.#start()];
    this.#ref = { id: 'ses_example' as SessionId, place: { kind: 'given', name: this.world.root.folder } };
  }

  #start(): FileStore<Seen> {
    return this.world.store({ lock: 'off' });
  }
  get #session(): string {
    return join(this.world.root.folder, 'sessions', 'ses_example');
  }
  get #aside(): string {
    return join(this.world.folder, 'aside');
  }
  /** Git copies the files that are there, and later takes away whatever is there then. */
  #copy(): void {
    if (existsSync(this.#session)) cpSync(this.#session, this.#aside, { recursive: true });
  }
  #bringBack(): void {
    if (!existsSync(this.#aside)) return;
    cpSync(this.#aside, this.#session, { recursive: true, force: false, errorOnExist: false });
    rmSync(this.#aside, { recursive: true });
  }
  async texts(): Promise<readonly string[]> {
    return this.#start()
      .open(this.#ref)
      .read(({ state }) => [...state.texts]);
  }
  async repair(store = this.#start()): Promise<void> {
    const done = await store.care.repair(this.#ref, { acceptLoss: false, everyBranch: true });
    if (!done.ok) throw new Error(done.error.message);
  }

  async play(one: Deed): Promise<void> {
    const store = 'who' in one ? this.#stores[one.who]! : this.#stores[0]!;
    switch (one.do) {
      case 'append': {
        const text = `line ${(this.#said += 1)}.`;
        const done = await store.open(this.#ref).append(notes(text));
        if (done.ok) this.model.acked.add(text);
        else if (done.error.code !== 'SESSION_CHANGED' && !(this.#inPieces && done.error.code === 'SESSION_DAMAGED'))
          throw new Error(done.error.message);
        return;
      }
      case 'read':
        await store.open(this.#ref).read(() => undefined);
        return;
      case 'copy':
        return this.#copy();
      case 'remove':
        return rmSync(this.#session, { recursive: true, force: true });
      case 'remove one': {
        const folder = join(this.#session, 'segments');
        const names = existsSync(folder) ? readdirSync(folder) : [];
        if (names.length === 0) return;
        rmSync(join(folder, names[one.which % names.length]!));
        this.#inPieces ||= this.model.redacted > 0;
        return;
      }
      case 'bring back':
        return this.#bringBack();
      case 'kill':
        this.#stopped.push(store);
        this.#stores[one.who] = this.#start();
        return;
      case 'end':
        await store.close();
        return;
      case 'repair':
        return this.repair(store);
      case 'prune': {
        if (!existsSync(this.#session)) return;
        const done = await store.care.takeAway(
          this.#ref,
          new Date(),
          async () => true,
          () => true,
        );
        if (done.kind !== 'gone') return;
        rmSync(join(this.world.root.folder, 'local', 'trash'), { recursive: true });
        // What git had copied before is git's to give back.
        rmSync(this.#aside, { recursive: true, force: true });
        for (const text of this.model.acked) this.model.taken.add(text);
        this.model.acked.clear();
        return;
      }
      case 'redact': {
        const here = [...this.model.acked];
        const text = here[one.which % Math.max(1, here.length)];
        if (text === undefined || !existsSync(this.#session)) return;
        const done = await store.care.redact(this.#ref, {
          redact: ({ data }) =>
            'text' in data && data.text === text
              ? { draft: { kind: 'note_added', data: { text: '[redacted]' } }, places: ['/text'] }
              : undefined,
          texts: [text],
          dryRun: false,
        });
        if (!done.ok || done.value.damaged !== undefined) return;
        // A text that is in no file cannot be taken out of any.
        if (done.value.lines.length + done.value.scrubbed.length === 0) return;
        rmSync(this.#aside, { recursive: true, force: true });
        this.model.acked.delete(text);
        this.model.taken.add(text);
        this.model.redacted += 1;
        return;
      }
    }
  }

  async end(): Promise<{ readonly texts: readonly string[] }> {
    this.#bringBack();
    // Whoever is still at work notices at the latest when it ends.
    for (const store of [...this.#stores, ...this.#stopped]) await store.close();
    await this.repair();
    this.#inPieces = false;
    await this.play({ do: 'append', who: 0 });
    return { texts: await this.texts() };
  }
}

/** What is not there at the end though it should be, what was taken on purpose and is there, and what is there twice. */
async function outcomeOf(deeds: readonly Deed[]) {
  const play = new Play();
  try {
    mkdirSync(play.world.root.folder);
    for (const one of deeds) await play.play(one);
    const { texts } = await play.end();
    const lines = texts.filter((text) => text.startsWith('line '));
    const { acked, taken } = play.model;
    const wrong = {
      lost: [...acked].filter((text) => !texts.includes(text)),
      back: texts.filter((text) => taken.has(text)),
      twice: lines.filter((text, index) => lines.indexOf(text) !== index),
    };
    return { wrong, acked: acked.size, taken: taken.size };
  } finally {
    await play.world.close();
  }
}
const nothing = { lost: [], back: [], twice: [] };

test(
  'every line that was acknowledged and that nobody took on purpose is in the session or comes back with a repair; what was taken on purpose never does',
  async () => {
    const counts = { draws: 0, acked: 0, taken: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 40, size: 'max' }), async (deeds) => {
        const { wrong, acked, taken } = await outcomeOf(deeds);
        expect(wrong).toEqual(nothing);
        counts.draws += 1;
        counts.acked += acked;
        counts.taken += taken;
      }),
      runs(100),
    );
    console.log(
      `set aside: ${counts.draws} draws, ${counts.acked} lines acknowledged and there, ${counts.taken} taken on purpose and gone`,
    );
    expect(counts.taken).toBeGreaterThan(0);
  },
  patience,
);

const append = (by: number): Deed => ({ do: 'append', who: by });
const redact = (which: number): Deed => ({ do: 'redact', who: 0, which });
const [copy, remove, bringBack]: readonly [Deed, Deed, Deed] = [{ do: 'copy' }, { do: 'remove' }, { do: 'bring back' }];

test.each<readonly [string, readonly Deed[]]>([
  [
    'a redaction of what is only kept, beside the line that git gave back',
    [
      append(0),
      copy,
      append(0),
      remove,
      bringBack,
      redact(1),
      remove,
      append(0),
      { do: 'remove one', which: 0 },
      remove,
      append(0),
    ],
  ],
  [
    'a redaction of one file, beside another that git gave back',
    [
      append(1),
      append(0),
      copy,
      remove,
      bringBack,
      { do: 'end', who: 0 },
      redact(0),
      append(0),
      remove,
      { do: 'read', who: 0 },
    ],
  ],
  [
    'the record of a redaction is removed, and the other file seems damaged until a repair',
    [append(0), append(0), redact(0), { do: 'remove one', which: 0 }, append(0), { do: 'remove one', which: 0 }],
  ],
])('was found by drawing: %s', async (_, deeds) => {
  expect((await outcomeOf(deeds)).wrong).toEqual(nothing);
});
