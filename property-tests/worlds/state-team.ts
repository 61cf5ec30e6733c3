import type { JsonObject } from '../../src/base/json-value.js';
import { type Clone, sessionKey } from './git-clones.js';
import { call, textOf } from './requests-world.js';

/** The same numbers each time: what goes wrong can be looked at again. */
function diceOf(seed: number): (below: number) => number {
  let at = seed;
  return (below) => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((at / 2 ** 32) * below);
  };
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`it does not hold that ${what}`);
}

interface Board {
  readonly own: { readonly [mark: string]: number };
  readonly shared: { readonly [place: string]: string };
  readonly list: readonly string[];
}

const stateOf = async (
  clone: Clone,
  more: JsonObject = {},
): Promise<{ readonly etag: string; readonly value: string }> => {
  const { answer } = await call(clone.process(0), 'state_read', { session: sessionKey, ...more });
  return { etag: textOf(answer['etag']), value: JSON.stringify(answer['current_data']) };
};

/** Real clones of one repository that write to one state, and merge each other's work as it comes. */
export class StateTeam {
  readonly clones: readonly Clone[];
  readonly roll: (below: number) => number;
  /** What each acknowledged write made: its version, and the value of that. */
  readonly seen = new Map<string, string>();
  readonly written: { readonly mark: string; readonly etag: string; readonly at: 'own' | 'shared' | 'list' }[] = [];
  merged = 0;
  crossed = 0;

  constructor(clones: readonly Clone[], seed: number) {
    this.clones = clones;
    this.roll = diceOf(seed);
  }

  async write(): Promise<void> {
    const clone = this.clones[this.roll(this.clones.length)]!;
    const mark = `m${this.written.length}`;
    const at = (['own', 'own', 'shared', 'list'] as const)[this.roll(4)]!;
    const place = { own: `/own/${mark}`, shared: `/shared/s${this.roll(2)}`, list: '/list/-' }[at];
    const operations = [{ op: 'add', path: place, value: at === 'own' ? 1 : mark }];
    const { answer, reply } = await call(clone.process(this.roll(2)), 'state_patch', {
      session: sessionKey,
      operations,
    });
    must(!reply.failed, reply.text);
    const etag = textOf(answer['etag']);
    this.written.push({ mark, etag, at });
    this.seen.set(etag, (await stateOf(clone, { version: etag })).value);
    clone.commit(mark);
  }

  take(into: Clone, from: Clone): void {
    into.git('fetch', '-q', from.folder, 'main');
    into.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
    this.merged += 1;
  }

  merge(): void {
    const count = this.clones.length;
    const [one, other] = [this.roll(count), 1 + this.roll(count - 1)];
    const [into, from] = [this.clones[one]!, this.clones[(one + other) % count]!];
    if (this.roll(2) === 0) return this.take(into, from);
    // Criss-cross: each takes what the other had before.
    into.git('fetch', '-q', from.folder, 'main');
    from.git('fetch', '-q', into.folder, 'main');
    into.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
    from.git('merge', '-q', '--no-edit', 'FETCH_HEAD');
    this.merged += 2;
    this.crossed += 1;
  }

  /** Until all have all. */
  async bringTogether(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      for (const into of this.clones) for (const from of this.clones) if (from !== into) this.take(into, from);
      if (round > 0) break;
      const { answer } = await call(this.clones[0]!.process(0), 'state_patch', {
        session: sessionKey,
        operations: [{ op: 'add', path: `/own/together-${this.merged}`, value: 1 }],
      });
      must(answer['etag'] !== undefined, 'a write is acknowledged');
      this.clones[0]!.commit('together');
    }
  }

  /** Nothing that was acknowledged is gone, twice in it, or something else than it was. */
  async judge(conflicts: ReadonlySet<string>): Promise<void> {
    const [first, ...others] = await Promise.all(this.clones.map((clone) => stateOf(clone)));
    for (const other of others)
      must(other.etag === first!.etag && other.value === first!.value, 'all clones have the same');
    const board = JSON.parse(first!.value) as Board;
    const listed = await this.clones[1]!.process(1).people.listVersions({ session: sessionKey, limit: 100_000 });
    const labels = listed.ok ? listed.value.versions.map(({ etag }) => etag) : [];
    must(new Set(labels).size === labels.length, 'each version is listed once');
    for (const { mark, etag, at } of this.written) {
      must(labels.includes(etag), `${mark} is in the history`);
      if (at === 'own') must(board.own[mark] === 1, `${mark} is in the document`);
      if (at === 'list') must(board.list.filter((item) => item === mark).length === 1, `${mark} is in the list once`);
    }
    // Of what was written to one place the last stands, or what was set aside says so.
    for (const mark of Object.values(board.shared)) {
      const { etag } = this.written.find((one) => one.mark === mark)!;
      must(!conflicts.has(etag), `${mark} stands, and waits for nobody`);
    }
    for (const clone of this.clones)
      for (const [etag, value] of this.seen)
        must((await stateOf(clone, { version: etag })).value === value, `${etag} is what it was`);
  }
}
