import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { decideAck } from '../../src/decide/decide-ack.js';
import { decideReplay } from '../../src/decide/decide-replay.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import { contextBytes } from '../../src/sessions/context-bytes.js';
import { foldSession } from '../../src/sessions/fold-session.js';
import { emptySession, type FoldedSession, type RunNode } from '../../src/sessions/folded-session.js';
import { recordsAt } from '../../src/sessions/records.js';
import { beginRun, key } from '../worlds/decided-run.js';
import { runs } from '../worlds/runs-of-law.js';

interface Item {
  readonly tries: boolean;
  readonly judged: boolean;
}

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
            steps: [{ id: 'try', prompt: 'So far ${{ context.tries }}.', sets: { ok: { type: 'boolean' } } }],
          },
          {
            id: 'judge',
            if: 'item.judged',
            prompt: 'Judge.',
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
}
const deed: fc.Arbitrary<Deed> = fc.record({
  at: fc.nat(1000),
  isFork: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
  ok: fc.boolean(),
  verdict: fc.option(fc.nat(9), { nil: undefined }),
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
  return { tries: context['tries'] ?? null, tried: context['tried'] ?? null, verdicts: context['verdicts'] ?? null };
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
      workflow,
      attempt: idsFromSeed(`attempt ${number}`).attemptId(),
      output: {
        artifacts:
          pending.id === 'judge' && one.verdict !== undefined ? [{ kind: 'team.verdict', verdict: one.verdict }] : [],
      },
      context: pending.id === 'try' ? { ok: one.ok } : undefined,
      confirmed: false,
      preferences: undefined,
      key,
      engine: 'test',
      draw: idsFromSeed(`step ${number}`),
    };
    const decided = decideAck(session, node, ack);
    if (decided.kind !== 'advanced') throw new Error(JSON.stringify(decided));
    for (const draft of decided.events) record(draft);
    expect(decideReplay(session, node, ack)).toMatchObject({ events: [] });
    newest = session.nodes.get(decided.child)!;
    branches.set(newest.id, [...branches.get(node.id)!, { path: pending.path, deed: one }]);
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

describe('law: what a loop collects is what a walk over the acks of the branch gathers', () => {
  test('in nested loops, with rounds that are passed over, forks and folds', () => {
    const seen: Seen = { forked: 0, reset: 0, reported: 0 };
    fc.assert(
      fc.property(items, fc.array(deed, { minLength: 1, maxLength: 40, size: 'max' }), (list, deeds) =>
        play(list, deeds, seen),
      ),
      runs(40),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });
});

function compiled(source: JsonObject): CompiledWorkflow {
  const result = compileSource(JSON.stringify(source), 'x.json');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}
