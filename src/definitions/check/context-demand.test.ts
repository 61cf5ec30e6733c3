import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { compileSource } from '../compile-source.js';
import type { CompiledStep, CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { contextDemand } from './context-demand.js';
import { evaluate, evaluateCondition, type Scope } from '../expression/expression.js';
import { checkValue } from '../contracts/value-spec.js';

const compiled = (steps: string | object): CompiledWorkflow => {
  const result = compileSource(
    typeof steps === 'string' ? `workflow: team.x\nsteps:\n${steps}` : JSON.stringify({ workflow: 'team.x', steps }),
    'x',
  );
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.workflow;
};

describe('contextDemand', () => {
  it('names what a step sets, and what depends on it', () => {
    const workflow = compiled(`
  - { id: one, prompt: p, sets: { size: { type: string, enum: [S, L] }, more: { type: integer } } }
  - { id: two, if: context.size == "L", title: Read every file, prompt: p }
  - { id: fix, title: Fix, while: context.more > 0, max: 3, steps: [ { id: mend, prompt: "Left: \${{ context.more }}", sets: { more: { type: integer } } } ] }
`);
    expect(contextDemand(workflow, 'one')).toEqual([
      {
        key: 'size',
        spec: { type: 'string', enum: ['S', 'L'] },
        example: 'S',
        declared: true,
        required: true,
        neededBy: ['whether step “Read every file” runs'],
      },
      {
        key: 'more',
        spec: { type: 'integer' },
        example: 0,
        declared: true,
        required: true,
        neededBy: ['whether loop “Fix” runs', 'the prompt of step “Mend”'],
      },
    ]);
    expect(contextDemand(workflow, 'mend')).toMatchObject([
      { key: 'more', declared: true, neededBy: ['whether loop “Fix” goes on', 'the prompt of step “Mend”'] },
    ]);
    expect(contextDemand(workflow, 'fix')).toEqual([]);
  });

  it('asks for keys nobody declares: of every step before the reader, and firmly of the last one', () => {
    const workflow = compiled(`
  - { id: one, prompt: p }
  - { id: two, prompt: p }
  - { id: three, if: context.size == "L" || context.size == "M", prompt: p }
  - { id: four, if: has(context.extra) && context.extra, prompt: p }
`);
    expect(contextDemand(workflow, 'one')).toMatchObject([
      { key: 'size', declared: false, required: false, spec: { type: 'string', example: 'L' } },
      { key: 'extra', required: false },
    ]);
    expect(contextDemand(workflow, 'two')).toMatchObject([
      { key: 'size', declared: false, required: true },
      { key: 'extra', required: false, spec: { type: 'boolean' } },
    ]);
    expect(contextDemand(workflow, 'three')).toMatchObject([{ key: 'extra', required: false }]);
    expect(contextDemand(workflow, 'four')).toEqual([]);
  });

  it.each([
    [
      'a list that a loop goes over',
      '{ type: array }',
      'foreach: context.x, as: area',
      '"${{ area.name }}, ${{ area.size.lines }}"',
      [{ name: '…', size: { lines: '…' } }],
    ],
    ['the elements as they are', '{ type: array }', 'foreach: context.x', '"${{ item }}"', ['…']],
    [
      'the elements’ declared type',
      '{ type: array, items: { type: integer, minimum: 3 } }',
      'foreach: context.x',
      '"${{ item }}"',
      [3],
    ],
    [
      'objects that say nothing of themselves',
      '{ type: array, items: { type: object } }',
      'foreach: context.x',
      '"${{ item.name }}"',
      [{ name: '…' }],
    ],
    [
      'what its elements are compared with',
      '{ type: array }',
      'if: "context.x.exists(y, y.risk == \\"high\\" && y.open)"',
      'p',
      [{ risk: 'high', open: true }],
    ],
    [
      'a list in an object',
      '{ type: object }',
      'foreach: context.x.slices',
      '"${{ item.title }} ${{ context.x.name }}"',
      { slices: [{ title: '…' }], name: '…' },
    ],
    [
      'a list in a list',
      '{ type: array }',
      'foreach: context.x, as: a',
      '"${{ a.parts.map(p, p.no * 2) }} ${{ context.x[0].last }}"',
      [{ parts: [{ no: 1 }], last: '…' }],
    ],
    ['its author’s own', '{ type: array, example: [] }', 'foreach: context.x', '"${{ item.name }}"', []],
    [
      'a variable of the same name',
      '{ type: array }',
      'foreach: "context.x.filter(context, context.size > 1)"',
      'p',
      [{ size: 1 }],
    ],
  ])('shows %s', (_, spec, loop, prompt, example) => {
    const body = loop.startsWith('if')
      ? `${loop}, prompt: ${prompt}`
      : `${loop}, steps: [ { id: c, prompt: ${prompt} } ]`;
    const workflow = compiled(`  - { id: a, prompt: p, sets: { x: ${spec} } }\n  - { id: b, ${body} }\n`);
    const [demand] = contextDemand(workflow, 'a');
    expect(demand?.example).toEqual(example);
    expect(checkValue(demand!.spec, demand!.example)).toEqual([]);
  });

  it('makes the same of a list that nobody declares', () => {
    expect(
      contextDemand(
        compiled(
          '  - { id: a, prompt: p }\n  - { id: b, foreach: context.x, steps: [ { id: c, prompt: "${{ item.name }}" } ] }\n',
        ),
        'a',
      ),
    ).toMatchObject([{ key: 'x', declared: false, required: true, spec: { type: 'array' }, example: [{ name: '…' }] }]);
  });

  it('says where a step that comes first may be the better one to ask', () => {
    const workflow = compiled(`
  - { id: one, prompt: p }
  - { id: plan, if: has(context.large), prompt: p }
  - { id: each, title: Each, foreach: context.slices, as: slice, steps: [ { id: do, prompt: p } ] }
`);
    expect(contextDemand(workflow, 'one')).toMatchObject([
      { key: 'large' },
      {
        key: 'slices',
        required: true,
        neededBy: ['what loop “Each” goes over (leave it out where another step comes first)'],
      },
    ]);
    expect(contextDemand(workflow, 'plan')).toMatchObject([
      { key: 'slices', required: true, neededBy: ['what loop “Each” goes over'] },
    ]);
  });

  it('does not rely on a step that may be skipped', () => {
    const workflow = compiled(`
  - { id: one, prompt: p, sets: { size: { type: string } } }
  - { id: perhaps, if: context.size == "L", prompt: p, sets: { depth: { type: integer } } }
  - { id: three, if: context.depth > 1, prompt: p }
`);
    expect(contextDemand(workflow, 'one')).toMatchObject([
      { key: 'size', declared: true },
      { key: 'depth', declared: false, required: false, spec: { type: 'integer' } },
    ]);
  });
});

/**
 * A naive walk in place of the engine: whoever sets, at every prompt step, the keys it is asked for is never stopped
 * by a key that is not set.
 */
function walk(workflow: CompiledWorkflow): { readonly steps: number; readonly missing: readonly string[] } {
  let context: JsonObject = {};
  let steps = 0;
  const missing: string[] = [];
  const failed = (result: { readonly missing?: string; readonly message: string }): void => {
    missing.push(result.missing ?? result.message);
  };
  const holds = (source: string, scope: Scope, otherwise: boolean): boolean => {
    const result = evaluateCondition(source, scope);
    if (!result.ok) failed(result);
    return result.ok ? result.value : otherwise;
  };
  const visit = (list: readonly CompiledStep[], names: JsonObject, iteration: number | undefined): void => {
    const scope = (more: Partial<Scope> = {}): Scope => ({
      inputs: {},
      outputs: {},
      context,
      names,
      ...(iteration === undefined ? {} : { iteration }),
      ...more,
    });
    for (const step of list) {
      if (step.if !== undefined && !holds(step.if, scope(), false)) continue;
      if (step.kind === 'group') visit(step.steps, names, iteration);
      else if (step.kind === 'prompt') {
        steps += 1;
        context = {
          ...context,
          ...Object.fromEntries(
            contextDemand(workflow, step.id)
              .filter(({ key, declared }) => declared || !Object.hasOwn(context, key))
              .map(({ key, example }) => [key, example]),
          ),
        };
      } else if (step.kind === 'loop') {
        const { loop } = step;
        if (loop.type === 'foreach' || loop.type === 'repeat') {
          const value: { ok: true; value: JsonValue } | ReturnType<typeof evaluate> =
            loop.type === 'repeat' && typeof loop.times === 'number'
              ? { ok: true, value: loop.times }
              : evaluate(loop.type === 'foreach' ? loop.list : String(loop.times), scope());
          if (!value.ok) failed(value);
          const items =
            value.ok && Array.isArray(value.value)
              ? (value.value as JsonValue[])
              : Array.from({ length: value.ok ? Number(value.value) : 0 }, () => null);
          items
            .slice(0, step.max)
            .forEach((item, at) =>
              visit(step.steps, loop.type === 'foreach' ? { ...names, [loop.as]: item } : names, at + 1),
            );
        } else {
          const goesOn = (at: number): boolean =>
            loop.type !== 'while' || holds(loop.test, scope({ iteration: at }), false);
          const isDone = (at: number): boolean =>
            loop.type === 'until' && holds(loop.test, scope({ iteration: at }), true);
          for (let at = 1, done = false; at <= step.max && !done && goesOn(at); at += 1) {
            visit(step.steps, names, at);
            done = isDone(at);
          }
        }
      }
    }
  };
  visit(workflow.steps, {}, undefined);
  return { steps, missing };
}

describe('an agent that sets what it is asked for', () => {
  const key = fc.constantFrom('k', 'l', 'm');
  const condition = fc.oneof(
    key.map((name) => `context.${name} > 0`),
    key.map((name) => `context.${name} == 0`),
    fc.tuple(key, key).map(([a, b]) => `has(context.${a}) && context.${b} < 1`),
    fc.constantFrom(
      'context.areas.exists(a, a.files.exists(f, f.lines > 2))',
      'context.o.deep.done',
      'context.o.name.startsWith("a")',
      'context.areas[0].files[0].name != ""',
      'size(context.areas) > 1',
    ),
  );
  const plain = fc.record(
    {
      prompt: fc.constant('p'),
      if: condition,
      sets: fc.dictionary(key, fc.record({ type: fc.constant('integer'), example: fc.integer({ min: 0, max: 1 }) }), {
        maxKeys: 2,
      }),
    },
    { requiredKeys: ['prompt'] },
  );
  const steps = fc.letrec<{ step: object; list: readonly object[] }>((tie) => ({
    list: fc.array(tie('step'), { minLength: 1, maxLength: 4 }),
    step: fc.oneof(
      { depthSize: 'small', maxDepth: 7, withCrossShrink: true },
      plain,
      fc.record({ steps: tie('list'), if: condition }, { requiredKeys: ['steps'] }),
      fc.record(
        { steps: tie('list'), while: condition, max: fc.constant(2), if: condition },
        { requiredKeys: ['steps', 'while', 'max'] },
      ),
      fc.record({ steps: tie('list'), until: condition, max: fc.constant(2) }),
      fc.record({ steps: tie('list'), repeat: fc.constantFrom(0, 2, 'context.k') }),
      fc.record({
        steps: tie('list'),
        foreach: fc.constantFrom(
          '[1, 2]',
          '[]',
          '[context.k]',
          'context.o.parts',
          'context.areas',
          'context.areas.filter(a, a.open)',
          'context.areas.map(a, a.files[0].lines + context.k)',
        ),
      }),
    ),
  })).list;
  let count = 0;
  const numbered = (list: readonly object[]): object[] =>
    list.map((step) => {
      const number = (count += 1);
      const inner = 'steps' in step ? { steps: numbered(step.steps as object[]) } : {};
      return { id: `s${number}`, ...step, ...inner, ...('foreach' in step ? { as: `v${number}` } : {}) };
    });

  it('is never stopped by a key that is not set', () => {
    fc.assert(
      fc.property(steps, (list) => {
        count = 0;
        const workflow = compiled([{ id: 'first', prompt: 'p' }, ...numbered(list)]);
        expect(walk(workflow).missing).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
