import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorld, type Seen, listing } from '../worlds/log-world.js';
import { emptyMemory, MemoryStore } from '../worlds/memory-store.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { type Deed, deeds, StorePlay, type StoreWorld } from '../worlds/store-deeds.js';
import { whateverAnAgentDoes } from '../worlds/whatever-an-agent-does.js';

const inFiles = (): StoreWorld => makeWorldOfFiles();

function makeWorldOfFiles(): StoreWorld {
  const world = makeWorld();
  return { open: () => world.store(), close: () => world.close() };
}

function inMemory(): StoreWorld {
  const memory = emptyMemory();
  const options = {
    projection: listing,
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    randomBytes: (count: number) => randomBytes(count),
  };
  return { open: () => new MemoryStore<Seen>(memory, options), close: async () => undefined };
}

test(
  'folders and memory give the same for the same deeds',
  async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(deeds, async (todo) => {
        const plays = [new StorePlay(inFiles()), new StorePlay(inMemory())] as const;
        try {
          for (const [index, deed] of todo.entries()) {
            const [files, memory] = [await plays[0].do(deed), await plays[1].do(deed)];
            expect(files, nameOf(todo.slice(0, index + 1))).toEqual(memory);
            met.set(deed.does.kind, (met.get(deed.does.kind) ?? 0) + 1);
          }
        } finally {
          for (const play of plays) await play.close();
        }
      }),
      runs(60),
    );
    expect(met.size, 'kinds of deeds met').toBe(17);
  },
  patience,
);

const nameOf = (todo: readonly Deed[]): string =>
  todo.map(({ process, session, does }) => `${process} ${session} ${JSON.stringify(does)}`).join('\n');

test(
  'a range gives exactly what lies between its positions',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3), { maxLength: 8 }), fc.nat(10), fc.nat(10), async (sizes, after, upTo) => {
        for (const open of [inFiles, inMemory]) {
          const play = new StorePlay(open());
          const at = { process: 0, session: 'ALPHA-1' as never };
          try {
            for (const size of sizes)
              await play.do({
                ...at,
                does: { kind: 'append', texts: Array.from({ length: size + 1 }, (_, n) => `t${n}`) },
              });
            const [, texts, expected] = (await play.do({ ...at, does: { kind: 'range', after, upTo } })) as unknown[];
            expect(texts).toEqual(expected);
          } finally {
            await play.close();
          }
        }
      }),
      runs(20),
    );
  },
  patience,
);

test(
  'law 3 in memory: whatever an agent does, answers and log are what the model foresees, though each decision is made twice',
  async () => {
    await expect(fc.assert(whateverAnAgentDoes(new Map(), { store: 'memory' }), runs(15))).resolves.toBeUndefined();
  },
  patience,
);
