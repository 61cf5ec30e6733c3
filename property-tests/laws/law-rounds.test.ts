import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-value.js';
import { type Ack, decideAck } from '../../src/decide/decide-ack.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { CompiledStep, CompiledWorkflow } from '../../src/definitions/compiled/compiled-workflow.js';
import { mapPrompts, promptsIn } from '../../src/definitions/compiled/visit-steps.js';
import { tellKnown } from '../../src/respond/tell-known.js';
import { tellStep } from '../../src/respond/tell-step.js';
import type { FoldedSession, RunNode } from '../../src/sessions/folded-session.js';
import { beginRun, key } from '../worlds/decided-run.js';
import { runs } from '../worlds/runs-of-law.js';

const need = (name: string, ask: string): JsonObject => ({ reason: 'needs_user_choice', key: name, ask });
const workflow = compiled({
  workflow: 'team.rounds',
  steps: [
    { id: 'before', prompt: 'Go.', needs: [need('whole', 'What holds for all of them?')] },
    {
      id: 'audit',
      foreach: '["bl", "end-of-stream", "tar"]',
      as: 'name',
      steps: [
        { id: 'decide', prompt: 'Go.', needs: [need('decision', 'May we keep ${{ name }}?')] },
        { id: 'agree', prompt: 'Go.', confirm: true },
        {
          id: 'inner',
          repeat: 2,
          steps: [
            {
              id: 'same',
              prompt: 'Go.',
              needs: [
                need('decision', 'Still so for ${{ name }}?'),
                need('whole', 'For all?'),
                need('way', 'Which way?'),
              ],
            },
          ],
        },
        { id: 'ways', prompt: 'Go.', needs: [need('way', 'Which way out of ${{ name }}?')] },
      ],
    },
    { id: 'after', prompt: 'Go.', needs: [need('decision', 'What was decided last?')] },
  ],
});

/** As a program of before 0027 has pinned it. */
const older: CompiledWorkflow = {
  ...workflow,
  steps: mapPrompts(workflow.steps, (step) => ({
    ...step,
    needs: step.needs.map(({ round: _round, holes: _holes, ...rest }) => rest),
  })) as readonly CompiledStep[],
};

interface Handed {
  readonly keys: readonly string[];
  readonly word?: number;
  readonly confirmed: boolean;
}
const handed: fc.Arbitrary<Handed> = fc.record({
  keys: fc.subarray(['decision', 'whole', 'way']),
  // The same word again may be an answer that is only said once more.
  word: fc.nat(1),
  confirmed: fc.boolean(),
});

const ackOf = (of: CompiledWorkflow, { keys, word, confirmed }: Handed, at: number): Ack => ({
  workflow: of,
  attempt: idsFromSeed(`attempt ${at}`).attemptId(),
  output: undefined,
  context: Object.fromEntries(keys.map((name) => [name, `said ${word ?? at}`])),
  confirmed,
  preferences: undefined,
  key,
  engine: 'test',
  draw: idsFromSeed(`step ${at}`),
});

const roundsOf = (path: string): readonly string[] => path.split('/').filter((part) => part.includes('@'));

/** Where what a key holds was answered on the way to a node: by a step that asks for it, and nobody said otherwise since. */
function answeredAt(session: FoldedSession, node: RunNode, name: string): string | undefined {
  let said: unknown;
  for (let at: RunNode | undefined = node; at?.parent !== undefined; at = session.nodes.get(at.parent)) {
    const { context = {} } = at.madeBy.data;
    if (!Object.hasOwn(context, name)) continue;
    said ??= context[name];
    if (context[name] !== said) return undefined;
    if (askedBy(at.did!.id).includes(name)) return at.did!.path;
  }
  return undefined;
}

const askedBy = (id: string): readonly string[] => {
  const step = promptsIn(workflow.steps).find((one) => one.id === id);
  return step === undefined ? [] : step.needs.map((asked) => asked.key);
};

function play(
  of: CompiledWorkflow,
  deeds: readonly Handed[],
  look: (session: FoldedSession, node: RunNode, deed: Handed, went: boolean) => void,
): RunNode {
  const { session, record, root } = beginRun(of, 'guided');
  let node: RunNode = session.nodes.get(root)!;
  for (const [at, deed] of deeds.entries()) {
    if (node.pending === undefined) break;
    const decided = decideAck(session, node, ackOf(of, deed, at));
    look(session, node, deed, decided.kind === 'advanced');
    if (decided.kind !== 'advanced') continue;
    for (const draft of decided.events) record(draft);
    node = session.nodes.get(decided.child)!;
  }
  return node;
}

describe('law: what the user is asked in a loop is asked in each round', () => {
  test('no round passes on what another round was given, and none on its agreement', () => {
    const seen = { passed: 0, stopped: 0, inherited: 0, ended: 0 };
    fc.assert(
      fc.property(fc.array(handed, { minLength: 4, maxLength: 60, size: 'max' }), (deeds) => {
        const last = play(workflow, deeds, (session, node, { keys, confirmed }, went) => {
          const { pending } = tellStep(session, workflow, node);
          const here = roundsOf(pending.path);
          const given = pending.expects.needs.map(({ key: name, satisfied }) => {
            const answered = answeredAt(session, node, name);
            const ofRound = roundsOf(answered ?? 'none@0').every((round, at) => here[at] === round);
            const isSet = answered !== undefined;
            expect([pending.path, name, satisfied]).toEqual([
              pending.path,
              name,
              isSet && (ofRound || here.length === 0),
            ]);
            if (satisfied && !keys.includes(name)) seen.inherited += 1;
            return satisfied || keys.includes(name);
          });
          const agreed = pending.stepId !== 'agree' || confirmed;
          expect([pending.path, went]).toEqual([pending.path, given.every(Boolean) && agreed]);
          if (went) seen.passed += 1;
          else seen.stopped += 1;
        });
        if (last.pending === undefined) seen.ended += 1;
      }),
      runs(200),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });

  test('a question names what its round is about, when it is told and when it blocks', () => {
    const told: string[] = [];
    const all = { keys: ['decision', 'whole', 'way'], confirmed: true };
    play(
      workflow,
      Array.from({ length: 40 }, () => all),
      (session, node) => {
        told.push(...tellStep(session, workflow, node).pending.expects.needs.map(({ ask }) => ask));
        const blocked = decideAck(session, node, ackOf(workflow, { keys: [], confirmed: true }, 99));
        if (blocked.kind !== 'blocked') return;
        expect(JSON.stringify(blocked.events)).toContain(told.at(-1));
      },
    );
    for (const name of ['bl', 'end-of-stream', 'tar']) {
      expect(told).toContain(`May we keep ${name}?`);
      expect(told).toContain(`Which way out of ${name}?`);
    }
  });

  test('what another round left is told as that round’s, and what this one knows as its own', () => {
    const told: [string, readonly string[]][] = [];
    const deeds = Array.from({ length: 12 }, (_, at) => ({
      keys: at === 0 ? ['whole'] : ['decision', 'way'],
      confirmed: true,
    }));
    play(workflow, deeds, (session, node) => {
      told.push([node.pending!.path, tellKnown(session, node, undefined).context]);
    });
    const at = (path: string): readonly string[] => told.find(([one]) => one === path)![1];
    expect(at('audit@1/agree')).toEqual(['whole = "said 0"', 'decision = "said 1"', 'way = "said 1"']);
    expect(at('audit@1/ways')[2]).toMatch(/^way = "said 4" \(left by audit@1\/inner@2\)$/u);
    expect(at('audit@2/decide')).toEqual([
      'whole = "said 0"',
      'decision = "said 5" (left by audit@1)',
      'way = "said 5" (left by audit@1)',
    ]);
    expect(at('audit@2/agree')[1]).toBe('decision = "said 6"');
  });

  test('a pin of before plays as it did: one answer serves each round, and holes in questions stand as they are', () => {
    const asked: string[] = [];
    const once = [['whole'], ['decision'], [], ['way']].map((keys) => ({ keys, confirmed: true }));
    const deeds = [...once, ...Array.from({ length: 40 }, () => ({ keys: [], confirmed: true }))];
    const last = play(older, deeds, (session, node, _deed, went) => {
      asked.push(...tellStep(session, older, node).pending.expects.needs.map(({ ask }) => ask));
      expect(went).toBe(true);
    });
    expect(last.pending).toBeUndefined();
    expect(asked).toContain('May we keep ${{ name }}?');
  });

  test('a routine that asks is asked in each round of the loop it is called in', () => {
    const source = {
      workflow: 'team.asks',
      kind: 'routine',
      steps: [{ id: 'a', prompt: 'Go.', needs: [need('k', 'K?')] }],
    };
    const routine = compileSource(JSON.stringify(source), 'r');
    const caller = compileSource(
      JSON.stringify({
        workflow: 'team.calls',
        steps: [{ id: 'l', repeat: 2, steps: [{ id: 'c', call: 'team.asks' }] }],
      }),
      'x',
      () => ({ file: 'r', source: () => undefined, compile: () => routine }),
    );
    if (!caller.ok || !routine.ok) throw new Error('both compile');
    expect(JSON.stringify(routine.workflow)).not.toContain('"round":true');
    expect(JSON.stringify(caller.workflow)).toContain('"round":true');
  });
});

function compiled(source: JsonObject): CompiledWorkflow {
  const result = compileSource(JSON.stringify(source), 'x.json');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
}
