import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lookUpSmall, smallCatalog } from '../../../property-tests/worlds/small-catalog.js';
import { compileSource } from '../compile-source.js';
import { pinWorkflow, readPin } from '../compiled/pin.js';
import type { Compilation } from '../expand/compilation.js';
import type { Violation } from '../source/violation.js';

const compile = (text: string): Compilation => compileSource(text, 'x.yaml', undefined, lookUpSmall);
const foundIn = (result: Compilation): readonly Violation[] => (result.ok ? result.warnings : result.violations);
const head = 'workflow: team.x\ndescription: D\n';
const steps = (text: string, inputs = ''): string => `${head}${inputs}steps:\n${text}`;
const at = 'with: { owner: acme, repo: app }';
const inputs =
  'inputs: { i: { type: string }, r: { type: string, required: true }, d: { type: string, default: d } }\n';
const readAll = '  - { id: all, prompt: "${{ inputs.i }} ${{ inputs.r }} ${{ inputs.d }}" }\n';

describe('the examples of commands', () => {
  it.each(['protect-branch', 'file-bug', 'await-release'])('%s compiles, is pinned and read back', (name) => {
    const text = readFileSync(new URL(`../../../fixtures/commands/${name}.yaml`, import.meta.url), 'utf8');
    const result = compile(text);
    expect(foundIn(result)).toEqual([]);
    if (!result.ok) return;
    expect(result.workflow.compiled).toBe(2);
    const pin = pinWorkflow(result.workflow);
    expect(readPin(pin.text, pin.hash)).toEqual({ ok: true, value: JSON.parse(pin.text) });
    expect(Object.keys(result.workflow.operations ?? {}).length).toBeGreaterThan(1);
    for (const [command, operation] of Object.entries(result.workflow.operations ?? {}))
      expect(operation).toEqual(smallCatalog[command.slice('github '.length)]);
    expect(foundIn(compileSource(text, 'x.yaml'))).toMatchObject([{ rule: 'catalogs_not_read', severity: 'warning' }]);
  });
});

describe('a file in a body', () => {
  const reading = '  - { id: r, prompt: "${{ inputs.f }} ${{ inputs.o }}" }\n';
  const upload = (body: string, content = 'multipart/form-data'): readonly Violation[] =>
    foundIn(
      compile(
        steps(
          `  - { id: b, run: later b }\n  - { id: a, run: github odd/upload, content: ${content}, body: ${body} }\n${reading}`,
          'inputs: { f: { type: string, required: true }, o: { type: object, required: true } }\n',
        ),
      ),
    );

  it.each([
    ['{ photo: { file: out/photo.png } }', undefined],
    ['{ photo: { file: photo.png, name: me.png, type: image/png }, title: T }', undefined],
    ['{ photo: { file: "${{ outputs.b.body }}" } }', undefined],
    ['{ file: build/app.zip }', 'application/octet-stream'],
    ['{ file: "${{ outputs.b.body }}" }', 'application/octet-stream'],
    ['"${{ outputs.b.body }}"', 'application/octet-stream'],
    ['{ file: "${{ inputs.f }}" }', 'application/octet-stream'],
    ['{ photo: { file: "${{ inputs.f }}" }, title: "${{ inputs.f }}" }', undefined],
    ['{ photo: "${{ outputs.b.body }}" }', undefined],
    ['"${{ inputs.o }}"', 'application/octet-stream'],
  ])('%s is in order', (body, content) => {
    expect(upload(body, content)).toEqual([]);
  });

  it.each([
    ['{ photo: { file: /etc/passwd } }', undefined, 'error', '/steps/1/body/photo/file', 'not a path in the workspace'],
    ['{ photo: { file: a/../../b } }', undefined, 'error', '/steps/1/body/photo/file', 'such as `reports/build.zip`'],
    [
      '{ photo: { file: "C:\\\\a.png" } }',
      undefined,
      'error',
      '/steps/1/body/photo/file',
      'not a path in the workspace',
    ],
    ['{ photo: { file: "https://a.example/b" } }', undefined, 'error', '/steps/1/body/photo/file', 'not a path'],
    ['{ photo: { path: photo.png } }', undefined, 'error', '/steps/1/body/photo', 'a file as `{ file: path }`'],
    [
      '{ photo: photo.png }',
      undefined,
      'warning',
      '/steps/1/body/photo',
      'name it as `{ file: path/in/the/workspace }`',
    ],
    ['app.zip', 'application/octet-stream', 'warning', '/steps/1/body', 'this text itself is sent'],
    ['"${{ inputs.f }}"', 'application/octet-stream', 'warning', '/steps/1/body', 'this text itself is sent'],
    ['"dist/${{inputs.f}}.zip"', 'application/octet-stream', 'warning', '/steps/1/body', 'this text itself is sent'],
    ['{ photo: "${{ inputs.f }}" }', undefined, 'warning', '/steps/1/body/photo', 'name it as `{ file: path/in'],
    ['{ path: app.zip }', 'application/octet-stream', 'error', '/steps/1/body', 'or as a file: `{ file: path }`'],
    ['{ file: "" }', 'application/octet-stream', 'error', '/steps/1/body/file', 'not a path in the workspace'],
  ])('%s is told', (body, content, severity, pointer, says) => {
    const [found, ...more] = upload(body, content);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ severity, pointer });
    expect(found!.message).toContain(says);
  });
});

describe('a secret in a file', () => {
  const token = `${'gh'}p_16C7e42F292c6912E7710c838347Ae178B4a`;
  const warnings = (text: string, inputs = ''): readonly (readonly [string, string])[] =>
    foundIn(compile(steps(text, inputs))).flatMap(({ rule, severity, pointer, message, expected }) => {
      expect(`${message}${expected}${pointer}`).not.toContain(token);
      return rule === 'secret' && severity === 'warning' ? [[pointer, message] as const] : [];
    });

  it.each([
    [`  - { id: a, run: later x, with: { q: ${token} } }\n`, '/steps/0/with/q', 'a GitHub token'],
    [`  - { id: a, run: later x, body: 'Bearer ${token}' }\n`, '/steps/0/body', 'a GitHub token'],
    [`  - { id: a, run: later x, body: { l: [a, { t: '\${{ inputs.i }}/${token}' }] } }\n`, '/steps/0/body/l/1/t', ''],
    [`  - { id: a, run: later x, body: { password: 'kT7#pq91LmZx' } }\n`, '/steps/0/body/password', 'next to'],
    [`  - { id: a, run: later x, body: { '${token}': a } }\n`, '/steps/0/body', 'a GitHub token'],
  ])('%s is warned of where it stands', (text, pointer, says) => {
    const [found, ...more] = warnings(text, inputs);
    expect([found?.[0], more]).toEqual([pointer, []]);
    expect(found?.[1]).toContain(says);
    expect(found?.[1]).toContain('`${{ secrets.NAME }}`');
  });

  it('is warned of in a provider', () => {
    const provider = `provider: { run: later list, with: { access_token: ${token} }, items: body, value: item.id }`;
    const found = warnings(
      '  - { id: a, prompt: "${{ inputs.p }}" }\n',
      `inputs: { p: { type: string, ${provider} } }\n`,
    );
    expect(found.map(([pointer]) => pointer)).toEqual(['/inputs/p/provider/with/access_token']);
  });

  it.each([
    `  - { id: a, run: later x, with: { token: '\${{ secrets.TOKEN9aZ }}' } }\n`,
    `  - { id: a, run: later x, body: { api_key: '\${{inputs.i}}', sha: 9c1b7e0a4f5d } }\n`,
    `  - { id: a, prompt: 'Use ${token}.' }\n`,
    `  - { id: a, run: later x, with: { token: your-token-here } }\n`,
  ])('%s has none that is sent', (text) => {
    expect(warnings(text, inputs)).toEqual([]);
  });
});

interface Case {
  readonly name: string;
  readonly text: string;
  readonly rule: string;
  readonly place: readonly [line: number, column: number];
  readonly says: string;
  readonly severity?: 'warning';
}

const cases: readonly Case[] = [
  {
    name: 'a catalog that is not there',
    text: steps(`  - { id: a, run: gihub repos/get-branch }\n`),
    rule: 'catalog',
    place: [4, 19],
    says: 'did you mean `github`?',
  },
  {
    name: 'a command that is not there',
    text: steps(`  - { id: a, run: github repos/get-brnch }\n`),
    rule: 'command',
    place: [4, 26],
    says: 'did you mean `repos/get-branch`?',
  },
  {
    name: 'a catalog that cannot be used',
    text: steps(`  - { id: a, run: disabled x }\n`),
    rule: 'catalog',
    place: [4, 19],
    says: 'the catalog `disabled` is disabled',
  },
  {
    name: 'an unknown parameter',
    text: steps(`  - { id: a, run: github repos/get-branch, with: { owner: acme, repo: app, brnch: main } }\n`),
    rule: 'parameter',
    place: [4, 76],
    says: 'did you mean `branch`?',
  },
  {
    name: 'a hole in the name of a field, which nobody fills',
    text: steps(
      `  - { id: a, run: later x, body: { toggles: { '\${{ inputs.r }}': { yes: 1 } } } }\n${readAll}`,
      inputs,
    ),
    rule: 'template',
    place: [5, 47],
    says: "write the whole object as one hole: `toggles: '${{ {inputs.r: …} }}'`",
  },
  {
    name: 'a parameter in the wrong place',
    text: steps(`  - { id: a, run: github repos/get-branch, with: { owner: a, repo: b, query.branch: main } }\n`),
    rule: 'parameter',
    place: [4, 71],
    says: '`branch` is a path parameter',
  },
  {
    name: 'a parameter of two places',
    text: steps(`  - { id: a, run: github odd/two-ids, with: { id: 1 } }\n`),
    rule: 'parameter',
    place: [4, 47],
    says: 'write `path.id` or `query.id`',
  },
  {
    name: 'a field of the body among the parameters',
    text: steps(
      `  - { id: a, run: github issues/create, with: { owner: a, repo: b, title: T }, body: { title: T } }\n`,
    ),
    rule: 'parameter',
    place: [4, 68],
    says: 'write it under `body`',
  },
  {
    name: 'a parameter that is missing',
    text: steps(`  - { id: a, run: github repos/get-branch, ${at} }\n`),
    rule: 'missing',
    place: [4, 44],
    says: 'needs the path parameter `branch`',
  },
  {
    name: 'a body that is missing',
    text: steps(`  - { id: a, run: github issues/create, ${at} }\n`),
    rule: 'missing',
    place: [4, 14],
    says: 'needs a `body` (application/json)',
  },
  {
    name: 'a body that nobody takes',
    text: steps(`  - { id: a, run: github search/issues-and-pull-requests, with: { q: x }, body: {} }\n`),
    rule: 'parameter',
    place: [4, 75],
    says: 'takes no body',
  },
  {
    name: 'a content type that it does not take',
    text: steps(`  - { id: a, run: github issues/create, ${at}, body: { title: T }, content: text/plain }\n`),
    rule: 'choice',
    place: [4, 95],
    says: 'it takes application/json',
  },
  {
    name: 'a body of which nobody knows the content type',
    text: steps(`  - { id: a, run: github odd/upload, body: x }\n`),
    rule: 'choice',
    place: [4, 38],
    says: 'multipart/form-data, application/octet-stream',
  },
  {
    name: 'a literal of another type',
    text: steps(`  - { id: a, run: github actions/get-workflow-run, with: { owner: a, repo: b, run_id: last } }\n`),
    rule: 'value',
    place: [4, 87],
    says: 'expected a whole number, got "last"',
  },
  {
    name: 'a literal that is none of the choices',
    text: steps(`  - { id: a, run: github repos/list-for-org, with: { org: a, type: pubic } }\n`),
    rule: 'value',
    place: [4, 68],
    says: 'did you mean `public`?',
  },
  {
    name: 'a field of the body of another type, behind a reference',
    text: steps(`  - { id: a, run: github issues/create, ${at}, body: { title: T, parent: { title: [1] } } }\n`),
    rule: 'value',
    place: [4, 110],
    says: 'expected text, got [1]',
  },
  {
    name: 'a misspelt field of the body',
    text: steps(`  - { id: a, run: github issues/create, ${at}, body: { title: T, lables: [] } }\n`),
    rule: 'value',
    place: [4, 93],
    says: 'did you mean `labels`?',
    severity: 'warning',
  },
  {
    name: 'a required field of the body that is missing',
    text: steps(`  - { id: a, run: github issues/create, ${at}, body: { body: T } }\n`),
    rule: 'value',
    place: [4, 81],
    says: '`title` is missing, which is required',
  },
  {
    name: 'a hole that may be absent where a value is required',
    text: steps(
      `${readAll}  - { id: a, run: github repos/get-branch, with: { owner: "\${{ inputs.d }}", repo: "\${{ inputs.r }}", branch: "\${{ inputs.i }}" } }\n`,
      inputs,
    ),
    rule: 'absent',
    place: [6, 111],
    says: 'the input `i` may not be given',
  },
  {
    name: 'a hole that may be absent in a required field',
    text: steps(
      `${readAll}  - { id: a, run: github issues/create, ${at}, body: { title: "\${{ inputs.i }}" } }\n`,
      inputs,
    ),
    rule: 'value',
    place: [6, 90],
    says: '`title` is required, and the input `i` may not be given',
  },
  {
    name: 'a write that asks again and again',
    text: steps(`  - { id: a, run: github issues/create, ${at}, body: { title: T }, until: body.ok, timeout: 1m }\n`),
    rule: 'not_repeatable',
    place: [4, 95],
    says: 'this command is not repeatable',
  },
  {
    name: 'a write that is tried again, known by its method alone',
    text: steps(`  - { id: a, run: later POST /x, retry: { max: 3, on: [network] } }\n`),
    rule: 'not_repeatable',
    place: [4, 34],
    says: 'at most 2 tries after 429 and 503 are safe',
  },
  {
    name: 'pages of what is said not to be repeatable',
    text: steps(`  - { id: a, run: later GET /x, repeatable: false, paginate: { by: link } }\n`),
    rule: 'not_repeatable',
    place: [4, 52],
    says: 'this step is not repeatable',
  },
  {
    name: 'a step before that is not there',
    text: steps(`  - { id: first, run: later a }\n  - { id: b, run: later b, depends_on: [frst] }\n`),
    rule: 'depends_on',
    place: [5, 41],
    says: 'did you mean `first`?',
  },
  {
    name: 'a step before that comes later',
    text: steps(`  - { id: a, run: later a, depends_on: [b] }\n  - { id: b, run: later b }\n`),
    rule: 'depends_on',
    place: [4, 41],
    says: 'only comes later',
  },
  {
    name: 'steps that wait for each other',
    text: steps(
      `  - { id: a, run: later a, depends_on: [c] }\n  - { id: b, run: later b, depends_on: [a] }\n  - { id: c, run: later c, depends_on: [b] }\n`,
    ),
    rule: 'cycle',
    place: [4, 41],
    says: '`a` → `c` → `b` → `a`',
  },
  {
    name: 'an answer that only comes later',
    text: steps(`  - { id: a, run: later a, with: { x: "\${{ outputs.b.body.id }}" } }\n  - { id: b, run: later b }\n`),
    rule: 'output',
    place: [4, 40],
    says: 'which only comes later',
  },
  {
    name: 'an answer that is kept secret',
    text: steps(
      `  - { id: a, run: later a, secret: true }\n  - { id: b, prompt: "Use \${{ outputs.a.body.token }}." }\n`,
    ),
    rule: 'secret',
    place: [5, 27],
    says: 'reads what step `a` keeps secret',
  },
  {
    name: 'a secret in a prompt',
    text: steps(`  - { id: b, prompt: "Use \${{ secrets.TOKEN }}." }\n`),
    rule: 'expression',
    place: [4, 27],
    says: 'secrets can only be read in `with` and `body`',
  },
  {
    name: 'an answer without its `body`',
    text: steps(`  - { id: a, run: later a, keep: { id: body.id } }\n  - { id: b, prompt: "\${{ outputs.a.id }}" }\n`),
    rule: 'type',
    place: [5, 23],
    says: 'did you mean `outputs.a.body.id`?',
  },
  {
    name: 'what was not kept',
    text: steps(
      `  - { id: a, run: later a, keep: { id: body.id } }\n  - { id: b, prompt: "\${{ outputs.a.body.title }}" }\n`,
    ),
    rule: 'type',
    place: [5, 23],
    says: 'which has `id`',
  },
  {
    name: 'a name of answers outside of them',
    text: steps(`  - { id: a, run: later a, if: status == 200 }\n`),
    rule: 'expression',
    place: [4, 32],
    says: '`status` is not a known name',
  },
  {
    name: 'a name of items where there are none',
    text: steps(`  - { id: a, run: later a, keep: { id: item.id } }\n`),
    rule: 'expression',
    place: [4, 40],
    says: '`item` is not a known name',
  },
  {
    name: 'the answer where each item is asked',
    text: steps(`  - { id: a, run: later GET /a, paginate: { by: link }, keep: { id: body.id } }\n`),
    rule: 'expression',
    place: [4, 69],
    says: '`keep` is asked of each item, and `body` is of the whole answer: write `item`, such as `item.id`',
  },
  {
    name: 'the whole answer where a provider asks each item',
    text: `${head}inputs: { i: { type: string, provider: { run: github repos/list-for-org, with: { org: a }, value: status } } }\nsteps: [ { id: a, prompt: "\${{ inputs.i }}" } ]\n`,
    rule: 'expression',
    place: [3, 99],
    says: '`value` is asked of each item, and `status` is of the whole answer',
  },
  {
    name: 'an expectation that is no condition',
    text: steps(`  - { id: a, run: later a, expect: status + 1 }\n`),
    rule: 'type',
    place: [4, 36],
    says: 'a condition must be true or false',
  },
  {
    name: 'asking without an end',
    text: steps(`  - { id: a, run: later GET /a, until: body.done }\n`),
    rule: 'missing',
    place: [4, 33],
    says: '`until` needs `timeout`',
  },
  {
    name: 'a length of time without a unit',
    text: steps(`  - { id: a, run: later GET /a, until: body.done, timeout: 30 }\n`),
    rule: 'type',
    place: [4, 60],
    says: 'such as `30m`',
  },
  {
    name: 'a length of time in another unit',
    text: steps(`  - { id: a, run: later GET /a, timeout: 30 minutes }\n`),
    rule: 'format',
    place: [4, 42],
    says: 'such as 15s or 30m',
  },
  {
    name: 'a length of time past all reason',
    text: steps(`  - { id: a, run: later GET /a, timeout: 9d }\n`),
    rule: 'limit',
    place: [4, 42],
    says: 'at most 7d',
  },
  {
    name: 'a cursor that nobody finds',
    text: steps(`  - { id: a, run: later GET /a, paginate: { by: cursor, param: after } }\n`),
    rule: 'missing',
    place: [4, 45],
    says: '`by: cursor` needs `next`',
  },
  {
    name: 'a page that goes into no parameter',
    text: steps(
      `  - { id: a, run: github repos/list-for-org, with: { org: a }, paginate: { by: page, param: pge } }\n`,
    ),
    rule: 'parameter',
    place: [4, 93],
    says: 'did you mean `page`?',
  },
  {
    name: 'a key of commands with a prompt',
    text: steps(`  - { id: a, prompt: p, timeout: 1m }\n`),
    rule: 'body',
    place: [4, 25],
    says: '`timeout` belongs to a step with `run`',
  },
  {
    name: 'a key of prompts with a command',
    text: steps(`  - { id: a, run: later a, guidance: [ G ] }\n`),
    rule: 'body',
    place: [4, 28],
    says: '`guidance` belongs to a step with a `prompt`',
  },
  {
    name: 'a loop that is a command',
    text: steps(`  - { id: a, run: later a, foreach: "[1]" }\n`),
    rule: 'body',
    place: [4, 28],
    says: 'put the `run` into one',
  },
  {
    name: 'a command without a catalog',
    text: steps(`  - { id: a, run: deploy }\n`),
    rule: 'format',
    place: [4, 19],
    says: 'such as `github repos/get-branch`',
  },
  {
    name: 'a hole in a failure that nothing fills',
    text: steps(`  - { id: a, prompt: p }\n  - { id: b, if: "size(outputs.a.notes) > 1", fail: "\${{ inputs.x }}" }\n`),
    rule: 'expression',
    place: [5, 54],
    says: 'the workflow has no input `x`',
  },
  {
    name: 'the output of a failure',
    text: steps(
      `  - { id: a, if: "inputs.i == '1'", fail: F }\n  - { id: b, if: has(outputs.a), run: later b }\n`,
      inputs,
    ),
    rule: 'output',
    place: [6, 18],
    says: 'which ends the run and has none',
  },
  {
    name: 'a request that reads an answer which may not be there',
    text: steps(
      `  - { id: a, prompt: p, sets: { k: { type: boolean } } }\n  - { id: b, if: context.k, run: later b }\n  - { id: c, run: later c, with: { x: "\${{ outputs.b.body.id }}" } }\n`,
    ),
    rule: 'may_be_absent',
    place: [6, 40],
    says: 'is only done where `context.k`',
    severity: 'warning',
  },
  {
    name: 'a failure that every run comes to',
    text: steps(`  - { id: a, prompt: p }\n  - { id: b, fail: F }\n`),
    rule: 'always_fails',
    place: [5, 14],
    says: 'say with `if`',
    severity: 'warning',
  },
  {
    name: 'a provider that changes something',
    text: `${head}inputs: { i: { type: string, provider: { run: github issues/delete, with: { owner: a, repo: b, id: 1 }, value: item } } }\nsteps: [ { id: a, prompt: "\${{ inputs.i }}" } ]\n`,
    rule: 'provider',
    place: [3, 47],
    says: 'a provider only reads',
  },
  {
    name: 'a provider that reads the run',
    text: `${head}inputs: { i: { type: string, provider: { run: github repos/list-for-org, with: { org: "\${{ context.o }}" }, value: item.name } } }\nsteps: [ { id: a, prompt: "\${{ inputs.i }}", sets: { o: { type: string } } } ]\n`,
    rule: 'provider',
    place: [3, 88],
    says: 'does not exist before a run starts',
  },
  {
    name: 'providers that wait for each other',
    text: `${head}inputs:\n  i: { type: string, required: true, provider: { run: later x, with: { a: "\${{ inputs.j }}" }, value: item } }\n  j: { type: string, required: true, provider: { run: later x, with: { a: "\${{ inputs.i }}" }, value: item } }\nsteps: [ { id: a, prompt: "\${{ inputs.i }} \${{ inputs.j }}" } ]\n`,
    rule: 'cycle',
    place: [4, 64],
    says: 'the provider of `i` needs `i` itself',
  },
];

describe('a command that is not right', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', (_, { text, rule, place, says, severity = 'error' }) => {
    const result = compile(text);
    const found = foundIn(result).find((one) => one.rule === rule);
    expect(foundIn(result).map((one) => one.rule)).toContain(rule);
    expect({ place: [found?.line, found?.column], severity: found?.severity }).toEqual({ place, severity });
    expect(`${found?.message}\n${found?.expected}\n${found?.closest}`).toContain(says);
    expect(result.ok).toBe(severity === 'warning');
  });
});

describe('a hole in the name of a field', () => {
  const key = "{ '${{ inputs.r }}': 1 }";
  const template = (text: string): readonly string[] =>
    foundIn(compile(text)).flatMap(({ rule, pointer }) => (rule === 'template' ? [pointer] : []));

  it.each([
    ['of an element of a body', `  - { id: a, run: later x, body: [ ${key} ] }\n`, '/steps/0/body/0/${{ inputs.r }}'],
    ['of a body', `  - { id: a, run: later x, body: ${key} }\n`, '/steps/0/body/${{ inputs.r }}'],
    ['of a parameter', `  - { id: a, run: later x, with: { p: ${key} } }\n`, '/steps/0/with/p/${{ inputs.r }}'],
    [
      'of what a sub-agent gets',
      `  - { id: a, delegate: [ { routine: team.r, goal: G, with: { p: ${key} } } ] }\n`,
      '/steps/0/delegate/0/with/p/${{ inputs.r }}',
    ],
    ['of what is given back', `  - { id: a, prompt: P }\nreturns: { of: ${key} }\n`, '/returns/of/${{ inputs.r }}'],
  ])('%s is told', (_, text, pointer) => {
    expect(template(steps(`${text}`, inputs))).toEqual([pointer]);
  });

  it('is not told where the whole object is one hole, or the name holds none', () => {
    const object = `'\${{ {inputs.r: {"yes": 1}} }}'`;
    expect(template(steps(`  - { id: a, run: later x, body: { toggles: ${object}, '$x {{': 1 } }\n`, inputs))).toEqual(
      [],
    );
  });
});

describe('one slip of a command is told once, with what mends it', () => {
  it.each([
    [
      'a list that is taken apart twice',
      `run: github repos/list-for-org, with: { org: a }, paginate: { by: page }, keep: { n: "body.map(x, x.owner.name)" }`,
      [{ op: 'replace', path: '/steps/0/keep/n', value: 'item.owner.name' }],
    ],
    [
      'a body under `with`',
      `run: github issues/create, with: { owner: a, repo: b, body: { title: T } }`,
      [{ op: 'move', from: '/steps/0/with/body', path: '/steps/0/body' }],
    ],
    [
      'a choice but for a letter',
      `run: github issues/create, ${at}, body: { title: T, state: close }`,
      [{ op: 'replace', path: '/steps/0/body/state', value: 'closed' }],
    ],
  ])('%s', (_, step, patch) => {
    const found = foundIn(compile(steps(`  - { id: a, ${step} }\n`)));
    expect(found.map((one) => one.patch)).toEqual([patch]);
  });

  it('but a text may be the field of the body that is called so', () => {
    const found = foundIn(
      compile(steps(`  - { id: a, run: github issues/create, with: { owner: a, repo: b, body: T } }\n`)),
    );
    expect(found.map(({ message }) => message).toSorted()).toEqual([
      '`body` is a field of the body of `github issues/create`: write it under `body`',
      '`github issues/create` needs a `body` (application/json)',
    ]);
  });
});

describe('a command that is right', () => {
  it.each([
    [
      'by method and path',
      `run: "github GET /repos/{owner}/{repo}/branches/{branch}", with: { owner: a, repo: b, branch: c }`,
    ],
    ['with a parameter of two places', `run: github odd/two-ids, with: { path.id: a, query.id: b, x-trace: c }`],
    [
      'with a number as text outside of JSON',
      `run: github search/issues-and-pull-requests, with: { q: 1, per_page: "50" }`,
    ],
    [
      'that is written with a key',
      `run: github odd/upload, body: { title: x }, content: multipart/form-data, retry: { max: 5 }`,
    ],
    [
      'that waits a little for what says that nothing happened',
      `run: later POST /x, retry: { max: 2, on: [429, 503] }`,
    ],
    ['of which its author knows better', `run: later POST /x, repeatable: true, until: body.done, max: 3`],
    ['that nobody can look up now', `run: later anything, with: { x: 1 }, body: [1]`],
    ['that sends a secret', `run: later a, with: { key: "\${{ secrets.KEY }}" }`],
    [
      'with pages by number',
      `run: github repos/list-for-org, with: { org: a }, paginate: { by: page }, keep: { n: item.name, at: i }`,
    ],
    [
      'with a choice of forms',
      `run: github issues/create, ${at}, body: { title: 1, labels: [ a, { name: b } ], state: open }`,
    ],
  ])('%s', (_, fields) => {
    expect(foundIn(compile(steps(`  - { id: a, ${fields} }\n`)))).toEqual([]);
  });

  it('may leave out a parameter whose optional input is not given', () => {
    const text = steps(
      `${readAll}  - { id: a, run: github search/issues-and-pull-requests, with: { q: x, sort: "\${{ inputs.i }}" } }\n`,
      inputs,
    );
    expect(foundIn(compile(text))).toEqual([]);
  });

  it('may send what an earlier one keeps secret, and say whether that came', () => {
    const text = steps(
      `  - { id: a, run: later a, secret: true }\n  - { id: b, if: outputs.a.ok, run: later b, with: { key: "\${{ outputs.a.body.key }}" } }\n`,
    );
    expect(foundIn(compile(text))).toEqual([]);
  });
});
