import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modeNames, modes, type Preferences } from '../../src/base/preferences.js';
import { preferencesSchema } from '../../src/base/preferences-schema.js';
import { type Ack, type AckDecision, decideAck } from '../../src/decide/decide-ack.js';
import type { RequestedPreferences } from '../../src/decide/choose-preferences.js';
import { idsFromSeed } from '../../src/decide/ids-from-seed.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import type { EventDraft } from '../../src/events/event.js';
import type { RunNode } from '../../src/sessions/folded-session.js';
import { beginRun, key } from '../worlds/decided-run.js';
import { runs } from '../worlds/runs-of-law.js';

const compiled = compileSource(
  JSON.stringify({
    workflow: 'team.gates',
    steps: [
      { id: 'agree', title: 'Agree', prompt: 'Go.', confirm: true },
      {
        id: 'ask',
        title: 'Ask',
        prompt: 'Go.',
        needs: [{ reason: 'needs_user_choice', key: 'way', ask: 'Which way?' }],
      },
      { id: 'set', title: 'Set', prompt: 'Go.', sets: { size: { type: 'string', enum: ['S', 'L'] } } },
      { id: 'maybe', title: 'Maybe', if: "context.size == 'L'", prompt: 'Go.', confirm: true },
      { id: 'again', title: 'Again', prompt: 'Go.', confirm: true },
    ],
  }),
  'gates.json',
);
if (!compiled.ok) throw new Error(JSON.stringify(compiled.violations));
const { workflow } = compiled;

interface Handed {
  readonly confirmed: boolean;
  readonly notes: boolean;
  readonly way: boolean;
  readonly size: 'S' | 'L' | 'M' | undefined;
  readonly preferences: RequestedPreferences | undefined;
  readonly person: boolean;
  /** What a person said yes to who was asked. */
  readonly agreed: Preferences | undefined;
}

const { autonomy, gateHandling, assumptionPolicy, riskPolicy } = preferencesSchema.shape;
const preferences: fc.Arbitrary<RequestedPreferences> = fc.record(
  {
    mode: fc.constantFrom(...modeNames),
    autonomy: fc.constantFrom(...autonomy.options),
    gateHandling: fc.constantFrom(...gateHandling.options),
    assumptionPolicy: fc.constantFrom(...assumptionPolicy.options),
    riskPolicy: fc.constantFrom(...riskPolicy.options),
  },
  { requiredKeys: [] },
);
const handed: fc.Arbitrary<Handed> = fc.record({
  confirmed: fc.boolean(),
  notes: fc.boolean(),
  way: fc.boolean(),
  size: fc.constantFrom('S', 'L', 'M', undefined),
  preferences: fc.option(preferences, { nil: undefined }),
  person: fc.nat(9).map((number) => number === 0),
  agreed: fc.option(
    fc.constantFrom(...modeNames).map((name) => modes[name]),
    { nil: undefined },
  ),
});

function ackOf({ confirmed, notes, way, size, preferences: asked, person, agreed }: Handed, at: number): Ack {
  return {
    workflow,
    attempt: idsFromSeed(`attempt ${at}`).attemptId(),
    output: notes ? { notesMarkdown: 'What was done.' } : undefined,
    context: { ...(way && { way: 'left' }), ...(size !== undefined && { size }) },
    confirmed,
    preferences: asked,
    who: person ? { door: 'terminal' } : undefined,
    agreed: agreed && { who: { door: 'client' }, to: agreed },
    key,
    engine: 'test',
    draw: idsFromSeed(`step ${at}`),
  };
}

/** What is said of the step that an ack is for, without what is to hold from the next one on. */
function verdict(decided: AckDecision): unknown {
  if (decided.kind === 'blocked') return { kind: decided.kind, request: decided.request };
  if (decided.kind !== 'advanced') return decided;
  const [acked] = decided.events as readonly EventDraft<'step_acked'>[];
  const { gaps, next, skipped, warnings } = acked!.data;
  const told = warnings?.filter(({ code }) => code !== 'BOLDER_THAN_RECOMMENDED') ?? [];
  return { kind: decided.kind, gaps, next, skipped, told };
}

const gates = ['autonomy', 'gateHandling'] as const;
const bold = (name: (typeof gates)[number], { [name]: value }: Preferences): number =>
  (preferencesSchema.shape[name].options as readonly string[]).indexOf(value);

describe('law: what a step waits for', () => {
  test('no preference of a request changes the verdict on its own step, and no agent goes further than a person let it', () => {
    const seen = { lifted: 0, refused: 0, agreed: 0, advanced: 0, blocked: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...modeNames), fc.array(handed, { minLength: 1, maxLength: 12 }), (mode, deeds) => {
        const { session, record, root } = beginRun(workflow, mode);
        let node: RunNode = session.nodes.get(root)!;
        let allowed: Preferences = modes[mode];
        for (const [at, deed] of deeds.entries()) {
          if (node.pending === undefined) break;
          const decided = decideAck(session, node, ackOf(deed, at));
          const plain = decideAck(session, node, ackOf({ ...deed, preferences: undefined }, at));
          if (decided.kind === 'too_bold') {
            seen.refused += 1;
            continue;
          }
          expect(verdict(decided)).toEqual(verdict(plain));
          if (decided.kind === 'blocked') seen.blocked += 1;
          if (decided.kind !== 'advanced') continue;
          const waits = ['agree', 'maybe', 'again'].includes(node.pending.id) && !deed.confirmed;
          for (const draft of decided.events) record(draft);
          const child = session.nodes.get(decided.child)!;
          const open = child.madeBy.data.gaps ?? [];
          if (waits) {
            seen.lifted += 1;
            expect(bold('gateHandling', node.preferences) + bold('autonomy', node.preferences)).toBeGreaterThan(0);
            expect(open).toContainEqual(
              expect.objectContaining({
                category: 'confirmation',
                reason: 'needs_user_approval',
                severity: 'critical',
              }),
            );
          }
          const changed = decided.events.find(({ kind }) => kind === 'preferences_changed');
          if (changed !== undefined) {
            expect(changed.who).toEqual({ door: deed.person ? 'terminal' : 'client' });
            // A yes is to what was asked, and to nothing else.
            if (!deed.person) expect(changed.data).toEqual({ preferences: deed.agreed });
            if (!deed.person) seen.agreed += 1;
            allowed = child.preferences;
          }
          for (const name of gates) {
            const most = Math.max(bold(name, allowed), bold(name, node.preferences));
            expect(bold(name, child.preferences)).toBeLessThanOrEqual(most);
          }
          seen.advanced += 1;
          node = child;
        }
      }),
      runs(300),
    );
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  });
});
