import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { type Ack, decideAck } from '../../src/decide/decide-ack.js';
import { decideReplay } from '../../src/decide/decide-replay.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import { tellStep } from '../../src/respond/tell-step.js';
import type { FoldedSession, RunNode } from '../../src/sessions/folded-session.js';
import { recordsAt } from '../../src/sessions/records.js';
import { beginRun, key } from '../worlds/decided-run.js';
import { runs } from '../worlds/runs-of-law.js';

const workflow = compiled({
  workflow: 'team.taken',
  steps: [
    {
      id: 'rounds',
      until: 'context.calm == true',
      max: 40,
      steps: [
        {
          id: 'look',
          prompt: 'Look.',
          sets: { calm: { from: 'output.calm' }, level: { from: 'output.seen.level' } },
          confirm: { if: 'context.level == "high"' },
          output: {
            kind: 'team.look',
            schema: { properties: { calm: { type: 'boolean' }, seen: { type: 'object' } } },
            example: { calm: true, seen: { level: 'low' } },
          },
        },
        { id: 'act', if: 'context.level == "high"', prompt: 'Act on ${{ context.level }}.' },
      ],
    },
    { id: 'after', prompt: 'It was ${{ context.level }}.' },
  ],
});

interface Handed {
  readonly artifacts: readonly JsonObject[];
  readonly context: JsonObject;
  readonly confirmed: boolean;
}
const level = fc.constantFrom<JsonValue>('low', 'high', null);
const look = fc.record(
  { kind: fc.constant('team.look'), calm: fc.boolean(), seen: fc.record({ level }, { requiredKeys: [] }) },
  { requiredKeys: ['kind'] },
);
const handed: fc.Arbitrary<Handed> = fc.record({
  artifacts: fc.array(look as fc.Arbitrary<JsonObject>, { maxLength: 2 }),
  context: fc.record({ level, calm: fc.boolean() }, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>,
  confirmed: fc.boolean(),
});

/** What the last artifact that says something says of each key. */
function said(artifacts: readonly JsonObject[]): JsonObject {
  const all: { [name: string]: JsonValue } = {};
  for (const { calm, seen } of artifacts as readonly { calm?: boolean; seen?: { level?: string | null } }[]) {
    if (calm !== undefined) all['calm'] = calm;
    if (typeof seen?.level === 'string') all['level'] = seen.level;
  }
  return all;
}

const ackOf = ({ artifacts, context, confirmed }: Handed, at: number): Ack => ({
  workflow,
  attempt: idsFromSeed(`attempt ${at}`).attemptId(),
  output: { artifacts },
  context,
  confirmed,
  preferences: undefined,
  key,
  engine: 'test',
  draw: idsFromSeed(`step ${at}`),
});

type Mode = 'guided' | 'auto_never_stop';
type Verdict = 'missing' | 'other' | 'waits' | 'right';

/** What comes of a look, told from nothing but what was handed in. */
function verdictOn({ artifacts, context, confirmed }: Handed): Verdict {
  const taken = said(artifacts);
  if (Object.keys(taken).length < 2) return 'missing';
  const others = Object.entries(taken).filter(([name, value]) => (context[name] ?? value) !== value);
  const clears = Object.keys(taken).some((name) => Object.hasOwn(context, name) && context[name] === null);
  if (others.length > 0 || clears) return 'other';
  return taken['level'] === 'high' && !confirmed ? 'waits' : 'right';
}
const kindOf = { missing: 'incomplete', other: 'incomplete', waits: 'blocked', right: 'advanced' } as const;

function stepAfter({ artifacts }: Handed): string {
  const { calm, level: seen } = said(artifacts);
  if (seen === 'high') return 'act';
  return calm === true ? 'after' : 'look';
}

/** Plays deeds until the run ends, and tells of each step that was done or refused. */
function play(deeds: readonly Handed[], mode: Mode): readonly string[] {
  const { session, record, root } = beginRun(workflow, mode);
  const told: string[] = [];
  let node: RunNode = session.nodes.get(root)!;
  for (const [at, deed] of deeds.entries()) {
    if (node.pending === undefined) break;
    const { pending } = tellStep(session, workflow, node);
    const isLook = pending.stepId === 'look';
    // A step does not ask for what its artifact holds.
    if (isLook) expect(pending.expects.context).toEqual([]);
    const decided = decideAck(session, node, ackOf(deed, at));
    const verdict = verdictOn(deed);
    told.push(isLook ? verdict : pending.stepId);
    if (isLook) expect(decided.kind).toBe(mode === 'guided' ? kindOf[verdict] : 'advanced');
    if (decided.kind !== 'advanced') continue;
    for (const draft of decided.events) record(draft);
    const child = session.nodes.get(decided.child)!;
    if (isLook) holds(session, node, child, deed, at);
    if (isLook && verdict !== 'missing') expect(child.pending?.id).toBe(stepAfter(deed));
    node = child;
  }
  return told;
}

function holds(session: FoldedSession, node: RunNode, child: RunNode, deed: Handed, at: number): void {
  const taken = said(deed.artifacts);
  expect(child.madeBy.data.context ?? {}).toEqual({ ...deed.context, ...taken });
  for (const [name, value] of Object.entries(taken)) expect(recordsAt(session, child).context[name]).toBe(value);
  // The same request again is the same work: what was taken is no part of what came.
  const again = decideReplay(session, node, ackOf(deed, at));
  expect(again).toMatchObject({ events: [] });
  expect(again?.other).toBeUndefined();
}

describe('law: a key that is taken from an artifact is what the artifact says', () => {
  test.each(['guided', 'auto_never_stop'] as const)('in the event, in the context and on the way, %s', (mode) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.array(handed, { minLength: 6, maxLength: 40, size: 'max' }), (deeds) => {
        for (const one of play(deeds, mode)) seen.add(one);
      }),
      runs(200),
    );
    expect([...seen].toSorted()).toEqual(['act', 'after', 'missing', 'other', 'right', 'waits']);
  });
});

function compiled(source: JsonObject): CompiledWorkflow {
  const result = compileSource(JSON.stringify(source), 'x.json');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}
