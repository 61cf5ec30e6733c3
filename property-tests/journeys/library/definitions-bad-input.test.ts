import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Compilation, Routines } from '../../../src/definitions/expand/compilation.js';
import { compileSource } from '../../../src/definitions/compile-source.js';
import { limits } from '../../../src/base/limits.js';
import type { Violation } from '../../../src/definitions/source/violation.js';
import type { LibraryEntry } from '../../../src/library/library-entry.js';
import { openLibrary } from '../../../src/library/workflow-library.js';

/** Sources by id, each compiled when it is asked for. */
function routinesOf(sources: { readonly [id: string]: string }): Routines {
  const open = new Set<string>();
  const find: Routines = Object.assign(
    (id: string) =>
      Object.hasOwn(sources, id)
        ? {
            file: `${id}.yaml`,
            source: () => undefined,
            compile: () => {
              if (open.has(id)) return undefined;
              open.add(id);
              const compilation = compileSource(sources[id]!, `${id}.yaml`, find);
              open.delete(id);
              return compilation;
            },
          }
        : undefined,
    { ids: () => Object.keys(sources) },
  );
  return find;
}

const compile = (text: string, sources: { readonly [id: string]: string } = {}): Compilation =>
  compileSource(
    text,
    'main.yaml',
    routinesOf({ ...sources, ...(/^workflow: team\.main$/mu.test(text) && { 'team.main': text }) }),
  );
const errorsOf = (compilation: Compilation): readonly Violation[] =>
  compilation.ok ? [] : compilation.violations.filter(({ severity }) => severity === 'error');
const workflow = (steps: string, head = ''): string =>
  `workflow: team.main\ndescription: Use this.\n${head}steps:\n${steps}`;
const routine = (id: string, call: string): string =>
  `workflow: ${id}\nkind: routine\ndescription: D\nsteps:\n  - { id: a, call: ${call} }\n`;

interface Case {
  readonly name: string;
  readonly text: string;
  readonly sources?: { readonly [id: string]: string };
  readonly rule: string;
  readonly at: readonly [line: number, column: number];
  /** A piece of the message, or of what was expected, that tells what to do. */
  readonly remedy: string;
}

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
  .split('')
  .map((key, at) => `${key}: &${key} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[at]!}`).join(',')}]`)
  .join('\n')}\n`;

const cases: readonly Case[] = [
  {
    name: 'a YAML bomb',
    text: bomb,
    rule: 'yaml_aliases',
    at: [2, 8],
    remedy: 'write them out, or move what repeats into a routine',
  },
  {
    name: 'an alias inside of its own anchor',
    text: 'workflow: &a [ *a ]',
    rule: 'depth',
    at: [1, 1],
    remedy: 'do not use an alias inside its own anchor',
  },
  {
    name: 'a call of itself',
    text: workflow('  - { id: a, prompt: p }\n  - { id: c, call: team.main }\n'),
    rule: 'call_cycle',
    at: [5, 20],
    remedy: 'calls must not form a cycle',
  },
  {
    name: 'a circle of calls',
    text: workflow('  - { id: c, call: team.r }\n'),
    sources: { 'team.r': routine('team.r', 'team.s'), 'team.s': routine('team.s', 'team.r') },
    rule: 'call_cycle',
    at: [4, 20],
    remedy: 'calls must not form a cycle',
  },
  {
    name: 'a delegate that leads back',
    text: workflow('  - { id: c, delegate: [ { routine: team.main, goal: G } ] }\n'),
    rule: 'call_cycle',
    at: [4, 37],
    remedy: 'calls must not form a cycle',
  },
  {
    name: 'a routine that is not there',
    text: workflow('  - { id: c, call: team.reveiw }\n'),
    sources: { 'team.review': routine('team.review', 'x') },
    rule: 'routine',
    at: [4, 20],
    remedy: 'did you mean `team.review`?',
  },
  {
    name: 'a step id twice',
    text: workflow('  - { id: a, prompt: p }\n  - { id: b, steps: [ { id: a, prompt: p } ] }\n'),
    rule: 'duplicate_id',
    at: [5, 29],
    remedy: 'give one of them another id',
  },
  {
    name: 'a key twice',
    text: workflow('  - id: a\n    prompt: p\n    prompt: q\n'),
    rule: 'duplicate_key',
    at: [6, 5],
    remedy: 'remove one of them',
  },
  {
    name: 'an id that is none',
    text: workflow('  - { id: a, prompt: p }\n').replace('team.main', 'Team Main'),
    rule: 'format',
    at: [1, 11],
    remedy: 'namespace.name, each of lower-case letters',
  },
  {
    name: 'a contract that does not exist',
    text: workflow('  - { id: a, prompt: p, output: { contract: wr.contracts.review_heder } }\n'),
    rule: 'contract',
    at: [4, 45],
    remedy: 'wr.contracts.review_header',
  },
  {
    name: 'a feature that does not exist',
    text: workflow('  - { id: a, prompt: p }\n', 'uses: [ wr.features.capability ]\n'),
    rule: 'feature',
    at: [3, 9],
    remedy: 'wr.features.capabilities',
  },
  {
    name: 'a hole in flow style',
    text: workflow('  - { id: a, call: team.r, with: { a: ${{ inputs.x }} } }\n'),
    rule: 'yaml',
    at: [4, 39],
    remedy: 'write `"${{ inputs.x }}"`',
  },
  {
    name: 'a hole in flow style, several lines on',
    text: workflow('  - { id: a,\n      call: team.r,\n      with: { b: 1,\n        a: [ ${{ inputs.x }} ] } }\n'),
    rule: 'yaml',
    at: [7, 14],
    remedy: 'write `"${{ inputs.x }}"`',
  },
  {
    name: 'a hole inside of a text in flow style',
    text: workflow('  - { id: a, title: Look at ${{ inputs.x }} and ${{ inputs.y }}, prompt: p }\n'),
    rule: 'yaml',
    at: [4, 21],
    remedy: 'write `"Look at ${{ inputs.x }} and ${{ inputs.y }}"`',
  },
  {
    name: 'a comma in flow style',
    text: workflow('  - { id: a, title: Read, judge, decide, prompt: p }\n'),
    rule: 'unknown_key',
    at: [4, 27],
    remedy: '`title: "Read, judge"`',
  },
  {
    name: 'a comma in a need',
    text: workflow(
      '  - id: a\n    prompt: p\n    needs: [ { reason: needs_user_choice, key: k, ask: Which one, please } ]\n',
    ),
    rule: 'unknown_key',
    at: [6, 67],
    remedy: '`ask: "Which one, please"`',
  },
  {
    name: 'a comma in a schema',
    text: workflow(
      '  - id: a\n    prompt: p\n    output:\n      kind: team.r\n      example: { level: high }\n      schema:\n        type: object\n        properties: { level: { type: string, description: high, low, or none } }\n',
    ),
    rule: 'unknown_key',
    at: [11, 65],
    remedy: '`description: "high, low"`',
  },
  {
    name: 'mustache in a prompt',
    text: workflow('  - id: a\n    prompt: |\n      Do it.\n      Then {{ inputs.x }}.\n'),
    rule: 'template',
    at: [7, 12],
    remedy: 'a hole is written `${{ inputs.x }}`',
  },
  {
    name: 'mustache in a title',
    text: workflow('  - { id: a, title: "Look at {{x}}", prompt: p }\n'),
    rule: 'template',
    at: [4, 30],
    remedy: 'a hole is written',
  },
  {
    name: 'mustache without quotes',
    text: workflow('  - id: a\n    prompt: {{ inputs.x }} and more\n'),
    rule: 'yaml',
    at: [5, 13],
    remedy: 'write `"${{ inputs.x }} and more"`',
  },
  {
    name: 'mustache for an expression',
    text: workflow('  - id: a\n    prompt: p\n    if: "{{ context.done }} == false"\n'),
    rule: 'expression',
    at: [6, 10],
    remedy: 'write it without `${{ }}`',
  },
  {
    name: 'a hole for an expression',
    text: workflow('  - id: a\n    prompt: p\n    if: ${{ context.done }}\n'),
    rule: 'expression',
    at: [6, 9],
    remedy: 'write it without `${{ }}`',
  },
  {
    name: 'text with a colon',
    text: workflow('  - id: a\n    title: Fix: the bug\n    prompt: p\n'),
    rule: 'yaml',
    at: [5, 12],
    remedy: 'must be in quotes',
  },
  {
    name: 'text that begins with a sign',
    text: workflow('  - id: a\n    prompt: @everyone look\n'),
    rule: 'yaml',
    at: [5, 13],
    remedy: 'must be in quotes',
  },
  {
    name: 'a negation that YAML takes for a tag',
    text: workflow('  - id: a\n    if: !context.done\n    prompt: p\n'),
    rule: 'yaml',
    at: [5, 9],
    remedy: 'must be in quotes',
  },
  {
    name: 'a quoted word at the beginning',
    text: workflow('  - id: a\n    title: "Fix" it\n    prompt: p\n'),
    rule: 'yaml',
    at: [5, 18],
    remedy: 'in quotes as a whole',
  },
  { name: 'tabs', text: workflow('\t- id: a\n'), rule: 'yaml', at: [4, 1], remedy: 'indent with spaces' },
  {
    name: 'two documents',
    text: `${workflow('  - { id: a, prompt: p }\n')}---\nb: 2\n`,
    rule: 'yaml',
    at: [5, 1],
    remedy: 'a file has one workflow',
  },
  {
    name: 'the list of an `in` in flow style',
    text: workflow('  - { id: a, if: context.size in ["S", "L"], prompt: y }\n'),
    rule: 'yaml',
    at: [4, 18],
    remedy: 'write `if: \'context.size in ["S", "L"]\'`',
  },
  {
    name: 'an expression of another language',
    text: workflow(
      '  - { id: a, prompt: p, sets: { n: { type: integer } } }\n  - { id: b, if: context.n > 1 and context.n < 3, prompt: p }\n',
    ),
    rule: 'expression',
    at: [5, 18],
    remedy: 'context.n > 1 && context.n < 3',
  },
  {
    name: 'a function of another language',
    text: workflow(
      '  - { id: a, prompt: p, sets: { list: { type: array } } }\n  - { id: b, if: len(context.list) > 1, prompt: p }\n',
    ),
    rule: 'expression',
    at: [5, 18],
    remedy: 'write `size(value)`',
  },
  {
    name: 'a context key without its root',
    text: workflow(
      '  - { id: a, prompt: p, sets: { risk: { type: string } } }\n  - { id: b, if: risk == "high", prompt: p }\n',
    ),
    rule: 'expression',
    at: [5, 18],
    remedy: 'did you mean `context.risk`?',
  },
  {
    name: 'text without quotes',
    text: workflow(
      '  - { id: a, prompt: p, sets: { risk: { type: string } } }\n  - { id: b, if: context.risk == high, prompt: p }\n',
    ),
    rule: 'expression',
    at: [5, 18],
    remedy: 'text in quotes: `"high"`',
  },
  {
    name: 'another mistake beside a key twice',
    text: workflow('  - { id: a, prompt: p, prompt: q }\n  - { id: b, promt: r }\n'),
    rule: 'unknown_key',
    at: [5, 14],
    remedy: 'did you mean `prompt`?',
  },
  {
    name: 'another mistake beside __proto__',
    text: workflow('  - { id: a, prompt: p, __proto__: q }\n  - { id: a, prompt: r }\n'),
    rule: 'duplicate_id',
    at: [5, 11],
    remedy: 'give one of them another id',
  },
  {
    name: 'an own output without its schema',
    text: workflow('  - { id: a, prompt: p, output: { kind: team.risk } }\n'),
    rule: 'missing',
    at: [4, 33],
    remedy: '`schema` is missing',
  },
  {
    name: 'a contract with a kind beside it',
    text: workflow('  - { id: a, prompt: p, output: { contract: wr.contracts.findings, kind: team.risk } }\n'),
    rule: 'unknown_key',
    at: [4, 68],
    remedy: '`kind` cannot be combined with `contract`',
  },
  {
    name: 'a contract named as a kind',
    text: workflow('  - { id: a, prompt: p, output: { kind: wr.contracts.findings } }\n'),
    rule: 'contract',
    at: [4, 41],
    remedy: 'write `contract: wr.contracts.findings`',
  },
  {
    name: 'a type of another language',
    text: workflow('  - { id: a, prompt: p, sets: { parts: { type: list } } }\n'),
    rule: 'choice',
    at: [4, 48],
    remedy: 'did you mean `array`?',
  },
  {
    name: 'a key of another format',
    text: workflow('  - { id: a, prompt: p, when: context.x }\n'),
    rule: 'unknown_key',
    at: [4, 25],
    remedy: 'did you mean `if`?',
  },
  {
    name: 'a type for a value',
    text: workflow('  - { id: a, prompt: p, sets: { parts: text } }\n'),
    rule: 'type',
    at: [4, 40],
    remedy: 'such as `{ type: string }`',
  },
  {
    name: 'yes for true',
    text: workflow('  - { id: a, prompt: p, confirm: yes }\n'),
    rule: 'type',
    at: [4, 34],
    remedy: 'write `true`',
  },
  {
    name: 'an id in words',
    text: workflow('  - { id: Read Things, prompt: p }\n'),
    rule: 'format',
    at: [4, 11],
    remedy: 'did you mean `read_things`?',
  },
  {
    name: 'a file without its `workflow`',
    text: 'id: release\nname: Release\ndescription: Use this.\nsteps:\n  - id: a\n    if: context.x\n    prompt: p\n',
    rule: 'unknown_key',
    at: [1, 1],
    remedy: 'did you mean `workflow`?',
  },
  {
    name: 'nesting past all reason',
    text: workflow(`  - ${'['.repeat(3000)}`),
    rule: 'depth',
    at: [4, 785],
    remedy: 'move inner parts into routines',
  },
  {
    name: 'a text where an object belongs',
    text: 'just some words',
    rule: 'type',
    at: [1, 1],
    remedy: 'expected an object with `workflow` and `steps`',
  },
];

/** Milliseconds of work so far: a loaded machine takes longer for the same. */
const worked = (): number => process.cpuUsage().user / 1000;

describe('a file that is not right', () => {
  it.each(cases.map((one) => [one.name, one] as const))(
    '%s is told with its place and its remedy',
    (_, { text, sources, rule, at, remedy }) => {
      const began = worked();
      const found = errorsOf(compile(text, sources));
      expect(worked() - began).toBeLessThan(2000);
      const [first] = found.filter((violation) => violation.rule === rule);
      expect(found.map((violation) => violation.rule)).toContain(rule);
      expect([first?.line, first?.column]).toSatisfy(
        ([line, column]: readonly number[]) => line === at[0] && (rule === 'depth' ? column! > 0 : column === at[1]),
      );
      expect(`${first?.message}\n${first?.expected}\n${first?.closest}`).toContain(remedy);
    },
  );
});

it.each([
  ['mode', 'auto'],
  ['mode', 'never_stop'],
  ['autonomy', 'full_auto'],
])('no patch makes a workflow bolder than its author wrote: %s %s', (field, value) => {
  const [found] = errorsOf(compile(workflow('  - { id: a, prompt: p }\n', `recommends: { ${field}: ${value} }\n`)));
  expect(found).toMatchObject({ rule: 'choice' });
  expect(found?.patch).toBeUndefined();
});

describe('the library', () => {
  let root = '';
  let entries: readonly LibraryEntry[] = [];
  let grown = 0;
  let took = 0;
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heap = (): number => {
    gc();
    return process.memoryUsage().heapUsed + process.memoryUsage().external;
  };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'bad-input-'));
    mkdirSync(join(root, 'mine'));
    const write = (name: string, text: string): void => writeFileSync(join(root, 'mine', name), text);
    const steps = 'description: D\nsteps: [ { id: a, prompt: p } ]\n';
    write('reserved.yaml', `workflow: wr.mine\n${steps}`);
    write('one.yaml', `workflow: team.one\n${steps}`);
    write('two.yaml', `# the same again\nworkflow: team.one\n${steps}`);
    write('bomb.yaml', `workflow: team.bomb\n${bomb}`);
    write('huge.yaml', 'workflow: team.huge\n');
    truncateSync(join(root, 'mine', 'huge.yaml'), 100 * 1024 * 1024);
    const before = heap();
    const began = worked();
    entries = await openLibrary([{ name: 'project', folder: join(root, 'mine'), label: 'mine' }]).list();
    took = worked() - began;
    grown = heap() - before;
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it.each<[string, string, string, [number, number], string]>([
    [
      'an id in a namespace that is not theirs',
      'reserved.yaml',
      'reserved_namespace',
      [1, 11],
      'rename this one, for example `workflow: project.mine`',
    ],
    ['an id that another file has', 'two.yaml', 'duplicate_id', [2, 11], 'give one of them another'],
    ['a YAML bomb', 'bomb.yaml', 'yaml_aliases', [3, 8], 'write them out'],
    ['a hundred megabytes', 'huge.yaml', 'file_size', [1, 1], 'move parts of it into routines'],
  ])('tells of %s, and lists the others', (_, file, rule, [line, column], remedy) => {
    expect(entries.find((entry) => entry.file === `mine/${file}`)?.violations).toMatchObject([
      { rule, line, column, message: expect.stringContaining(remedy) },
    ]);
    expect(entries.find((entry) => entry.file === 'mine/one.yaml')?.violations).toEqual([]);
  });

  it('takes neither time nor memory for them', () => {
    expect(took).toBeLessThan(2000);
    expect(grown).toBeLessThan(20 * 1024 * 1024);
  });

  it('reads no more of a text than it must', () => {
    const huge = Buffer.alloc(100 * 1024 * 1024, 'x').toString('latin1');
    for (const text of [huge, bomb.repeat(100).replaceAll(/^/gmu, ' '), bomb]) {
      const before = heap();
      const began = worked();
      expect(errorsOf(compile(text))).not.toEqual([]);
      const used = process.memoryUsage().heapUsed + process.memoryUsage().external - before;
      expect(worked() - began).toBeLessThan(2000);
      expect(used).toBeLessThan(64 * 1024 * 1024);
    }
  });
});

/** As many of something as a file may hold. */
function filled(bytes: number, part: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < bytes - 2000; index += 1) text += part(index);
  return text;
}

const head = 'workflow: team.main\ndescription: D\n';
const masses: { readonly [what: string]: (bytes: number) => string } = {
  keys: (bytes) => filled(bytes, (at) => `k${at}: 1\n`),
  'keys in braces': (bytes) => `{${filled(bytes, (at) => `"k${at}":1,`)}}`,
  'the same key': (bytes) => filled(bytes, () => 'k: 1\n'),
  'keys that nobody knows': (bytes) =>
    `${head}steps:\n  - id: a\n    prompt: p\n${filled(bytes, (at) => `    k${at}: 1\n`)}`,
  'keys without a value': (bytes) => `${head}steps: [{ id: a, title: t, ${filled(bytes, (at) => `k${at}, `)} }]`,
  'anchors and aliases': (bytes) => filled(bytes, (at) => `- &a${at} ${at === 0 ? '1' : `[*a${at - 1}]`}\n`),
  brackets: (bytes) => filled(bytes, () => '['),
  dashes: (bytes) => filled(bytes, () => '- '),
  commas: (bytes) => `[${filled(bytes, () => ',')}]`,
  quotes: (bytes) => filled(bytes, () => '"'),
  'wrong escapes': (bytes) => `"${filled(bytes, () => '\\q')}"`,
  'holes without quotes': (bytes) => `x: { a: ${filled(bytes, () => '${{ a }} ')} }`,
  steps: (bytes) => `${head}steps:\n${filled(bytes, (at) => `- {id: s${at}, prompt: p}\n`)}`,
  inputs: (bytes) =>
    `${head}inputs:\n${filled(bytes, (at) => `  i${at}: {type: string, pattern: "^c${at}$"}\n`)}steps: [{id: a, prompt: p}]\n`,
  holes: (bytes) => `${head}steps:\n- id: s\n  prompt: "${filled(bytes, (at) => `\${{ context.a${at} }}`)}"\n`,
  mustaches: (bytes) => `${head}steps:\n- id: s\n  prompt: "${filled(bytes, (at) => `{{ a${at} }}`)}"\n`,
  'names that are nearly right': (bytes) =>
    `${head}inputs:\n${Array.from({ length: 1900 }, (_, at) => `  input_number_${at}: {type: string}\n`).join('')}steps:\n${filled(Math.min(bytes, 120_000), (at) => `- {id: s${at}, prompt: p, if: inputs.inputnumber${at}x == "a"}\n`)}`,
  rules: (bytes) =>
    `${head}steps:\n- id: s\n  prompt: p\n  rules:\n${filled(bytes, (at) => `  - {any: [{contains: c${at}},{matches: "d${at}+"}]}\n`)}`,
  'rules, as many as are allowed': () =>
    `${head}steps:\n- id: s\n  prompt: p\n  rules:\n${Array.from({ length: 48 }, (_, at) => `  - {any: [{contains: c${at}},{matches: "^d${at}+$"}, {not: {contains: x}}]}\n`).join('')}  - {minLength: 60000}\n`,
  choices: (bytes) =>
    `${head}steps: [{id: a, prompt: p, sets: {k: {type: string, enum: [${filled(bytes, (at) => `e${at},`)}]}}}, {id: b, if: context.k == "x", prompt: p}]`,
  JSON: (bytes) =>
    `{"workflow":"team.main","steps":[${filled(bytes, (at) => `${at === 0 ? '' : ','}{"id":"s${at}","prompt":"p","k${at}":{}}`)}]}`,
};

describe('a file full of one thing', () => {
  it.each(Object.keys(masses))('is done with soon: %s', (what) => {
    // As large as a file may be, and as one may be whose signs are not counted first.
    for (const bytes of [limits.workflowFile, limits.sourceSigns]) {
      const text = masses[what]!(bytes);
      const began = worked();
      const compilation = compile(text);
      const took = worked() - began;
      const told = compilation.ok ? compilation.warnings : compilation.violations;
      expect(told.length).toBeLessThanOrEqual(limits.violations);
      for (const { line, column } of told) expect([line, column]).toEqual([expect.any(Number), expect.any(Number)]);
      expect(took).toBeLessThan(8000);
    }
  });
});
