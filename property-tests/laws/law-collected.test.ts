import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { type Ack, decideAck } from '../../src/decide/decide-ack.js';
import { decideReplay } from '../../src/decide/decide-replay.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import { tellKnown } from '../../src/respond/tell-known.js';
import { markdownPieces } from '../../src/render/render-markdown.js';
import { sessionStory } from '../../src/respond/session-story.js';
import { tellLedgers } from '../../src/respond/tell-ledgers.js';
import { tellStep } from '../../src/respond/tell-step.js';
import { contextBytes } from '../../src/sessions/context-bytes.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession, type RunNode } from '../../src/sessions/folded-session.js';
import { recordsAt } from '../../src/sessions/records.js';
import { beginRun, type DecidedRun, key } from '../worlds/decided-run.js';
import { runs } from '../worlds/runs-of-law.js';

interface Item {
  readonly tries: boolean;
  readonly judged: boolean;
}

/** A list that two steps add to, and may leave alone. */
const found = { type: 'array', items: { type: 'number' }, add: true, required: false };

const workflowOf = (items: readonly Item[]): CompiledWorkflow =>
  compiled({
    workflow: 'team.collected',
    steps: [
      {
        id: 'items',
        foreach: JSON.stringify(items),
        collect: { verdicts: 'outputs.judge.artifacts[0].verdict', tried: 'size(context.tries)' },
        steps: [
          {
            id: 'trying',
            if: 'item.tries',
            until: 'context.ok == true',
            max: 3,
            collect: { tries: '{"try": iteration, "ok": context.ok}' },
            steps: [
              {
                id: 'try',
                prompt: 'So far ${{ context.tries }}.',
                sets: { ok: { type: 'boolean' }, found, remark: { type: 'string', required: false } },
              },
            ],
          },
          {
            id: 'judge',
            if: 'item.judged',
            prompt: 'Judge.',
            sets: { found },
            output: {
              kind: 'team.verdict',
              required: false,
              schema: { properties: { verdict: { type: 'number' } } },
              example: { verdict: 1 },
            },
          },
        ],
      },
      { id: 'report', prompt: 'Report ${{ context.verdicts }}.' },
    ],
  });

interface Deed {
  /** Which of the nodes so far it is done at. */
  readonly at: number;
  readonly isFork: boolean;
  readonly ok: boolean;
  readonly verdict: number | undefined;
  readonly found: number | readonly number[] | undefined;
}
const deed: fc.Arbitrary<Deed> = fc.record({
  at: fc.nat(1000),
  isFork: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
  ok: fc.boolean(),
  verdict: fc.option(fc.nat(9), { nil: undefined }),
  found: fc.oneof(fc.constant(undefined), fc.nat(9), fc.array(fc.nat(9), { maxLength: 3 })),
});
const items = fc.array(fc.record({ tries: fc.boolean(), judged: fc.boolean() }), { minLength: 1, maxLength: 6 });

interface Did {
  readonly path: string;
  readonly deed: Deed;
}

/** What is collected, gathered from the acks of a branch and nothing else. */
function naive(list: readonly Item[], did: readonly Did[], pending: string | undefined): JsonObject {
  const here = Number(/^items@(\d+)/u.exec(pending ?? '')?.[1] ?? list.length + 1);
  const triesOf = (round: number): readonly JsonValue[] =>
    did
      .filter(({ path }) => path.startsWith(`items@${round}/trying`))
      .map(({ deed: { ok } }, at) => ({ try: at + 1, ok }));
  const worked = list
    .map((_, at) => at + 1)
    .filter((round) => round < here && did.some(({ path }) => path.startsWith(`items@${round}/`)));
  const last = Math.min(here, list.length);
  return {
    found: did.flatMap(({ deed: one }) => one.found ?? []),
    tries: triesOf(last),
    tried: worked.map((round) => triesOf(round).length),
    verdicts: worked.flatMap((round) => {
      const judged = did.find(({ path }) => path === `items@${round}/judge`);
      return judged?.deed.verdict === undefined ? [] : [judged.deed.verdict];
    }),
  };
}

function collectedAt(session: FoldedSession, node: RunNode): JsonObject {
  const { context } = recordsAt(session, node);
  return Object.fromEntries(['found', 'tries', 'tried', 'verdicts'].map((name) => [name, context[name] ?? null]));
}

function contextOf({ ok, found: more }: Deed, step: string): JsonObject | undefined {
  if (step === 'report') return undefined;
  return { ...(step === 'try' && { ok }), ...(more !== undefined && { found: more }) };
}

interface Seen {
  forked: number;
  reset: number;
  reported: number;
}

function play(list: readonly Item[], deeds: readonly Deed[], seen: Seen): void {
  const workflow = workflowOf(list);
  const { session, record, events, root } = beginRun(workflow, 'guided');
  const branches = new Map<RunNode['id'], readonly Did[]>([[root, []]]);
  let newest = session.nodes.get(root)!;
  for (const [number, one] of deeds.entries()) {
    const nodes = [...branches.keys()];
    const node = one.isFork ? session.nodes.get(nodes[one.at % nodes.length]!)! : newest;
    const { pending } = node;
    if (pending === undefined) continue;
    if (node.children.length > 0) seen.forked += 1;
    const ack = {
      ...ackOf(workflow, number),
      output: {
        artifacts:
          pending.id === 'judge' && one.verdict !== undefined ? [{ kind: 'team.verdict', verdict: one.verdict }] : [],
      },
      context: contextOf(one, pending.id),
    };
    const decided = decideAck(session, node, ack);
    if (decided.kind !== 'advanced') throw new Error(JSON.stringify(decided));
    for (const draft of decided.events) record(draft);
    expect(decideReplay(session, node, ack)).toMatchObject({ events: [] });
    newest = session.nodes.get(decided.child)!;
    const did = pending.id === 'report' ? { ...one, found: undefined } : one;
    branches.set(newest.id, [...branches.get(node.id)!, { path: pending.path, deed: did }]);
    if (newest.pending?.id === 'report') seen.reported += 1;
  }
  const again = emptySession();
  foldSession(again, events);
  const copied = structuredClone(session);
  for (const [id, did] of [...branches].toReversed()) {
    const node = session.nodes.get(id)!;
    const expected = naive(list, did, node.pending?.path);
    if ((expected['tries'] as readonly unknown[]).length === 0 && did.some(({ path }) => path.includes('trying')))
      seen.reset += 1;
    for (const one of [session, again, copied as FoldedSession]) {
      const held = one.nodes.get(id)!;
      expect(collectedAt(one, held)).toEqual(expected);
      expect(held.contextBytes).toBe(contextBytes(1, {}, { ...recordsAt(one, held).context }));
    }
  }
}

describe('law: a list that grows is what a walk over the acks of the branch gathers', () => {
  test('in nested loops that collect, and added to, with rounds that are passed over, forks and folds', () => {
    const seen: Seen = { forked: 0, reset: 0, reported: 0 };
    fc.assert(
      fc.property(items, fc.array(deed, { minLength: 1, maxLength: 40, size: 'max' }), (list, deeds) =>
        play(list, deeds, seen),
      ),
      runs(25),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  test('is asked for as what is new, and what is wrong with one element is told at its place', () => {
    const workflow = compiled({
      workflow: 'team.added',
      steps: [
        {
          id: 'look',
          prompt: 'Look.',
          sets: { owed: { ...found, required: true }, remark: { type: 'string', required: false } },
        },
        { id: 'after', if: 'size(context.owed) > 0', prompt: 'Owed: ${{ context.owed }}.' },
      ],
    });
    const { session, root } = beginRun(workflow, 'guided');
    const node = session.nodes.get(root)!;
    const { context } = tellStep(session, workflow, node).pending.expects;
    expect(context.map(({ key: name, required }) => [name, required])).toEqual([
      ['owed', true],
      ['remark', false],
    ]);
    expect(context[0]?.wanted).toMatch(/^what to add: a list/u);
    const told = (given: JsonObject): unknown => {
      const decided = decideAck(session, node, { ...ackOf(workflow, 0), context: given });
      return decided.kind === 'incomplete' ? decided.mend.map(({ pointer }) => pointer) : decided.kind;
    };
    expect(told({ owed: 'x' })).toEqual(['/context/owed']);
    expect(told({ owed: [1, 'x'] })).toEqual(['/context/owed/1']);
    expect(told({})).toEqual(['/context/owed']);
    expect(told({ owed: [] })).toBe('advanced');
  });
});

test('lists are of all rounds: in the line of a round, where they are told, and in a report', () => {
  const workflow = compiled({
    workflow: 'team.lined',
    steps: [
      {
        id: 'rounds',
        repeat: 3,
        line: 'so far ${{ size(context.found) }}',
        steps: [{ id: 'look', prompt: 'Look.', sets: { found } }],
      },
    ],
  });
  const { session, record, root } = beginRun(workflow, 'guided');
  const node = given({ session, record, root }, workflow, [{ found: [1, 2] }, {}]);
  expect(tellLedgers(session, workflow, node)[0]?.lines).toEqual([
    '1. (done): so far 2',
    '2. (done): so far 2',
    '3. (now)',
  ]);
  expect(tellKnown(session, node, undefined).context).toEqual(['found = [1,2]']);
  const workflows = new Map([['0'.repeat(64), workflow]]);
  const story = sessionStory({ sessionId: 's', place: 'user', session, eventCount: 4, findings: [], workflows });
  const report = [...markdownPieces(story)].join('');
  expect(report).toContain('**Rounds of “Rounds” (rounds): 2 of 3 done**\n\n- 1\\. (done): so far 2\n');
});

test('a record tells what each round set, also where another has written over it', () => {
  const workflow = workflowOf([{ tries: true, judged: false }]);
  const { session, record, root } = beginRun(workflow, 'guided');
  const node = given({ session, record, root }, workflow, [{ ok: false, found: [1, 2] }, { ok: true }]);
  const { text = '' } = tellKnown(session, node, { kind: 'record', from: 0 });
  const rounds = text.split('\n\n').filter((part) => part.includes('items@1/trying@'));
  expect(rounds).toEqual([
    'Try (items@1/trying@1/try)\nset ok = false\nadded to found: [1,2]\nadded to tries: [{"try":1,"ok":false}]',
    'Try (items@1/trying@2/try)\nset ok = true\nadded to tries: [{"try":2,"ok":true}]\nadded to tried: [2]',
  ]);
});

/** The node that a run comes to with these, one a step. */
function given(
  { session, record, root }: Omit<DecidedRun, 'events'>,
  workflow: CompiledWorkflow,
  contexts: readonly JsonObject[],
): RunNode {
  let node = session.nodes.get(root)!;
  for (const [number, context] of contexts.entries()) {
    const decided = decideAck(session, node, { ...ackOf(workflow, number), context });
    if (decided.kind !== 'advanced') throw new Error(JSON.stringify(decided));
    for (const draft of decided.events) record(draft);
    node = session.nodes.get(decided.child)!;
  }
  return node;
}

const ackOf = (workflow: CompiledWorkflow, number: number): Omit<Ack, 'context'> => ({
  workflow,
  attempt: idsFromSeed(`attempt ${number}`).attemptId(),
  output: undefined,
  confirmed: false,
  preferences: undefined,
  key,
  engine: 'test',
  draw: idsFromSeed(`step ${number}`),
});

function compiled(source: JsonObject): CompiledWorkflow {
  const result = compileSource(JSON.stringify(source), 'x.json');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}
