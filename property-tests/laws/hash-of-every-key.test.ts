import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Routines } from '../../src/definitions/expand/compilation.js';
import { compileSource } from '../../src/definitions/compile-source.js';
import { pinWorkflow } from '../../src/definitions/compiled/pin.js';
import { keysOf } from '../worlds/keys-of-format.js';
import { patience, runs } from '../worlds/runs-of-law.js';

const routine = (id: string): string =>
  `workflow: ${id}\nkind: routine\ntitle: ${id}\ndescription: D\ninputs: { x: { type: any, default: 1 }, y: { type: any, default: 2 } }\nsteps: [ { id: in, prompt: "Of ${id}: \${{ inputs.x }}, \${{ inputs.y }}." } ]`;
const routines: Routines = (id) =>
  ['team.r', 'team.s'].includes(id)
    ? { file: id, source: () => undefined, compile: () => compileSource(routine(id), id) }
    : undefined;

/** One workflow with every key of the format in it. */
const whole: JsonObject = {
  workflow: 'team.x',
  title: 'T',
  description: 'D',
  version: '1.0.0',
  kind: 'workflow',
  tags: ['a', 'b'],
  guidance: ['G', 'H'],
  preconditions: ['P'],
  clarify: ['C'],
  recommends: {
    mode: 'guided',
    autonomy: 'guided',
    gateHandling: 'block',
    assumptionPolicy: 'ask_when_missing',
    riskPolicy: 'balanced',
  },
  uses: ['wr.features.capabilities'],
  functions: { rate: { params: ['x'], text: 'Rate {{x}}.' } },
  references: [{ id: 'r', title: 'R', path: 'r.md', purpose: 'P', authoritative: true }],
  assessments: [
    {
      id: 'fit',
      purpose: 'P',
      dimensions: { d: { purpose: 'P', levels: ['low', 'high'], required: false } },
      followUps: [{ level: 'low', guidance: 'G' }],
    },
  ],
  inputs: {
    i: {
      type: 'string',
      required: true,
      description: 'I',
      enum: ['AB', 'B', 'A'],
      pattern: '^[AB]',
      example: 'B',
      default: 'A',
    },
    n: { type: 'integer', minimum: 1, maximum: 9 },
    l: { type: 'array', items: { type: 'string' } },
    p: {
      type: 'string',
      provider: {
        run: 'github repos/list-for-org',
        with: { org: 'acme' },
        items: 'body.items',
        value: 'item.name',
        label: 'item.title',
        on_error: 'stale',
      },
    },
  },
  returns: { r: '${{ outputs.write.status }}', s: 1 },
  meta: { author: 'A' },
  steps: [
    {
      id: 'a',
      title: 'A',
      if: 'inputs.n > 1',
      role: 'R',
      prompt: { goal: 'G', constraints: 'C', procedure: ['one', 'two'], outputs: 'O', verify: ['V'] },
      guidance: ['L'],
      functions: ['rate'],
      assessments: ['fit'],
      sets: {
        k: { type: 'string', description: 'K', enum: ['AB', 'B'], pattern: '^[AB]', example: 'B' },
        m: { type: 'number', minimum: 1, maximum: 9 },
        o: { type: 'array', items: { type: 'object' }, add: true, required: false },
        f: { from: 'output.f' },
      },
      needs: [{ reason: 'needs_user_choice', key: 'c', ask: 'A?' }],
      output: [
        { contract: 'wr.contracts.findings', required: false },
        { kind: 't.k', schema: { properties: { f: { type: 'string' }, g: {} } }, example: { f: 'v' } },
      ],
      rules: [
        { contains: 'a', message: 'M' },
        { matches: 'b', example: 'bb' },
        { minLength: 3, maxLength: 900 },
        { all: [{ contains: 'd' }, { minLength: 4 }] },
        { any: [{ contains: 'e' }, { contains: 'f' }] },
        { not: { contains: 'zzz' } },
      ],
      notes: 'required',
      confirm: { if: 'context.k == "B"' },
      puts: { '/k/${{ context.k }}': 'output.f', '/n': 1 },
    },
    {
      id: 'l',
      foreach: 'context.o',
      as: 'one',
      max: 4,
      line: 'L',
      collect: { got: 'iteration' },
      steps: [{ id: 'b', prompt: 'B' }],
    },
    { id: 'w', while: 'context.m > 1', max: 2, steps: [{ id: 'c', prompt: 'C' }] },
    { id: 'u', until: 'context.m > 1', max: 2, steps: [{ id: 'd', prompt: 'D' }] },
    { id: 'p', repeat: 2, steps: [{ id: 'e', prompt: 'E' }] },
    { id: 't', control: true, max: 3, steps: [{ id: 'f', prompt: 'F' }] },
    { id: 'call', call: 'team.r', with: { x: 2 } },
    {
      id: 'some',
      delegate: [
        { routine: 'team.r', title: 'T', goal: 'G', with: { x: 2 }, if: 'inputs.n > 1' },
        { routine: 'team.s', goal: 'G' },
      ],
    },
    {
      id: 'poll',
      run: 'github GET /repos/{owner}/{repo}',
      with: { owner: 'acme', repo: '${{ inputs.p }}' },
      expect: [200, 404],
      keep: { k: 'body.k' },
      until: 'body.done',
      every: '15s',
      max: 7,
      timeout: '30m',
      retry: { max: 3, on: [429, 'network'], up_to: '60s' },
      confirm: { if: 'inputs.n > 1' },
      secret: true,
    },
    {
      id: 'pages',
      run: 'github GET /search',
      paginate: { by: 'cursor', items: 'body.items', next: 'body.next', param: 'after', max_items: 9, max_pages: 3 },
      on_error: 'continue',
    },
    { id: 'counted', run: 'github GET /list', paginate: { by: 'page', first: 2 } },
    {
      id: 'write',
      run: 'github POST /repos',
      body: { title: 'T' },
      content: 'application/json',
      repeatable: true,
      depends_on: ['poll', 'pages'],
    },
    { id: 'stop', if: '!outputs.write.ok', fail: 'F' },
  ],
};

type Path = readonly (string | number)[];
type Change = readonly [path: Path, to: JsonValue | undefined];
const first = (field: string, to: JsonValue | undefined): Change => [['steps', 0, field], to];

/** For each key a change of what it says. A new key of the format is not in here, and fails the test until somebody says what it changes. */
const changes: { readonly [kind in keyof typeof keysOf]: { readonly [key: string]: Change } } = {
  workflow: {
    workflow: [['workflow'], 'team.y'],
    title: [['title'], 'U'],
    description: [['description'], 'E'],
    version: [['version'], '1.0.1'],
    kind: [['kind'], 'routine'],
    tags: [['tags'], ['b', 'a']],
    guidance: [['guidance'], ['H', 'G']],
    preconditions: [['preconditions'], []],
    clarify: [['clarify'], ['D']],
    recommends: [['recommends'], undefined],
    uses: [['uses'], []],
    functions: [['functions', 'rate', 'text'], 'Weigh {{x}}.'],
    references: [['references'], []],
    assessments: [['assessments', 0, 'purpose'], 'Q'],
    inputs: [['inputs', 'l'], undefined],
    steps: [['steps', 5], undefined],
    returns: [['returns', 's'], 2],
    meta: [['meta', 'author'], 'B'],
  },
  step: {
    id: first('id', 'z'),
    title: first('title', 'B'),
    if: first('if', 'inputs.n > 2'),
    prompt: first('prompt', 'G'),
    call: [['steps', 6, 'call'], 'team.s'],
    with: [['steps', 6, 'with'], { x: 3 }],
    delegate: [['steps', 7, 'delegate', 1], undefined],
    role: first('role', undefined),
    guidance: first('guidance', ['L', 'M']),
    sets: [['steps', 0, 'sets', 'q'], { type: 'any' }],
    needs: first('needs', []),
    confirm: first('confirm', true),
    notes: first('notes', 'encouraged'),
    output: [['steps', 0, 'output', 0], undefined],
    rules: first('rules', []),
    functions: first('functions', []),
    assessments: first('assessments', []),
    puts: [['steps', 0, 'puts', '/n'], 2],
    foreach: [['steps', 1, 'foreach'], 'inputs.l'],
    as: [['steps', 1, 'as'], 'two'],
    line: [['steps', 1, 'line'], 'M'],
    collect: [['steps', 1, 'collect', 'got'], 'size(context.o)'],
    while: [['steps', 2, 'while'], 'context.m > 2'],
    until: [['steps', 3, 'until'], 'context.m > 2'],
    repeat: [['steps', 4, 'repeat'], 3],
    control: [['steps', 5], { id: 't', repeat: 3, max: 3, steps: [{ id: 'f', prompt: 'F' }] }],
    max: [['steps', 2, 'max'], 3],
    steps: [['steps', 2, 'steps', 0, 'prompt'], 'D'],
    run: [['steps', 8, 'run'], 'github GET /repos/{owner}'],
    fail: [['steps', 12, 'fail'], 'G'],
    body: [['steps', 11, 'body', 'title'], 'U'],
    content: [['steps', 11, 'content'], 'text/json'],
    expect: [['steps', 8, 'expect'], 'status == 200'],
    keep: [['steps', 8, 'keep', 'k'], 'body.l'],
    every: [['steps', 8, 'every'], '16s'],
    timeout: [['steps', 8, 'timeout'], '31m'],
    retry: [['steps', 8, 'retry'], undefined],
    paginate: [['steps', 9, 'paginate'], undefined],
    on_error: [['steps', 9, 'on_error'], 'fail'],
    repeatable: [['steps', 11, 'repeatable'], undefined],
    depends_on: [['steps', 11, 'depends_on'], ['poll']],
    secret: [['steps', 8, 'secret'], undefined],
  },
  retry: {
    max: [['steps', 8, 'retry', 'max'], 4],
    on: [['steps', 8, 'retry', 'on'], [503]],
    up_to: [['steps', 8, 'retry', 'up_to'], '61s'],
  },
  paginate: {
    by: [['steps', 10, 'paginate', 'by'], 'offset'],
    items: [['steps', 9, 'paginate', 'items'], 'body.list'],
    next: [['steps', 9, 'paginate', 'next'], 'body.more'],
    param: [['steps', 9, 'paginate', 'param'], 'before'],
    first: [['steps', 10, 'paginate', 'first'], 3],
    max_items: [['steps', 9, 'paginate', 'max_items'], 8],
    max_pages: [['steps', 9, 'paginate', 'max_pages'], 4],
  },
  provider: {
    run: [['inputs', 'p', 'provider', 'run'], 'github repos/list-for-user'],
    with: [['inputs', 'p', 'provider', 'with', 'org'], 'other'],
    items: [['inputs', 'p', 'provider', 'items'], 'body.list'],
    value: [['inputs', 'p', 'provider', 'value'], 'item.id'],
    label: [['inputs', 'p', 'provider', 'label'], undefined],
    on_error: [['inputs', 'p', 'provider', 'on_error'], 'fail'],
  },
  need: {
    reason: [['steps', 0, 'needs', 0, 'reason'], 'needs_user_artifact'],
    key: [['steps', 0, 'needs', 0, 'key'], 'd'],
    ask: [['steps', 0, 'needs', 0, 'ask'], 'B?'],
  },
  rule: {
    contains: [['steps', 0, 'rules', 0, 'contains'], 'aa'],
    message: [['steps', 0, 'rules', 0, 'message'], 'N'],
    matches: [['steps', 0, 'rules', 1, 'matches'], 'b+'],
    example: [['steps', 0, 'rules', 1, 'example'], 'b'],
    minLength: [['steps', 0, 'rules', 2, 'minLength'], 5],
    maxLength: [['steps', 0, 'rules', 2, 'maxLength'], 901],
    all: [['steps', 0, 'rules', 3, 'all', 1], undefined],
    any: [['steps', 0, 'rules', 4, 'any', 1], undefined],
    not: [['steps', 0, 'rules', 5, 'not', 'contains'], 'yyy'],
  },
  output: {
    contract: [['steps', 0, 'output', 0, 'contract'], 'wr.contracts.changed_files'],
    required: [['steps', 0, 'output', 0, 'required'], true],
    kind: [['steps', 0, 'output', 1, 'kind'], 't.l'],
    schema: [['steps', 0, 'output', 1, 'schema'], { properties: { f: {}, g: {} } }],
    example: [['steps', 0, 'output', 1, 'example'], { f: 'w' }],
  },
  blocks: Object.fromEntries(
    ['goal', 'constraints', 'procedure', 'outputs', 'verify'].map((block): [string, Change] => [
      block,
      [['steps', 0, 'prompt', block], 'other'],
    ]),
  ),
  confirm: { if: [['steps', 0, 'confirm', 'if'], 'context.k == "AB"'] },
  delegate: {
    routine: [['steps', 7, 'delegate', 1, 'routine'], undefined],
    title: [['steps', 7, 'delegate', 0, 'title'], 'U'],
    goal: [['steps', 7, 'delegate', 0, 'goal'], 'H'],
    with: [['steps', 7, 'delegate', 0, 'with', 'x'], 3],
    if: [['steps', 7, 'delegate', 0, 'if'], undefined],
  },
  assessment: {
    id: [['assessments', 0, 'id'], 'fits'],
    purpose: [['assessments', 0, 'purpose'], 'Q'],
    dimensions: [['assessments', 0, 'dimensions', 'e'], { purpose: 'E', levels: ['low', 'high'] }],
    followUps: [['assessments', 0, 'followUps'], []],
  },
  dimension: {
    purpose: [['assessments', 0, 'dimensions', 'd', 'purpose'], 'Q'],
    levels: [
      ['assessments', 0, 'dimensions', 'd', 'levels'],
      ['low', 'mid', 'high'],
    ],
    required: [['assessments', 0, 'dimensions', 'd', 'required'], true],
  },
  followUp: {
    level: [['assessments', 0, 'followUps', 0, 'level'], 'high'],
    guidance: [['assessments', 0, 'followUps', 0, 'guidance'], 'H'],
  },
  function: {
    params: [
      ['functions', 'rate', 'params'],
      ['x', 'y'],
    ],
    text: [['functions', 'rate', 'text'], 'Weigh {{x}}.'],
  },
  reference: {
    id: [['references', 0, 'id'], 's'],
    title: [['references', 0, 'title'], 'S'],
    path: [['references', 0, 'path'], 's.md'],
    purpose: [['references', 0, 'purpose'], 'Q'],
    authoritative: [['references', 0, 'authoritative'], false],
  },
  recommends: {
    mode: [['recommends', 'mode'], 'auto_stop'],
    autonomy: [['recommends', 'autonomy'], 'full_auto_never_stop'],
    gateHandling: [['recommends', 'gateHandling'], 'risk_signal'],
    assumptionPolicy: [['recommends', 'assumptionPolicy'], undefined],
    riskPolicy: [['recommends', 'riskPolicy'], 'aggressive'],
  },
  input: {
    type: [['inputs', 'l', 'type'], 'any'],
    description: [['inputs', 'i', 'description'], 'J'],
    enum: [
      ['inputs', 'i', 'enum'],
      ['B', 'A'],
    ],
    pattern: [['inputs', 'i', 'pattern'], '^[ABC]'],
    minimum: [['inputs', 'n', 'minimum'], 2],
    maximum: [['inputs', 'n', 'maximum'], 8],
    example: [['inputs', 'i', 'example'], 'AB'],
    items: [['inputs', 'l', 'items', 'type'], 'number'],
    required: [['inputs', 'i', 'required'], false],
    default: [['inputs', 'i', 'default'], 'B'],
    provider: [['inputs', 'p', 'provider'], undefined],
  },
  value: {
    type: [['steps', 0, 'sets', 'm', 'type'], 'integer'],
    description: [['steps', 0, 'sets', 'k', 'description'], 'L'],
    enum: [
      ['steps', 0, 'sets', 'k', 'enum'],
      ['B', 'AB'],
    ],
    pattern: [['steps', 0, 'sets', 'k', 'pattern'], '^[ABC]'],
    minimum: [['steps', 0, 'sets', 'm', 'minimum'], 2],
    maximum: [['steps', 0, 'sets', 'm', 'maximum'], 8],
    example: [['steps', 0, 'sets', 'k', 'example'], 'AB'],
    items: [['steps', 0, 'sets', 'o', 'items', 'type'], 'any'],
    from: [['steps', 0, 'sets', 'f', 'from'], 'output.g'],
    required: [['steps', 0, 'sets', 'o', 'required'], true],
    add: [['steps', 0, 'sets', 'o', 'add'], undefined],
  },
};

/** What stands in the file alone. */
const outside: ReadonlySet<string> = new Set(['workflow.meta']);

/** Changes that put in what is not there. */
const additions: ReadonlySet<string> = new Set(['step.sets', 'assessment.dimensions']);

/** `type` of a list with `items` cannot be another; what goes with a key goes with its change. */
const together: { readonly [change: string]: readonly Change[] } = {
  'input.type': [[['inputs', 'l', 'items'], undefined]],
  'assessment.id': [first('assessments', ['fits'])],
};

function changed(value: JsonValue | undefined, [key, ...rest]: Path, to: JsonValue | undefined): JsonValue | undefined {
  if (key === undefined) return to;
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap(
      (item, at) => (at === key ? (changed(item, rest, to) ?? []) : [item]) as JsonValue[],
    );
  const record = value as JsonObject;
  const inner = changed(record[key], rest, to);
  return Object.fromEntries([
    ...Object.entries(record).flatMap(([name, item]) =>
      name === key ? (inner === undefined ? [] : [[name, inner] as const]) : [[name, item] as const],
    ),
    ...(Object.hasOwn(record, key) || inner === undefined ? [] : [[key, inner] as const]),
  ]);
}

const hashOf = (text: string): string | undefined => {
  const result = compileSource(text, 'x', routines);
  return result.ok ? pinWorkflow(result.workflow).hash : undefined;
};
const apply = (source: JsonObject, name: string, [path, to]: Change): JsonObject =>
  [[path, to] as const, ...(together[name] ?? [])].reduce<JsonValue>(
    (value, [at, other]) => changed(value, at, other)!,
    source,
  ) as JsonObject;
const all: readonly (readonly [string, Change])[] = Object.entries(changes).flatMap(([kind, keys]) =>
  Object.entries(keys).map(([key, change]) => [`${kind}.${key}`, change] as const),
);

describe('the hash of a workflow', () => {
  it('is asked about every key of the format', () => {
    for (const kind of Object.keys(keysOf) as (keyof typeof keysOf)[])
      expect({ kind, keys: Object.keys(changes[kind]).toSorted() }).toEqual({
        kind,
        keys: [...new Set(keysOf[kind])].toSorted(),
      });
    expect(compileSource(JSON.stringify(whole), 'x', routines)).toMatchObject({ ok: true });
  });

  const before = hashOf(JSON.stringify(whole));
  it.each(all.filter(([name]) => !outside.has(name)))('changes with %s', (name, change) => {
    const result = compileSource(JSON.stringify(apply(whole, name, change)), 'x', routines);
    expect(result.ok ? [] : result.violations.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(result.ok && pinWorkflow(result.workflow).hash).not.toBe(before);
  });

  it('is the same whatever notes stand in the file', () => {
    const [, change] = all.find(([name]) => name === 'workflow.meta')!;
    expect(hashOf(JSON.stringify(apply(whole, 'workflow.meta', change)))).toBe(before);
  });

  const paths = (value: JsonValue, path: Path = []): readonly Path[] => [
    path,
    ...(typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          paths(inner as JsonValue, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : []),
  ];
  /** Parts taken out until what is left is small, or is no workflow any more. */
  const lessened = (cuts: readonly number[]): JsonObject =>
    cuts.reduce<JsonObject>((source, cut) => {
      const places = paths(source).slice(1);
      const less = changed(source, places[cut % places.length]!, undefined) as JsonObject;
      return hashOf(JSON.stringify(less)) === undefined ? source : less;
    }, whole);
  const sources = fc.array(fc.nat(), { maxLength: 12 }).map(lessened);

  it(
    'changes with any of them in whatever is left of a workflow',
    () => {
      fc.assert(
        fc.property(
          sources,
          fc.constantFrom(...all.filter(([name]) => !outside.has(name))),
          (source, [name, change]) => {
            const [path] = change;
            const there = path
              .slice(0, -1)
              .reduce<unknown>(
                (value, key) =>
                  typeof value === 'object' && value !== null
                    ? (value as { readonly [key: string]: unknown })[key]
                    : undefined,
                source,
              );
            // To leave a key out, or to give it what it is when left out, says nothing where it was left out before.
            fc.pre(
              typeof there === 'object' &&
                there !== null &&
                (Object.hasOwn(there, path.at(-1)!) || additions.has(name)),
            );
            const other = hashOf(JSON.stringify(apply(source, name, change)));
            const same = JSON.stringify(apply(source, name, change)) === JSON.stringify(source);
            fc.pre(other !== undefined && !same && !sayNothing.some((rule) => rule(source, name)));
            expect(other).not.toBe(hashOf(JSON.stringify(source)));
          },
        ),
        runs(150),
      );
    },
    patience,
  );

  it(
    'is the same in any order of keys, in YAML and JSON, with comments and in any layout',
    () => {
      const shuffled = (value: JsonValue, turn: number): JsonValue => {
        if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item) => shuffled(item, turn));
        if (typeof value !== 'object' || value === null) return value;
        const entries = Object.entries(value as JsonObject).map(
          ([key, inner]) => [key, shuffled(inner, turn)] as const,
        );
        return Object.fromEntries(
          turn % 2 === 0 ? entries.toReversed() : [...entries.slice(turn % 7), ...entries.slice(0, turn % 7)],
        );
      };
      fc.assert(
        fc.property(
          sources,
          fc.nat({ max: 20 }),
          fc.constantFrom(0, 2, 8),
          fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
          fc.boolean(),
          (source, turn, indent, quotes, flow) => {
            const hash = hashOf(JSON.stringify(source));
            const other = shuffled(source, turn);
            expect(hashOf(JSON.stringify(other, null, indent))).toBe(hash);
            const yaml = stringify(other, {
              defaultStringType: quotes as 'PLAIN',
              collectionStyle: flow ? 'flow' : 'any',
              lineWidth: turn % 2 === 0 ? 0 : 40,
              indent: indent === 8 ? 4 : 2,
            });
            expect(hashOf(`# before\n\n${yaml.replaceAll(/^(?=[a-z]+:)/gmu, '# between\n')}# after\n`)).toBe(hash);
          },
        ),
        runs(60),
      );
    },
    patience,
  );
});

const used = (source: JsonObject, field: string): boolean => JSON.stringify(source['steps']).includes(`"${field}":["`);
/** Changes that say nothing where what would be said by them is not there: nobody is told of an assessment or a function that no step names. */
const sayNothing: readonly ((source: JsonObject, name: string) => boolean)[] = [
  (source, name) => name === 'workflow.recommends' && JSON.stringify(source['recommends']) === '{}',
  (source, name) =>
    /^(?:assessment|dimension|followUp)\.|^workflow\.assessments$/u.test(name) && !used(source, 'assessments'),
  (source, name) => /^function\.|^workflow\.functions$/u.test(name) && !used(source, 'functions'),
];
