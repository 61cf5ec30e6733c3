import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { sha256Hex } from '../../base/digest.js';
import type { WorkflowHash } from '../../base/ids.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import type { CompiledWorkflow } from './compiled-workflow.js';
import { pinWorkflow, readPin } from './pin.js';

const compiled = (text: string): CompiledWorkflow => {
  const result = compileSource(text, 'x');
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
};
const hashOf = (text: string): string => pinWorkflow(compiled(text)).hash;

describe('a pin', () => {
  const source =
    'workflow: team.x\ntitle: T\ndescription: D\nsteps:\n  - id: a\n    prompt: Go.\n    sets: { k: { type: string, enum: [x, y] } }\n';

  it('is read back as it was', () => {
    const workflow = compiled(source);
    const { hash, text } = pinWorkflow(workflow);
    expect(readPin(text, hash)).toEqual({ ok: true, value: workflow });
  });

  it('does not change with comments, order of keys or spelling of defaults', () => {
    const other =
      '# a comment\n{"steps": [{"sets": {"k": {"enum": ["x", "y"], "type": "string"}}, "prompt": "Go.", "confirm": false, "id": "a", "title": "A"}], "title": "T", "description": "D", "workflow": "team.x", "recommends": {}, "kind": "workflow"}';
    expect(hashOf(other)).toBe(hashOf(source));
  });

  it.each([
    ['Go.', 'Go!'],
    ['[x, y]', '[y, x]'],
    ['id: a', 'id: b'],
    ['title: T', 'title: U'],
  ])('changes with meaning: %s to %s', (from, to) => {
    expect(hashOf(source.replace(from, to))).not.toBe(hashOf(source));
  });

  const whole: { readonly [key: string]: JsonValue } = {
    workflow: 'team.x',
    title: 'T',
    description: 'D',
    version: '1.0.0',
    kind: 'routine',
    tags: ['a', 'b'],
    guidance: ['G', 'H'],
    preconditions: ['P'],
    clarify: ['C'],
    recommends: { mode: 'guided', riskPolicy: 'balanced' },
    uses: ['wr.features.capabilities'],
    functions: { rate: { params: ['x'], text: 'Rate {{x}}.' } },
    references: [{ id: 'r', title: 'R', path: 'r.md', purpose: 'P', authoritative: true }],
    assessments: [
      {
        id: 'fit',
        purpose: 'P',
        dimensions: {
          d: { purpose: 'P', levels: ['low', 'high'], required: false },
          a: { purpose: 'Q', levels: ['low', 'mid'] },
        },
        followUps: [{ level: 'low', guidance: 'G' }],
      },
    ],
    inputs: {
      i: { type: 'string', required: true, description: 'I' },
      n: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    },
    steps: [
      {
        id: 'a',
        title: 'A',
        role: 'R',
        prompt: { goal: 'G', procedure: ['one', 'two'] },
        guidance: ['L'],
        functions: ['rate'],
        assessments: ['fit'],
        sets: { k: { type: 'string', enum: ['x', 'y'] }, m: { type: 'number' } },
        needs: [{ reason: 'needs_user_choice', key: 'c', ask: 'A?' }],
        output: [
          { contract: 'wr.contracts.loop_control', required: false },
          { kind: 't.k', schema: { properties: { f: { type: 'string' } } }, example: { f: 'v' } },
        ],
        rules: [{ any: [{ contains: 'a' }, { minLength: 3 }] }, { not: { matches: 'b' } }],
        notes: 'required',
        confirm: { if: 'context.k == "x"' },
      },
      {
        id: 'l',
        foreach: 'context.list',
        as: 'one',
        max: 4,
        if: 'inputs.n > 1',
        steps: [{ id: 'b', prompt: 'B ${{ one }} ${{ inputs.i }}' }],
      },
      { id: 'w', while: 'context.m > 1', max: 2, steps: [{ id: 'c', prompt: 'C' }] },
      {
        id: 't',
        control: true,
        max: 3,
        steps: [{ id: 'e', prompt: 'E', output: { contract: 'wr.contracts.loop_control' } }],
      },
    ],
  };
  const wholeHash = (source: JsonValue): string | undefined => {
    const result = compileSource(JSON.stringify(source), 'x');
    return result.ok ? pinWorkflow(result.workflow).hash : undefined;
  };

  /** Every place in a value, with the value there. */
  const places = (
    value: JsonValue,
    path: readonly (string | number)[] = [],
  ): readonly (readonly (string | number)[])[] => [
    path,
    ...(typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => places(inner as JsonValue, [...path, key]))
      : []),
  ];
  const changedAt = (
    value: JsonValue,
    [key, ...rest]: readonly (string | number)[],
    change: (value: JsonValue) => JsonValue,
  ): JsonValue => {
    if (key === undefined) return change(value);
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item, at) =>
        String(at) === String(key) ? changedAt(item, rest, change) : item,
      );
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([name, inner]) => [
        name,
        name === key ? changedAt(inner, rest, change) : inner,
      ]),
    );
  };
  const mutated = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return `${value}x`;
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'boolean') return !value;
    return Array.isArray(value)
      ? (value as readonly JsonValue[]).slice(0, -1)
      : Object.fromEntries(Object.entries(value as JsonObject).slice(0, -1));
  };

  it('changes with every mutation that is still a workflow', () => {
    const hash = wholeHash(whole);
    expect(hash).toBeDefined();
    let valid = 0;
    for (const path of places(whole)) {
      const other = wholeHash(changedAt(whole, path, mutated));
      if (other === undefined) continue;
      valid += 1;
      expect(other === hash ? path : '', 'this mutation changes nothing').toBe('');
    }
    expect(valid).toBeGreaterThan(80);
  });

  it('changes with the order of what has an order, and of nothing else', () => {
    const reversed = (value: JsonValue): JsonValue =>
      Array.isArray(value)
        ? (value as readonly JsonValue[]).map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .toReversed()
                .map(([key, inner]) => [key, reversed(inner as JsonValue)]),
            )
          : value;
    expect(wholeHash(reversed(whole))).toBe(wholeHash(whole));
    expect(hashOf(`# one comment\n${stringify(whole)}\n# another`)).toBe(wholeHash(whole));
    for (const path of places(whole)) {
      const turned = wholeHash(
        changedAt(whole, path, (value) =>
          Array.isArray(value) ? (value as readonly JsonValue[]).toReversed() : value,
        ),
      );
      const value = path.reduce<unknown>((inner, key) => (inner as { readonly [key: string]: unknown })[key], whole);
      if (Array.isArray(value) && value.length > 1 && turned !== undefined)
        expect(turned === wholeHash(whole) ? path : '').toBe('');
    }
  });

  it('does not depend on the order of keys in any schema', () => {
    const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/u), fc.oneof(fc.integer(), fc.string()), {
      maxKeys: 6,
    });
    fc.assert(
      fc.property(objects, (example) => {
        const turned = Object.fromEntries(Object.entries(example).toReversed());
        const withExample = (value: unknown): string =>
          JSON.stringify({
            workflow: 'team.x',
            steps: [
              {
                id: 'a',
                prompt: 'p',
                output: { kind: 't.k', schema: {}, example: { ...(value as object), kind: 't.k' } },
              },
            ],
          });
        expect(hashOf(withExample(turned))).toBe(hashOf(withExample(example)));
      }),
    );
  });

  it('is refused when its bytes, its form or its version are not what they should be', () => {
    const { hash, text } = pinWorkflow(compiled(source));
    const pinned = (value: string): ReturnType<typeof readPin> => readPin(value, sha256Hex(value) as WorkflowHash);
    expect(readPin(`${text} `, hash)).toMatchObject({ ok: false, error: expect.stringContaining('digest') });
    expect(pinned(text.replace('"compiled":1', '"compiled":3'))).toMatchObject({
      ok: false,
      error: expect.stringContaining('newer WorkRail'),
    });
    expect(pinned(text.replace('"compiled":1', '"compiled":1,"more":1'))).toMatchObject({ ok: false });
    expect(pinned('nonsense')).toMatchObject({ ok: false });
    expect(pinned('null')).toMatchObject({ ok: false });
  });

  it('keeps a __proto__ key as the plain key it is', () => {
    const text = pinWorkflow(
      compiled(
        '{"workflow":"team.x","steps":[{"id":"a","prompt":"p","output":{"kind":"t.k","schema":{},"example":{"own":1}}}]}',
      ),
    ).text.replace('"kind":"t.k","own":1', '"__proto__":{"a":1},"kind":"t.k"');
    const read = readPin(text, sha256Hex(text) as WorkflowHash);
    expect(read.ok && pinWorkflow(read.value).text).toBe(text);
  });
});
