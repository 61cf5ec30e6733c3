import { describe, expect, it } from 'vitest';
import { first } from '../../../property-tests/worlds/workrail-json-world.js';
import type { JsonObject } from '../../base/json-value.js';
import { contractPacks } from '../contracts/contract-packs.js';
import { checkArtifact } from '../contracts/output-contract.js';

const handed = (name: string, step: JsonObject) =>
  first({ ...step, outputContract: { contractRef: `wr.contracts.${name}` } }).outputs[0]!;

describe('a handoff or a verdict', () => {
  it('needs its kind alone, and takes whatever the author asks for', () => {
    for (const { ref, kind } of contractPacks.values()) {
      if (['wr.loop_control', 'wr.assessment'].includes(kind)) continue;
      const contract = handed(ref.slice('wr.contracts.'.length), {});
      for (const more of [{}, { anything: 1, summary: ['a'], verdict: 'clean', findings: [{ id: 1 }] }])
        expect(checkArtifact(contract, { kind, ...more }), ref).toEqual([]);
      expect(checkArtifact(contract, { kind: 'wr.other' }), ref).not.toEqual([]);
    }
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'an object that stands in the prompt, however loosely',
      {
        prompt:
          'Hand back:\n```json\n{"artifacts": [{\n  "kind": "wr.gate_verdict", // the gate\n  "verdict": "approved" | "rejected",\n  "why": {"text": "…"},\n}]}\n```',
      },
      { kind: 'wr.gate_verdict', verdict: 'approved | rejected', why: { text: '…' } },
    ],
    [
      'an object that is only like JSON',
      {
        prompt:
          "Emit { kind: 'wr.gate_verdict', verdict: 'clean' | 'minor' | 'blocking', decision: <'go'|'stop'>, sure: high | low, count: 3, ok: true, why: <what was seen>, findings: [...], list: string[] }.",
      },
      {
        kind: 'wr.gate_verdict',
        verdict: 'clean | minor | blocking',
        decision: 'go | stop',
        sure: 'high | low',
        count: 3,
        ok: true,
        why: '<what was seen>',
        findings: [],
        list: 'string[]',
      },
    ],
    [
      'the fields of a list, with the values or the author’s words',
      {
        prompt:
          "Read it.\n- `depth`: how far\n\nEmit a `wr.gate_verdict` artifact.\n\nThe artifact must include:\n- **`verdict`**: `'approved'`, `'rejected'`, or `'uncertain'`\n- `rationale` (text): a specific explanation\n- certainty: high | low\n- `ready`: `yes` where all holds, else `no`\n\nThen set `done`.",
      },
      {
        kind: 'wr.gate_verdict',
        verdict: 'approved | rejected | uncertain',
        rationale: 'a specific explanation',
        certainty: 'high | low',
        ready: '`yes` where all holds, else `no`',
      },
    ],
    [
      'the fields that a sentence names',
      {
        promptBlocks: {
          goal: 'Set `size`.',
          outputRequired: {
            artifact:
              'A `wr.gate_verdict` artifact with `verdict` set to `clean`, `minor` or `blocking`, `selected_direction` and `openPoints`.',
          },
        },
      },
      {
        kind: 'wr.gate_verdict',
        verdict: 'clean | minor | blocking',
        selected_direction: 'selected direction',
        openPoints: 'openPoints',
      },
    ],
  ])('shows as its example %s', (_, step, example) => {
    const contract = handed('gate_verdict', step);
    expect(contract.example).toEqual(example);
    expect(checkArtifact(contract, contract.example)).toEqual([]);
  });

  it('shows ours where the author names no field, but no word of ours beside the author’s', () => {
    expect(handed('gate_verdict', { prompt: 'Hand back the verdict.' }).example).toEqual({
      kind: 'wr.gate_verdict',
      gate: expect.any(String),
      reason: expect.any(String),
      confidence: 'high',
      conditions: [expect.any(String)],
    });
    expect(handed('gate_verdict', { prompt: 'Decide.' }).example).toMatchObject({ verdict: 'fail' });
  });
});

it('what steers a run holds to its schema', () => {
  expect(checkArtifact(handed('loop_control', {}), { kind: 'wr.loop_control', decision: 'perhaps' })).toMatchObject([
    { pointer: '/decision' },
  ]);
});
