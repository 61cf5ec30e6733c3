import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../base/json-value.js';
import { checkExpression } from './check-expression.js';
import { contextReads } from './context-reads.js';
import { evaluate, evaluateCondition, type Scope } from './expression.js';

const scope = (context: Scope['context'], more: Partial<Scope> = {}): Scope => ({
  inputs: {},
  context,
  outputs: {},
  names: {},
  ...more,
});
const valueOf = (source: string, context: Scope['context'] = {}, more: Partial<Scope> = {}): JsonValue => {
  const result = evaluate(source, scope(context, more));
  if (!result.ok) throw new Error(result.message);
  return result.value;
};

describe('evaluate', () => {
  it.each<[string, JsonValue, Scope['context']]>([
    ['context.n + 1', 8, { n: 7 }],
    ['context.n == 1.0', true, { n: 1 }],
    ['context.n > 0 && size(context.list) > context.n', true, { n: 1, list: [1, 2] }],
    ['size(context.list) == 0', true, { list: [] }],
    ['context.n / 2', 3.5, { n: 7 }],
    ['7 / 2', 3, {}],
    ['context.n % 2 == 1', true, { n: 7 }],
    ['-context.n', -7, { n: 7 }],
    ['"n: " + context.n', 'n: 7', { n: 7 }],
    ['context.n == 3', true, { n: '3' }],
    ['context.n > 2.5', true, { n: '3' }],
    ['context.n == 3', false, { n: 'three' }],
    ['context.n in [1, 2, 3]', true, { n: 3 }],
    ['context["a key"]', 1, { 'a key': 1 }],
    ['context.list[context.at]', 'b', { list: ['a', 'b'], at: 1 }],
    ['has(context.x)', false, {}],
    ['has(context.x.y)', false, {}],
    ['has(context.x.y)', true, { x: { y: null } }],
    ['has(context["x"])', true, { x: 0 }],
    ['!has(context.x) || context.x > 1', true, {}],
    ['context.x || true', true, {}],
    ['context.x && false', false, {}],
    ['context.list.exists(x, x.open)', true, { list: [{ open: false }, { open: true }] }],
    ['context.list.all(x, x > 1)', false, { list: [1, 2] }],
    ['context.list.filter(x, x > 1).map(y, y * 2)', [4], { list: [1, 2] }],
    ['context.list.map(x, x > 1, x + 10)', [12], { list: [1, 2] }],
    ['context.list.exists_one(x, x == 2)', true, { list: [1, 2] }],
    ['context.text.matches("^a+$")', true, { text: 'aaa' }],
    ['context.list.join(", ")', 'a, b', { list: ['a', 'b'] }],
    ['context.map == {"a": 1, "b": [2]}', true, { map: { b: [2], a: 1 } }],
    ['"b" in context', true, { b: 1 }],
    ['context.on ? "yes" : "no"', 'no', { on: false }],
    ['int("42") + int(1.9)', 43, {}],
    ['"äöü".size()', 3, {}],
  ])('%s is %j', (source, value, context) => {
    expect(valueOf(source, context)).toEqual(value);
  });

  it('tells a context key that is not set from every other failure', () => {
    expect(evaluate('context.complexity == "Large"', scope({}))).toEqual({
      ok: false,
      missing: 'complexity',
      message: 'the context key `complexity` is not set',
    });
    expect(evaluate('context["complexity"]', scope({}))).toMatchObject({ missing: 'complexity' });
    expect(evaluate('context.a.b', scope({ a: {} }))).toEqual({ ok: false, message: '`context.a` has no member `b`' });
    expect(evaluate('inputs.ticket', scope({}))).toEqual({ ok: false, message: 'the input `ticket` was not given' });
    expect(evaluate('outputs.triage', scope({}))).toEqual({
      ok: false,
      message: 'step `triage` has no output on this path',
    });
    expect(evaluate('iteration', scope({}))).not.toHaveProperty('missing');
    expect(evaluate('context.n > 3', scope({ n: 'many' }))).toEqual({
      ok: false,
      message: 'compares the text "many" with the number 3',
    });
    expect(evaluate('constructor', scope({}))).toMatchObject({ ok: false });
    expect(evaluate('context.constructor', scope({}))).toMatchObject({ missing: 'constructor' });
    expect(evaluate('context.__proto__', scope({}))).toMatchObject({ missing: '__proto__' });
  });

  it('reads loop variables before the roots, and a macro variable before both', () => {
    expect(valueOf('area.name + iteration', {}, { names: { area: { name: 'api' } }, iteration: 2 })).toBe('api2');
    expect(valueOf('[1].map(area, area)', {}, { names: { area: 5 } })).toEqual([1]);
  });

  it('wants a condition to be true or false', () => {
    expect(evaluateCondition('context.n', scope({ n: 1 }))).toEqual({
      ok: false,
      message: 'a condition must be true or false; `context.n` is a number',
    });
    expect(evaluateCondition('context.n > 0', scope({ n: 1 }))).toEqual({ ok: true, value: true });
  });

  it('ends however much work an expression asks for', () => {
    const list = Array.from({ length: 2000 }, (_, n) => n);
    const nested = 'context.list.map(a, context.list.map(b, context.list.map(c, a + b + c)))';
    expect(evaluate(nested, scope({ list }))).toMatchObject({
      ok: false,
      message: expect.stringContaining('too much work'),
    });
    const doubled = `["aaaaaaaa"]${'.map(x, x + x)'.repeat(60)}`;
    expect(evaluate(doubled, scope({}))).toMatchObject({
      ok: false,
      message: expect.stringContaining('too much work'),
    });
    expect(evaluate('context.t.matches("(a+)+$")', scope({ t: `${'a'.repeat(50_000)}b` }))).toEqual({
      ok: true,
      value: false,
    });
    expect(evaluate('('.repeat(30_000), scope({}))).toMatchObject({ ok: false });
    expect(evaluate('!'.repeat(30_000) + 'true', scope({}))).toBeDefined();
    expect(evaluate(`"${'x'.repeat(40_000)}"`, scope({}))).toMatchObject({ ok: false });
    const failing = 'context.list.exists(a, context.list.exists(b, context.list.exists(c, a.x)))';
    expect(evaluate(failing, scope({ list }))).toMatchObject({ ok: false });
  });

  const thousand = Array.from({ length: 1000 }, (_, n) => n);
  const heavy = {
    list: thousand,
    texts: thousand.map((n) => `${n} ${'x'.repeat(200)}`),
    text: 'ab '.repeat(20_000),
    map: Object.fromEntries(thousand.map((n) => [`k${n}`, n])),
  };
  /** Milliseconds of work: a loaded machine takes longer for the same. */
  const worked = (): number => process.cpuUsage().user / 1000;

  it('ends soon whatever is nested over long lists and texts', () => {
    const source = fc.letrec<{ list: string; any: string; test: string }>((tie) => ({
      list: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom('context.list', 'context.texts', 'context.map', '[v, w]'),
        fc
          .tuple(tie('list'), fc.constantFrom('v', 'w'), tie('any'))
          .map(([list, name, body]) => `${list}.map(${name}, ${body})`),
        fc
          .tuple(tie('list'), fc.constantFrom('v', 'w'), tie('test'))
          .map(([list, name, body]) => `${list}.filter(${name}, ${body})`),
        fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
        tie('any').map((any) => `[${any}, ${any}, ${any}]`),
        fc.constant('context.text.split("b")'),
      ),
      any: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom(
          'v',
          'w',
          'context.text',
          'context.list',
          'size(context.map)',
          'string(v)',
          'context.text.lowerAscii()',
          'context.text.indexOf("q")',
          'context.text + string(w)',
        ),
        tie('list'),
        tie('test'),
        tie('list').map((list) => `string(${list})`),
        tie('list').map((list) => `${list}.join(context.text)`),
      ),
      test: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom(
          'v == w',
          'context.text == context.text + ""',
          'context.text.matches("[a-z]{1,200}[0-9]")',
          'string(v).matches(string(w) + "[a-z]+")',
          'size(context.text) > v',
          'v in context.list',
          'context.texts == context.texts',
          'wr_contains(context.texts, "q")',
          'wr_equals(context.text, v)',
          'context.text < string(v)',
          'v.missing',
        ),
        fc
          .tuple(tie('list'), fc.constantFrom('all', 'exists', 'exists_one'), fc.constantFrom('v', 'w'), tie('test'))
          .map(([list, macro, name, body]) => `${list}.${macro}(${name}, ${body})`),
        fc.tuple(tie('test'), tie('test')).map(([a, b]) => `(${a} || ${b})`),
      ),
    }));
    let ended = 0;
    fc.assert(
      fc.property(fc.oneof(source.list, source.test, source.any), (expression) => {
        const began = worked();
        const result = evaluate(expression, { ...scope(heavy), names: { v: 1, w: 2 } });
        expect(worked() - began).toBeLessThan(3000);
        if (!result.ok && result.message.includes('too much work')) ended += 1;
        else if (result.ok) expect(JSON.stringify(result.value).length).toBeLessThan(16_000_000);
      }),
      { numRuns: 150 },
    );
    expect(ended).toBeGreaterThan(0);
  }, 120_000);

  it.each([
    [
      'lists that hold the same list many times',
      `[context.list.map(a, context.list)]${'.map(m, [m, m, m, m, m, m, m, m, m, m])'.repeat(5)}`,
    ],
    [
      'texts that hold the same text many times',
      `[context.text]${'.map(m, [m, m, m, m, m, m, m, m, m, m])'.repeat(6)}`,
    ],
    ['their text', `string([context.list.map(a, context.list)]${'.map(m, [m, m, m, m, m, m, m, m, m, m])'.repeat(5)})`],
    [
      'looking through a long text for each of many',
      'context.list.all(a, context.list.all(b, context.text.trim() != ""))',
    ],
    [
      'a pattern for each of many',
      'context.list.exists(a, context.list.exists(b, context.text.matches(string(a * 1000 + b) + "[0-9]{1,300}x")))',
    ],
  ])('ends soon with %s', (_, expression) => {
    const began = worked();
    expect(evaluate(expression, scope(heavy))).toMatchObject({
      ok: false,
      message: expect.stringContaining('too much work'),
    });
    expect(worked() - began).toBeLessThan(3000);
  });

  it('ends for many expressions together as it does for one', () => {
    const meter = { left: 3_000_000 };
    const at = { ...scope(heavy), meter };
    const work = 'context.list.all(a, context.list.exists(b, b == a))';
    const began = worked();
    const results = Array.from({ length: 1000 }, () => evaluate(work, at));
    expect(results.every(({ ok }) => !ok)).toBe(true);
    expect(evaluate('1 + 1', at)).toMatchObject({ ok: false });
    expect(evaluate('1 + 1', scope({}))).toEqual({ ok: true, value: 2 });
    expect(worked() - began).toBeLessThan(3000);
  });

  it('gives back any JSON value unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as JsonValue;
        expect(valueOf('context.x', { x: plain })).toEqual(plain);
        expect(valueOf('context.x == context.y', { x: plain, y: plain })).toBe(true);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (source) => {
        evaluate(source, scope({ a: 1 }));
        checkExpression(source, { inputs: new Set(), steps: new Set(), variables: new Set() });
        contextReads(source);
      }),
    );
  });
});

describe('checkExpression', () => {
  const names = { inputs: new Set(['ticket']), steps: new Set(['triage']), variables: new Set(['area']) };
  it.each([
    ['inputs.tickt == ""', 'ticket'],
    ['outputs.triag.notes', 'triage'],
    ['ticket == ""', 'inputs.ticket'],
    ['aera.name == ""', 'area'],
    ['contxt.x', 'context'],
    ['context.x.startswith("a")', 'startsWith'],
  ])('%s: did you mean %s', (source, closest) => {
    expect(checkExpression(source, names)).toEqual([{ message: expect.any(String), closest }]);
  });
  it.each([
    'inputs.ticket.matches("(?=a)")',
    '1 +',
    'iteration > 1',
    'size()',
    'loop.x',
    'context.list.map(1, 2)',
    'b"x"',
  ])('refuses %s', (source) => {
    expect(checkExpression(source, names)).toHaveLength(1);
  });
  it.each(['area.x', 'context.whatever', 'context.list.map(x, x.y)', 'has(outputs.triage)'])('accepts %s', (source) => {
    expect(checkExpression(source, names)).toEqual([]);
  });
});

describe('contextReads', () => {
  it('tells keys, the values they are compared with, and what has() guards', () => {
    expect(contextReads('context.complexity == "Large" && context.n > 0')).toEqual([
      { key: 'complexity', values: ['Large'], type: 'string', guarded: false },
      { key: 'n', values: [0], type: 'number', guarded: false },
    ]);
    expect(contextReads('context.size in ["a", "b"]')).toEqual([
      { key: 'size', values: ['a', 'b'], type: 'string', guarded: false },
    ]);
    expect(contextReads('has(context.x) && context.x')).toEqual([
      { key: 'x', values: [], type: 'boolean', guarded: true },
    ]);
    expect(contextReads('has(context.x) && context.x < 1')).toEqual([
      { key: 'x', values: [1], type: 'number', guarded: true },
    ]);
    expect(contextReads('context.list.exists(x, x > 1)')).toEqual([
      { key: 'list', values: [], type: 'array', guarded: false },
    ]);
    expect(contextReads('[1].exists(context, context.x)')).toEqual([]);
    expect(contextReads('inputs.context == 1')).toEqual([]);
  });
});
