import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../base/canonical-json.js';
import type { AttemptId, EventSum, KeyId, NodeId, RunId, WorkflowHash, WriterId } from '../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { modes } from '../base/preferences.js';
import type { Position } from '../events/event-data.js';
import { compareEvents, type Event, type EventDraft } from '../events/event.js';
import { type Document, foldDocuments, type FoldedContract } from './documents.js';
import { foldSession } from './fold-session.js';
import { emptySession, type FoldedSession } from './folded-session.js';

const preferences = modes.guided;
const run = 'run_000000000001' as RunId;
const nodeOf = (name: number): NodeId => `n_${String(name).padStart(12, '0')}` as NodeId;
const made = { key: 'k_00000000' as KeyId, engine: '1' };

/** What happened in a run: a step acked on a node, which makes the next node, or output left on one. */
type Deed = {
  readonly on: number;
  readonly artifacts: readonly JsonObject[];
  readonly as: 'ack' | 'checkpoint' | 'late';
};

/** The events of a run, node 0 its root; the ack at place n makes node n + 1. */
function eventsOf(deeds: readonly Deed[]): readonly Event[] {
  const position = (at: number): Position => ({ id: 'step', path: `step${at + 1}`, title: 'Step', frames: [] });
  const start: EventDraft = {
    kind: 'run_started',
    run,
    node: nodeOf(0),
    data: {
      workflowId: 'wr.x',
      workflowHash: '0'.repeat(64) as WorkflowHash,
      title: 'X',
      version: '1',
      source: '',
      inputs: {},
      context: {},
      preferences,
      request: '',
      next: position(0),
      ...made,
    },
  };
  const drafts = deeds.map(({ on, artifacts, as }, place): EventDraft => {
    const attempt = `a_${String(place).padStart(10, '0')}` as AttemptId;
    if (as === 'ack') {
      return {
        kind: 'step_acked',
        run,
        node: nodeOf(place + 1),
        data: {
          parent: nodeOf(on),
          attempt,
          step: 'Step',
          brought: '',
          output: { artifacts: [...artifacts] },
          next: position(place + 1),
        },
      };
    }
    return {
      kind: 'checkpoint',
      run,
      node: nodeOf(on),
      data: {
        output: { artifacts: [...artifacts] },
        brought: '',
        key: made.key,
        ...(as === 'late' && { late: { attempt } }),
      },
    };
  });
  return [start, ...drafts].map((draft, index): Event => ({
    ...draft,
    v: 1,
    seq: index + 1,
    by: 'writer00' as WriterId,
    at: '2026-01-01T00:00:00.000Z',
    prev: '',
    sum: String(index).padStart(16, '0') as EventSum,
  }));
}

const fold = (events: readonly Event[]): FoldedSession => foldSession(emptySession(), events);

function documentsAt(session: FoldedSession, node: number, contracts: readonly FoldedContract[]): readonly Document[] {
  return foldDocuments(session, session.nodes.get(nodeOf(node))!, contracts);
}

const contracts: readonly FoldedContract[] = [
  {
    kind: 'head',
    documents: [
      { document: 'head', fold: 'header', field: 'review' },
      { document: 'log', fold: 'log', field: 'entry' },
    ],
  },
  {
    kind: 'files',
    documents: [
      { document: 'files', fold: 'table', field: 'files', key: ['path'] },
      { document: 'log', fold: 'log', field: 'entry' },
    ],
  },
  { kind: 'found', documents: [{ document: 'found', fold: 'table', field: 'found', key: ['at.file', 'at.line'] }] },
  {
    kind: 'moved',
    documents: [{ document: 'moved', fold: 'table', field: 'moved', key: ['file', 'line', 'title'], moves: ['line'] }],
  },
  { kind: 'asked', documents: [{ document: 'asked', fold: 'list', field: 'asked' }] },
  {
    kind: 'whole',
    documents: [
      { document: 'whole', fold: 'header' },
      { document: 'wholes', fold: 'log' },
    ],
  },
  { kind: 'silent' },
];

/** One line of steps, each with its artifacts. */
function documentsOf(...steps: readonly (readonly JsonObject[])[]): readonly Document[] {
  return documentsAt(
    fold(eventsOf(steps.map((artifacts, on) => ({ on, artifacts, as: 'ack' })))),
    steps.length,
    contracts,
  );
}

describe('foldDocuments', () => {
  it('merges headers field by field, and null takes a field out', () => {
    const [head, ...others] = documentsOf(
      [{ kind: 'head', review: { title: 'Fix', risk: 'L', base: 'main' } }],
      [
        { kind: 'head', review: { risk: 'H', base: null } },
        { kind: 'silent', review: { title: 'no' } },
        { kind: 'unknown' },
      ],
    );
    expect(others).toEqual([]);
    expect(head).toEqual({
      name: 'head',
      fold: 'header',
      header: { title: 'Fix', risk: 'H' },
      from: [
        { path: 'step1', sum: '0000000000000001' },
        { path: 'step2', sum: '0000000000000002' },
      ],
      leftOut: 0,
    });
  });

  it('appends to logs from any artifact that has something for them, words as text', () => {
    const documents = documentsOf(
      [{ kind: 'head', review: {}, entry: 'Begun.' }],
      [{ kind: 'files', files: [], entry: ['Read.', { by: 'me', text: 'Done.' }] }],
      [{ kind: 'head', entry: 'Begun.' }],
    );
    expect(documents.find(({ name }) => name === 'log')).toMatchObject({
      entries: [{ text: 'Begun.' }, { text: 'Read.' }, { by: 'me', text: 'Done.' }, { text: 'Begun.' }],
    });
    expect(documents.find(({ name }) => name === 'files')).toEqual({
      name: 'files',
      fold: 'table',
      rows: [],
      doubts: [],
      from: [],
      leftOut: 0,
    });
  });

  it('keeps one row a key, the last, sorted by the key and not by its text', () => {
    const [found] = documentsOf(
      [
        {
          kind: 'found',
          found: [
            { at: { file: 'b', line: 10 }, n: 1 },
            { at: { file: 'b', line: 9 }, n: 2 },
            { at: { file: 'b' }, n: 3 },
            { at: { file: 'a', line: 80 }, n: 4 },
          ],
        },
      ],
      [{ kind: 'found', found: { at: { line: 9, file: 'b' }, n: 5 } }],
    );
    expect(found).toMatchObject({
      rows: [{ n: 4 }, { n: 3 }, { at: { line: 9, file: 'b' }, n: 5 }, { n: 1 }],
      leftOut: 0,
    });
    expect(found!.from.map(({ path }) => path)).toEqual(['step1', 'step1', 'step2', 'step1']);
  });

  it('takes the same thing of another line for the same row, where each is the only one', () => {
    const at = (line: number, title: string, more: JsonObject = {}): JsonObject => ({
      file: 'a',
      line,
      title,
      ...more,
    });
    const after = (...rounds: readonly (readonly JsonObject[])[]): Document =>
      documentsOf(...rounds.map((moved) => [{ kind: 'moved', moved: [...moved] }]))[0]!;
    const linesOf = (document: Document): readonly JsonValue[] =>
      document.fold === 'table' ? document.rows.map(({ line, title }) => [line!, title!]) : [];
    // The newer line wins, and what is said of it.
    const mended = after([at(7, 'x'), at(9, 'y')], [at(8, 'x', { seen: true })]);
    expect(mended).toMatchObject({ rows: [at(8, 'x', { seen: true }), at(9, 'y')], doubts: [] });
    expect(mended.from.map(({ path }) => path)).toEqual(['step2', 'step1']);
    // Two of one artifact are two, and stay so where both come again.
    expect(linesOf(after([at(7, 'x'), at(9, 'x')]))).toEqual([
      [7, 'x'],
      [9, 'x'],
    ]);
    expect(linesOf(after([at(7, 'x'), at(9, 'x')], [at(7, 'x'), at(10, 'x')]))).toEqual([
      [7, 'x'],
      [10, 'x'],
    ]);
    // Which of two it is nobody can tell.
    const doubted = after([at(7, 'x'), at(9, 'x')], [at(8, 'x')]);
    expect(linesOf(doubted)).toEqual([
      [7, 'x'],
      [8, 'x'],
      [9, 'x'],
    ]);
    expect(doubted).toMatchObject({
      doubts: [{ sum: '0000000000000002', rows: [at(7, 'x'), at(9, 'x'), at(8, 'x')] }],
    });
    // Of another file it is another one.
    expect(linesOf(after([at(7, 'x')], [{ ...at(8, 'x'), file: 'b' }]))).toEqual([
      [7, 'x'],
      [8, 'x'],
    ]);
  });

  it('keeps each entry of a list once, where it was first said', () => {
    const [asked] = documentsOf(
      [{ kind: 'asked', asked: ['Why?', { a: 1, b: 2 }] }],
      [{ kind: 'asked', asked: [{ b: 2, a: 1 }, 'When?', 'Why?'] }],
    );
    expect(asked).toMatchObject({ entries: [{ text: 'Why?' }, { a: 1, b: 2 }, { text: 'When?' }] });
    expect(asked!.from.map(({ path }) => path)).toEqual(['step1', 'step1', 'step2']);
  });

  it('takes the artifact itself where no field is named, without its kind', () => {
    const from = [{ path: 'step1', sum: '0000000000000001' }];
    expect(documentsOf([{ kind: 'whole', verdict: 'approve' }])).toEqual([
      { name: 'whole', fold: 'header', header: { verdict: 'approve' }, from, leftOut: 0 },
      { name: 'wholes', fold: 'log', entries: [{ verdict: 'approve' }], from, leftOut: 0 },
    ]);
  });

  it('leaves out and counts what has the wrong shape', () => {
    const documents = documentsOf([
      { kind: 'head', review: 'Fix', entry: [7, '  ', ['deep'], null] },
      { kind: 'files', files: [{ path: 'a' }, 'b', { name: 'c' }, { path: { of: 'd' } }, { path: null }] },
      { kind: 7, review: { title: 'no' } },
      { kind: 'asked', asked: false },
    ]);
    expect(documents.map(({ name, leftOut }) => [name, leftOut])).toEqual([
      ['asked', 1],
      ['files', 4],
      ['head', 1],
      ['log', 4],
    ]);
    expect(documents.find(({ name }) => name === 'files')).toMatchObject({ rows: [{ path: 'a' }] });
  });

  it('counts checkpoints on the way, and not what came late', () => {
    const file = (path: string): readonly JsonObject[] => [{ kind: 'files', files: [{ path }] }];
    const session = fold(
      eventsOf([
        { on: 0, artifacts: file('ack'), as: 'ack' },
        { on: 0, artifacts: file('on the root'), as: 'checkpoint' },
        { on: 1, artifacts: file('at the tip'), as: 'checkpoint' },
        { on: 1, artifacts: file('late'), as: 'late' },
      ]),
    );
    expect(documentsAt(session, 1, contracts)).toMatchObject([
      { rows: [{ path: 'ack' }, { path: 'at the tip' }, { path: 'on the root' }] },
    ]);
  });

  it('shows a branch nothing of another', () => {
    const title = (text: string): readonly JsonObject[] => [{ kind: 'head', review: { title: text } }];
    const session = fold(
      eventsOf([
        { on: 0, artifacts: title('trunk'), as: 'ack' },
        { on: 1, artifacts: title('one'), as: 'ack' },
        { on: 1, artifacts: title('other'), as: 'ack' },
        { on: 1, artifacts: [], as: 'ack' },
      ]),
    );
    const titles = [1, 2, 3, 4].map((node) =>
      documentsAt(session, node, contracts).map((document) =>
        document.fold === 'header' ? document.header['title'] : undefined,
      ),
    );
    expect(titles).toEqual([['trunk'], ['one'], ['other'], ['trunk']]);
  });

  it('keeps two folds under one name apart, and counts a rule once however many steps bring it', () => {
    const twice: FoldedContract = {
      kind: 'k',
      documents: [
        { document: 'd', fold: 'log', field: 'x' },
        { document: 'd', fold: 'list', field: 'x' },
      ],
    };
    const session = fold(eventsOf([{ on: 0, artifacts: [{ kind: 'k', x: ['a', 'a'] }], as: 'ack' }]));
    const documents = documentsAt(session, 1, [twice, structuredClone(twice)]);
    expect(documents).toMatchObject([
      { name: 'd', fold: 'list', entries: [{ text: 'a' }] },
      { name: 'd', fold: 'log', entries: [{ text: 'a' }, { text: 'a' }] },
    ]);
  });

  it('keeps tables of one name apart where their keys differ', () => {
    const byTwo: FoldedContract = {
      kind: 'k',
      documents: [
        { document: 'd', fold: 'table', field: 'x', key: ['a'] },
        { document: 'd', fold: 'table', field: 'x', key: ['b'] },
      ],
    };
    const session = fold(
      eventsOf([
        {
          on: 0,
          artifacts: [
            {
              kind: 'k',
              x: [
                { a: 1, b: 1 },
                { a: 1, b: 2 },
              ],
            },
          ],
          as: 'ack',
        },
      ]),
    );
    expect(documentsAt(session, 1, [byTwo])).toMatchObject([
      { rows: [{ a: 1, b: 2 }] },
      {
        rows: [
          { a: 1, b: 1 },
          { a: 1, b: 2 },
        ],
      },
    ]);
  });

  it('sees what an artifact says, not what every object has', () => {
    const odd: FoldedContract = {
      kind: 'k',
      documents: [
        { document: 'd', fold: 'log', field: 'toString' },
        { document: 't', fold: 'table', field: 'x', key: ['constructor.name'] },
      ],
    };
    const session = fold(eventsOf([{ on: 0, artifacts: [{ kind: 'k', x: [{}] }], as: 'ack' }]));
    expect(documentsAt(session, 1, [odd])).toEqual([
      { name: 't', fold: 'table', rows: [], doubts: [], from: [], leftOut: 1 },
    ]);
  });

  it('takes fields that objects treat in their own way', () => {
    const review = JSON.parse('{ "b": 1, "__proto__": { "x": 1 }, "constructor": 2, "0": 3 }') as JsonObject;
    const [head] = documentsOf([{ kind: 'head', review }], [{ kind: 'head', review: { '1': 4 } }]);
    expect(JSON.stringify(head)).toContain('{"0":3,"1":4,"b":1,"__proto__":{"x":1},"constructor":2}');
    expect(head!.from.map(({ path }) => path)).toEqual(['step1', 'step2', 'step1', 'step1', 'step1']);
    expect(documentsOf([{ kind: '__proto__', review }, { kind: 'constructor' }])).toEqual([]);
  });
});

const scalar = fc.oneof(
  fc.constantFrom<JsonValue>('a', 'b', '10', '9', 9, 10, null, true),
  fc.jsonValue({ maxDepth: 1 }).map((value) => value as JsonValue),
);
const row = fc
  .record(
    { path: scalar, at: fc.record({ file: scalar, line: scalar }, { requiredKeys: [] }), n: fc.nat(9) },
    { requiredKeys: ['n'] },
  )
  .map((drawn) => drawn as JsonObject);
const rows = fc.oneof({ weight: 5, arbitrary: fc.array(row, { maxLength: 4 }) }, { weight: 1, arbitrary: scalar });
const moved = fc
  .record({ file: fc.constantFrom('a', 'b'), line: fc.constantFrom(1, 2, 3), title: fc.constantFrom('x', 'y') })
  .map((drawn) => drawn as JsonObject);
const artifact: fc.Arbitrary<JsonObject> = fc
  .oneof(
    fc.record(
      {
        kind: fc.constant('head'),
        review: fc.oneof(fc.dictionary(fc.constantFrom('a', 'b', '0', 'title'), scalar), scalar),
        entry: fc.oneof(rows, scalar),
      },
      { requiredKeys: ['kind'] },
    ),
    fc.record({ kind: fc.constant('files'), files: rows, entry: scalar }, { requiredKeys: ['kind'] }),
    fc.record({ kind: fc.constant('found'), found: rows }, { requiredKeys: ['kind'] }),
    fc.record({ kind: fc.constant('moved'), moved: fc.array(moved, { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('asked'), asked: fc.oneof(rows, scalar) }, { requiredKeys: ['kind'] }),
    fc.record({ kind: fc.constantFrom('whole', 'silent', 'other'), n: scalar }, { requiredKeys: ['kind'] }),
  )
  .map((drawn) => drawn as JsonObject);

/** A run that forks at will: each deed is done on some node that is there by then. */
const lives: fc.Arbitrary<readonly Deed[]> = fc
  .array(
    fc.record({
      pick: fc.nat(),
      artifacts: fc.array(artifact, { maxLength: 3 }),
      as: fc.constantFrom('ack', 'ack', 'ack', 'checkpoint', 'late'),
    }),
    { maxLength: 14 },
  )
  .map((drawn) => {
    const nodes = [0];
    return drawn.map(({ pick, artifacts, as }, place): Deed => {
      // Mostly the newest node, so that paths grow long.
      const on = pick % 3 === 0 ? nodes[pick % nodes.length]! : nodes.at(-1)!;
      if (as === 'ack') nodes.push(place + 1);
      return { on, artifacts, as: as as Deed['as'] };
    });
  });

const nodesOf = (deeds: readonly Deed[]): readonly number[] => [
  0,
  ...deeds.flatMap(({ as }, place) => (as === 'ack' ? [place + 1] : [])),
];

/** The artifacts on the way to a node, told naively: from the node up, its checkpoints after the ack that made it. */
function artifactsTo(deeds: readonly Deed[], node: number): readonly JsonObject[] {
  const own = deeds.flatMap(({ on, artifacts, as }) => (on === node && as === 'checkpoint' ? artifacts : []));
  if (node === 0) return own;
  const { on, artifacts } = deeds[node - 1]!;
  return [...artifactsTo(deeds, on), ...artifacts, ...own];
}

const asList = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
const itemsOf = (document: Document): readonly JsonObject[] =>
  document.fold === 'header' ? [] : document.fold === 'table' ? document.rows : document.entries;

function eachNode(
  deeds: readonly Deed[],
  say: (documents: readonly Document[], artifacts: readonly JsonObject[]) => void,
): void {
  const session = fold(eventsOf(deeds));
  for (const node of nodesOf(deeds)) say(documentsAt(session, node, contracts), artifactsTo(deeds, node));
}

describe('documents of any session', () => {
  it('are a function of the set of its events and of the set of contracts', () => {
    fc.assert(
      fc.property(lives, fc.infiniteStream(fc.nat(1000)), (deeds, dice) => {
        const events = eventsOf(deeds);
        const met = [...events, ...events]
          .map((event) => ({ event, place: dice.next().value }))
          .toSorted((a, b) => a.place - b.place);
        const once = [...new Map(met.map(({ event }) => [event.sum, event])).values()].toSorted(compareEvents);
        const merged = fold(once);
        const kept = fold(structuredClone(once));
        for (const node of nodesOf(deeds)) {
          const documents = documentsAt(fold(events), node, contracts);
          expect(documentsAt(merged, node, contracts)).toEqual(documents);
          expect(documentsAt(merged, node, [...contracts, ...contracts.toReversed()])).toEqual(documents);
          expect(merged, 'a fold changes nothing').toEqual(kept);
        }
      }),
    );
  });

  it('of a branch know nothing of what was done elsewhere', () => {
    fc.assert(
      fc.property(lives, (deeds) => {
        const session = fold(eventsOf(deeds));
        for (const node of nodesOf(deeds)) {
          const way = new Set<number>();
          for (let at = node; at !== 0; at = deeds[at - 1]!.on) way.add(at);
          const alone = deeds.map((deed, place): Deed => {
            const onTheWay = deed.as === 'ack' ? way.has(place + 1) : way.has(deed.on) || deed.on === 0;
            return onTheWay ? deed : { ...deed, artifacts: [] };
          });
          expect(documentsAt(fold(eventsOf(alone)), node, contracts)).toEqual(documentsAt(session, node, contracts));
        }
      }),
    );
  });

  it('hold the last write of each key, each key once, in order', () => {
    fc.assert(
      fc.property(lives, (deeds) => {
        eachNode(deeds, (documents, artifacts) => {
          const files = documents.find(({ name }) => name === 'files');
          const offered = artifacts.filter(({ kind }) => kind === 'files').flatMap((told) => asList(told['files']));
          const named = offered
            .filter(isJsonObject)
            .filter(({ path }) => path !== undefined && path !== null && typeof path !== 'object');
          const last = new Map(named.map((told) => [canonicalJson(told['path']!), told]));
          const kept = files === undefined ? [] : itemsOf(files);
          expect(new Map(kept.map((told) => [canonicalJson(told['path']!), told]))).toEqual(last);
          expect(kept).toHaveLength(last.size);
          expect(files?.leftOut ?? 0).toBe(offered.length - named.length);
          for (const type of ['number', 'string']) {
            const keys = kept.map(({ path }) => path).filter((path) => typeof path === type);
            expect(keys).toEqual(keys.toSorted((a, b) => (a! < b! ? -1 : 1)));
          }
          const header = documents.find((document) => document.fold === 'header' && document.name === 'head');
          const merged = new Map<string, JsonValue>();
          for (const { kind, review } of artifacts)
            if (kind === 'head' && isJsonObject(review ?? null))
              for (const [field, value] of Object.entries(review as JsonObject)) merged.set(field, value);
          expect(header?.fold === 'header' ? header.header : {}).toEqual(
            Object.fromEntries([...merged].filter(([, value]) => value !== null)),
          );
        });
      }),
    );
  });

  it('keep what moved once, and lose nothing that may be another', () => {
    const keyOf = (row: JsonObject): string => JSON.stringify([row['file'], row['line'], row['title']]);
    const likeOf = (row: JsonObject): string => JSON.stringify([row['file'], row['title']]);
    fc.assert(
      fc.property(lives, (deeds) => {
        eachNode(deeds, (documents, artifacts) => {
          let standing: readonly JsonObject[] = [];
          for (const { kind, moved: came } of artifacts) {
            if (kind !== 'moved') continue;
            const rows = asList(came) as readonly JsonObject[];
            const isIn = (some: readonly JsonObject[], row: JsonObject): boolean =>
              some.some((one) => keyOf(one) === keyOf(row));
            const alike = (some: readonly JsonObject[], row: JsonObject): number =>
              new Set(some.filter((one) => likeOf(one) === likeOf(row)).map(keyOf)).size;
            const before = standing;
            const gone = before.filter((row) => !isIn(rows, row));
            const fresh = rows.filter((row) => !isIn(before, row));
            const kept = gone.filter((row) => !(alike(gone, row) === 1 && alike(fresh, row) === 1));
            standing = [...kept, ...new Map(rows.map((row) => [keyOf(row), row])).values()];
          }
          const told = documents.find(({ name }) => name === 'moved');
          expect((told === undefined ? [] : itemsOf(told)).map(keyOf)).toEqual(standing.map(keyOf).toSorted());
        });
      }),
    );
  });

  it('append to logs everything that was said, and to lists everything once', () => {
    fc.assert(
      fc.property(lives, (deeds) => {
        eachNode(deeds, (documents, artifacts) => {
          const entries = (offered: readonly JsonValue[]): readonly JsonValue[] =>
            offered
              .map((told) => (typeof told === 'string' && told.trim() !== '' ? { text: told } : told))
              .filter(isJsonObject);
          const log = documents.find(({ name }) => name === 'log');
          expect(log === undefined ? [] : itemsOf(log)).toEqual(
            entries(
              artifacts.filter(({ kind }) => kind === 'head' || kind === 'files').flatMap(({ entry }) => asList(entry)),
            ),
          );
          const asked = documents.find(({ name }) => name === 'asked');
          const all = entries(
            artifacts.filter(({ kind }) => kind === 'asked').flatMap((told) => asList(told['asked'])),
          );
          expect(asked === undefined ? [] : itemsOf(asked).map(canonicalJson)).toEqual([
            ...new Set(all.map(canonicalJson)),
          ]);
        });
      }),
    );
  });

  it('are sorted by name, and say of each part where it came from', () => {
    fc.assert(
      fc.property(lives, (deeds) => {
        eachNode(deeds, (documents) => {
          const names = documents.map(({ name }) => name);
          expect(names).toEqual([...new Set(names)].toSorted());
          for (const document of documents)
            expect(document.from).toHaveLength(
              document.fold === 'header' ? Object.keys(document.header).length : itemsOf(document).length,
            );
        });
      }),
    );
  });
});
