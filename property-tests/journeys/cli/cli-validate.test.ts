import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';

const world = makeCommandLineWorld();
afterAll(() => world.close());

const broken = `# Ours: 100%, a:b
workflow: team.x
description: d
steps:
  - id: a # first
    promt: "Öffne \${{ inputs.who }}"
  - id: b
    until: context.done
    steps: [{ id: c, prompt: C, sets: { done: { type: boolean } } }]
`;
const at = (name: string, text = broken): string => {
  writeFileSync(join(world.workspace, name), text);
  return join(world.workspace, name);
};

describe('workrail validate', () => {
  it('shows the line with a caret below the place', async () => {
    at('a.yaml', 'workflow: team.x\ndescription: d\nsteps:\n  - { id: a, title: "日本", promt: "A" }\n');
    const { out, code } = await world.run(['validate', 'a.yaml']);
    expect(code).toBe(1);
    expect(out).toContain(
      [
        'a.yaml:4:27: error unknown_key: `promt` is not known here; did you mean `prompt`?',
        '    4 |   - { id: a, title: "日本", promt: "A" }',
        // Each of the two signs takes two columns.
        `      | ${' '.repeat(28)}^`,
      ].join('\n'),
    );
  });

  it('shows of a long line what stands around the place', async () => {
    at(
      'long.yaml',
      `workflow: team.x\ndescription: d\nsteps:\n  - { id: a, title: "${'x'.repeat(150)}", promt: "A" }\n`,
    );
    const { out } = await world.run(['validate', 'long.yaml']);
    const lines = out.split('\n');
    const shown = lines.findIndex((line) => line.includes('promt: "A"'));
    expect(lines[shown]).toMatch(/^ {4}4 \| …x+", promt: "A" \}$/u);
    expect(lines[shown + 1]?.indexOf('^')).toBe(lines[shown]?.indexOf('promt'));
  });

  it('gives GitHub one annotation a finding, with its signs escaped', async () => {
    at('b,1.yaml', 'workflow: team.x\ndescription: d\nsteps:\n  - { id: a, "pro:%mt": "A", prompt: "B" }\n');
    const { out, code } = await world.run(['validate', 'b,1.yaml', '--format', 'github']);
    expect(code).toBe(1);
    expect(out).toMatch(/^::error file=b%2C1\.yaml,line=4,col=14,title=unknown_key::`pro:%25mt` is not known here/u);
    expect((await world.run(['validate', 'b,1.yaml', '--format', 'sarif'])).code).toBe(2);
  });

  it('mends what can be mended without guessing, keeps comments, rights and links, and says what it did', async () => {
    const file = at('c.yaml');
    chmodSync(file, 0o640);
    symlinkSync('c.yaml', join(world.workspace, 'link.yaml'));
    const { out, code } = await world.run(['validate', 'link.yaml', '--fix']);
    expect(out).toContain('Fixed link.yaml: 2 changes\n  line 6: unknown_key: `promt`');
    // What is wrong with the text shows once it is one.
    expect(out).toContain('inputs.who');
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(`${broken.replace('promt', 'prompt')}    max: 10\n`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(world.workspace).filter((name) => name.startsWith('.c'))).toEqual([]);
    const again = await world.run(['validate', 'c.yaml', '--fix', '--json']);
    expect(JSON.parse(again.out)).toMatchObject({ fixed: [], sound: false });
  });

  it('leaves the id of a workflow to its author, and bundled files alone', async () => {
    mkdirSync(join(world.workspace, '.workrail', 'workflows'), { recursive: true });
    const legacy = 'workflow: legacy\ndescription: d\nsteps: [{ id: a, prompt: A }]\n';
    const file = at('.workrail/workflows/legacy.yaml', legacy);
    expect(await world.run(['validate', '--fix'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing to fix.'),
    });
    expect(readFileSync(file, 'utf8')).toBe(legacy);
  });
});
