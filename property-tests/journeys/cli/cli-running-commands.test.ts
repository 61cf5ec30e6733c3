import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modeWords } from '../../../src/base/mode-words.js';
import { type Mode, modeNames, modes } from '../../../src/base/preferences.js';
import type { RunStory } from '../../../src/contract/session-story.js';
import { makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { oddText } from '../../worlds/nasty-text.js';
import { runs } from '../../worlds/runs-of-law.js';

const release = `workflow: team.release
title: Release a version
description: Use this to bring a version to its users.
inputs:
  version: { type: string, required: true, description: What to release }
steps:
  - id: plan
    title: Plan it
    prompt: Divide the release of \${{ inputs.version }} into slices.
    notes: required
    sets:
      slices: { type: array, items: { type: string }, example: [ parser, printer ] }
      risk: { type: string, enum: [low, high] }
  - id: slices
    title: Build the slices
    foreach: context.slices
    as: slice
    max: 8
    steps:
      - id: build
        title: Build \${{ slice }}
        prompt: Build \${{ slice }}.
        rules: [ { contains: "Verified:" } ]
  - id: judge
    title: Judge the risk
    prompt: Judge the risk.
    output:
      - kind: team.risk
        schema: { type: object, additionalProperties: false, required: [level], properties: { level: { enum: [low, high] } } }
        example: { level: high }
  - id: account
    title: Get the account
    needs:
      - { reason: needs_user_account_access, key: account, ask: Which account is to be used? }
    prompt: Log in.
  - id: publish
    title: Publish it
    prompt: Publish it with \${{ context.account }}.
    confirm: true
`;

const world = makeCommandLineWorld();
const workflows = join(world.workspace, '.workrail', 'workflows');
beforeAll(() => {
  mkdirSync(workflows, { recursive: true });
  writeFileSync(join(workflows, 'release.yaml'), release);
});
afterAll(() => world.close());

/** As much of the answers as these tests look into. */
interface Told {
  readonly stateToken: string;
  readonly ackToken: string;
  readonly event: string;
  readonly pending: { readonly path: string; readonly prompt: string } | null;
  readonly workflows: readonly { readonly id: string }[];
  readonly total: number;
  readonly nextCursor?: string;
  readonly steps: readonly unknown[];
  readonly workflow: unknown;
  readonly sound: boolean;
  readonly files: readonly { readonly file: string; readonly violations: readonly { readonly rule: string }[] }[];
}

const answerOf = (out: string): Told => JSON.parse(out) as Told;
const pendingOf = (out: string): unknown => answerOf(out).pending?.path;

describe('workflows on the command line', () => {
  it('are listed as lines of fields, and as JSON whole', async () => {
    const listed = await world.run(['list']);
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(listed.out.split('\n').map((line) => line.split('\t').length)).toEqual(expect.arrayContaining([4]));
    expect(listed.out).toContain('team.release\tworkflow\tRelease a version\tUse this to bring');
    const { workflows: all, total, nextCursor } = answerOf((await world.run(['list', '--json'])).out);
    expect([all.length, nextCursor]).toEqual([total, undefined]);
    const terminal = await world.run(['list', 'release'], { terminal: true, columns: 60, env: { NO_COLOR: '1' } });
    expect(Math.max(...terminal.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(terminal.out).toContain("workrail start '<id>'");
    expect(await world.run(['list', '--kind', 'flow'])).toMatchObject({ code: 2 });
  });

  it('are listed with what is wrong with them, page after page', async () => {
    const many = makeCommandLineWorld();
    const folder = join(many.workspace, '.workrail', 'workflows');
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < 70; index += 1)
      writeFileSync(
        join(folder, `w${index}.yaml`),
        `workflow: many.w${index}\ntitle: W\ndescription: Use it.\nsteps: [ { id: a, title: A, prompt: Do it } ]\n`,
      );
    writeFileSync(join(folder, 'bad.yaml'), 'workflow: many.bad\ntitle: Bad\nsteps: 3\n');
    const { workflows: all, total } = answerOf((await many.run(['list', 'many', '--json'])).out);
    expect([all.length, total]).toEqual([71, 71]);
    expect((await many.run(['list', 'many'])).out).toMatch(
      /many\.bad cannot be started: .*bad\.yaml has \d+ violation[\s\S]*workrail validate many\.bad/u,
    );
    expect((await many.run(['validate'])).code).toBe(1);
    many.close();
  });

  it('are looked at: inputs, every step, the file itself', async () => {
    expect((await world.run(['inspect', 'team.release'])).out).toMatch(
      /--input version= \(required\): text[\s\S]*Next: workrail start team\.release --session '<fill in: [^']*>' --input 'version=<fill in>'/u,
    );
    const preview = answerOf((await world.run(['inspect', 'wr.bug_investigation', '--preview', '--json'])).out);
    expect(preview.nextCursor).toBeUndefined();
    expect(preview.steps.length).toBeGreaterThan(5);
    const whole = answerOf((await world.run(['inspect', 'wr.bug_investigation', '--json'])).out);
    // A long preview comes in pages, and only the first says what the workflow is.
    expect(preview.workflow).toEqual(whole.workflow);
    const said = (await world.run(['inspect', 'team.release', '--preview'])).out;
    expect(said).toMatch(
      /^team\.release: Release a version\nUse this to bring a version to its users\.[\s\S]*--input version= \(required\)[\s\S]*\n {2}hand back context\.risk \(required\): [\s\S]*\nslices: Build the slices \(a loop: once for each slice of context\.slices, at most 8 times\)\n/u,
    );
    expect(said).not.toMatch(/^ {2}(?:notes|loop|context): [[{]/mu);
    expect((await world.run(['inspect', 'team.release', '--source'])).out).toBe(release.trimEnd());
    const unknown = await world.run(['inspect', 'team.releas']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toContain('workrail inspect team.release');
    expect(await world.run(['inspect'])).toMatchObject({ code: 2 });
  });

  it('are checked wherever they lie, with line, column and what was meant', async () => {
    writeFileSync(
      join(world.workspace, 'draft.yaml'),
      'workflow: team.draft\ntitle: Draft\ndescription: Use it.\nsteps:\n  - id: one\n    titel: One\n    call: team.part\n',
    );
    writeFileSync(
      join(world.workspace, 'part.yaml'),
      'workflow: team.part\nkind: routine\ntitle: Part\ndescription: Use it.\nsteps:\n  - { id: a, title: A, prompt: Do it. }\n',
    );
    const alone = await world.run(['validate', 'draft.yaml']);
    expect(alone.code).toBe(1);
    expect(alone.out).toContain('draft.yaml:6:5: error unknown_key: `titel` is not known here; did you mean `title`?');
    expect(alone.out).toContain('no routine named `team.part`');
    const together = answerOf((await world.run(['validate', 'draft.yaml', 'part.yaml', '--json'])).out);
    expect(together).toMatchObject({
      sound: false,
      files: [
        { file: 'draft.yaml', violations: [{ rule: 'unknown_key' }] },
        { file: 'part.yaml', violations: [] },
      ],
    });
    expect(await world.run(['validate'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('workflow team.release can be started'),
    });
    expect(await world.run(['validate', 'wr.bug_investigation', 'team.release'])).toMatchObject({ code: 0 });
    expect(await world.run(['validate', 'missing.yaml'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such file: missing.yaml'),
    });
    expect(await world.run(['validate', 'draft.yaml/deeper.yaml'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such file'),
    });
    expect(await world.run(['validate', 'team.relase'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('workrail list'),
    });
    const folder = answerOf((await world.run(['validate', '.', '--json'])).out);
    expect(folder.files.map(({ file }) => file)).toEqual(['draft.yaml', 'part.yaml']);
  });
});

describe('a run on the command line', () => {
  const start = (key: string, ...more: readonly string[]): ReturnType<typeof world.run> =>
    world.run(['start', 'team.release', '--session', key, '--input', 'version=1.10', ...more, '--json']);

  it('goes from a start to its end: a loop, a rule, an artifact, a block and a confirmation', async () => {
    const refused = await world.run(['start', 'team.release', '--session', 'R-1']);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain("workrail start team.release --session R-1 --input 'version=<fill in>'");
    const started = await world.run(['start', 'team.release', '--session', 'R-1', '--input', 'version=1.10']);
    expect(started.out).toContain('Divide the release of 1.10 into slices.');
    expect(started.out).toMatch(
      /Next: workrail continue st\.v1\.\w+ ack\.v1\.\w+ --notes - --context 'risk=<fill in>' --context 'slices=<fill in>'/u,
    );
    const go = (...args: readonly string[]): ReturnType<typeof world.run> =>
      world.run(['continue', '--session', 'R-1', ...args]);
    expect(await go('--notes', '- planned', '--context', 'slices=["parser"]')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--context risk'),
    });
    expect(await go('--notes', '- planned', '--context', 'slices=["parser"]', '--context', 'risk=low')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Build parser (slices@1/build)'),
    });
    expect(await go('--notes', 'done')).toMatchObject({
      code: 1,
      err: expect.stringContaining('must contain "Verified:"'),
    });
    expect(
      await world.run(['continue', '--session', 'R-1', '--notes', '-'], { stdin: 'Verified: by hand\n' }),
    ).toMatchObject({ code: 0 });
    expect(await go('--notes', 'judged')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--artifact @risk.json'),
    });
    writeFileSync(join(world.workspace, 'risk.json'), '{"kind":"team.risk","level":"low"}');
    expect(await go('--notes', 'judged', '--artifact', '@risk.json')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 artifact'),
    });
    const blocked = await go('--notes', 'logged in');
    expect(blocked).toMatchObject({ code: 1, err: '' });
    expect(blocked.out).toMatch(
      /Blocked[\s\S]*--context account: Which account is to be used\? \(needs_user_account_access\)/u,
    );
    expect(await go('--notes', 'logged in', '--context', 'account=me')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Publish it with me.'),
    });
    expect(await go('--notes', 'published')).toMatchObject({
      code: 1,
      out: expect.stringContaining('--confirmed: this step waits for your agreement'),
    });
    expect(await go('--notes', 'published', '--confirmed')).toMatchObject({
      code: 0,
      out: expect.stringContaining('is complete'),
    });
    expect(await go('--notes', 'more')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/workrail checkpoint st\.v1\.\w+ --notes more/u),
    });
    expect(
      await world.run(['checkpoint', '--session', 'R-1', '--notes', 'tagged', '--gap', 'the mirror was not checked']),
    ).toMatchObject({ code: 0, out: expect.stringMatching(/notes “tagged”, gap gap_/u) });
  });

  it('answers a pair again as it did, goes back, and makes a branch', async () => {
    const { stateToken, ackToken } = answerOf((await start('R-2')).out);
    const ack = [
      'continue',
      stateToken,
      ackToken,
      '--notes',
      'planned',
      '--context',
      '{"slices":["a","b"],"risk":"low"}',
      '--json',
    ];
    const first = await world.run(ack);
    expect(await world.run(ack)).toEqual(first);
    const back = answerOf((await world.run(['continue', stateToken, '--json'])).out);
    expect(back).toMatchObject({ happened: 'looked_back', branches: [{ preferred: true }] });
    const told = await world.run(['continue', stateToken]);
    expect(told.out).toMatch(/To go on where the work stands:\n {2}workrail continue st\.v1\.\w+\n/u);
    const forked = await world.run([
      'continue',
      stateToken,
      back.ackToken,
      '--notes',
      'planned anew',
      '--context',
      'slices:=["c"]',
      '--context',
      'risk=high',
    ]);
    expect(forked).toMatchObject({ code: 0, out: expect.stringContaining('This is a new branch') });
    expect(await world.run(['continue', stateToken, '--notes', 'x'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/workrail continue st\.v1\.\w+ ack\.v1\.\w+ --notes x/u),
    });
    expect(await world.run(['continue', `${stateToken}Z`])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`workrail continue ${stateToken}`),
    });
    expect(await world.run(['continue', 'R-2'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--session R-2'),
    });
    expect(await world.run(['continue', stateToken, '--session', 'R-2'])).toMatchObject({ code: 2 });
  });

  it('looks, and changes nothing, where nothing is handed back', async () => {
    await start('R-3');
    const looks = [
      await world.run(['continue', '--session', 'R-3', '--json']),
      await world.run(['continue', '--session', 'r-3', '--json']),
      await world.run(['continue', '--json']),
    ];
    expect(looks.map(({ out }) => out)).toEqual([looks[0]?.out, looks[0]?.out, looks[0]?.out]);
    expect(pendingOf(looks[0]?.out ?? '')).toBe('plan');
  });

  it('is found again, and the command that goes on is shown', async () => {
    await start('R-4');
    const found = await world.run(['resume', 'R-4']);
    expect(found).toMatchObject({ code: 0 });
    const [, token = ''] = /Continue: workrail continue (st\.v1\.\w+)/u.exec(found.out) ?? [];
    expect(pendingOf((await world.run(['continue', token, '--json'])).out)).toBe('plan');
    expect(answerOf((await world.run(['resume', 'R-4', '--limit', '1', '--json'])).out)).toMatchObject({
      candidates: [{ sessionId: 'R-4', stateToken: token }],
    });
    expect(await world.run(['resume', '--limit', '9'])).toMatchObject({ code: 2 });
  });

  it('keeps the places it was given in every command it shows', async () => {
    const data = join(world.folder, 'else where');
    const started = await world.run(['start', 'team.release', '--input', 'version=2', '--data-dir', data]);
    expect(started.out).toContain(`--data-dir '${data}'`);
  });

  it('takes an input by its right name alone, and any fact as context', async () => {
    const wrong = async (...options: readonly string[]): Promise<string> => {
      const { code, err } = await world.run(['start', 'team.release', '--session', 'R-9', ...options]);
      expect(code).toBe(1);
      return err;
    };
    expect(await wrong('--input', 'versoin=2')).toContain(
      'versoin is not an input of team.release; did you mean version?',
    );
    expect(await wrong('--input', 'version=2', '--input', 'colour=red')).toContain('its inputs: version');
    expect(await wrong('--context', 'versoin=2')).toContain('did you mean `version`?');
    expect(await world.run(['start', 'team.release', '--input', 'version=2', '--context', 'colour=red'])).toMatchObject(
      {
        code: 0,
      },
    );
  });

  it('takes values as they are declared, and says which option is wrong', async () => {
    const told = answerOf((await start('R-5')).out);
    const { stateToken, ackToken } = told;
    const go = (...args: readonly string[]): ReturnType<typeof world.run> =>
      world.run(['continue', stateToken, ackToken, ...args]);
    expect(await go('--context', 'nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not key=value'),
    });
    expect(await go('--context', 'a:={')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--context a:= is not JSON'),
    });
    expect(await go('--context', '@missing.json')).toMatchObject({
      code: 2,
      err: expect.stringContaining('missing.json'),
    });
    expect(await go('--artifact', 'text')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--artifact is not JSON'),
    });
    expect(await go('--notes', '-', '--artifact', '-')).toMatchObject({ code: 2 });
    expect(await go('--mode', 'bold')).toMatchObject({
      code: 2,
      err: expect.stringContaining('guided, auto_stop, auto_never_stop'),
    });
    expect(await go('--notes', 'x', '--context', 'risk=<fill in>', '--context', 'slices=[]')).toMatchObject({
      code: 1,
      err: expect.stringContaining('--context risk is still'),
    });
    const started = answerOf((await world.run(['start', 'team.release', '--input', 'version=7', '--json'])).out);
    expect(started.pending?.prompt).toContain('release of 7 into');
  });
});

describe('a session that is damaged', () => {
  it('can be read as far as it goes, and is not written to: exit code 4, with the file and the remedy', async () => {
    const damage = async (key: string, line: number): Promise<void> => {
      await world.run(['start', 'team.release', '--session', key, '--input', 'version=1']);
      for (let note = 0; note < 4; note += 1) await world.run(['note', key, `note ${note}`]);
      const folder = join(world.workspace, '.workrail', 'sessions', key, 'segments');
      const [segment = ''] = readdirSync(folder);
      const lines = readFileSync(join(folder, segment), 'utf8').split('\n');
      writeFileSync(
        join(folder, segment),
        lines.map((text, index) => (index === line ? text.replace('"at":"2', '"at":"3') : text)).join('\n'),
      );
    };
    await damage('D-1', 0);
    await damage('D-2', 3);
    for (const key of ['D-1', 'D-2']) {
      const writes = [
        ['continue', '--session', key, '--notes', 'x'],
        ['checkpoint', '--session', key, '--notes', 'x'],
        ['note', key, 'x'],
        ['prefs', key, '--mode', 'auto_stop'],
      ];
      for (const args of writes) {
        const refused = await world.run(args);
        expect([args, refused.code]).toEqual([args, 4]);
        expect(`${refused.out}${refused.err}`).toMatch(/segments\/\S+\.ndjson/u);
      }
    }
    expect(await world.run(['continue', '--session', 'D-2'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Nothing can be recorded here'),
    });
    expect(answerOf((await world.run(['note', 'D-2', 'x', '--json'])).out)).toMatchObject({
      error_code: 'SESSION_DAMAGED',
      retryable: false,
    });
  });
});

describe('notes and preferences', () => {
  const start = async (key: string): Promise<Told> =>
    answerOf((await world.run(['start', 'team.release', '--session', key, '--input', 'version=1', '--json'])).out);

  it('are written once, at a session or at a node', async () => {
    await start('N-1');
    const first = await world.run(['note', 'N-1', 'Agreed with Ann.', '--json']);
    expect(answerOf(first.out)).toMatchObject({ sessionId: 'N-1', added: true, text: 'Agreed with Ann.' });
    expect(
      answerOf((await world.run(['note', 'N-1', '-', '--json'], { stdin: 'Agreed with Ann.\n' })).out),
    ).toMatchObject({ added: false, event: answerOf(first.out).event });
    expect(await world.run(['note', 'N-1', 'x', '--node', 'n_zz'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('workrail show'),
    });
    expect(await world.run(['note', 'N-1', ' '])).toMatchObject({ code: 1 });
    expect(await world.run(['note', 'N-1'])).toMatchObject({ code: 2 });
    expect(await world.run(['note', 'N-9', 'x'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('workrail sessions'),
    });
    expect(await world.run(['note', 'N-1', 'x'.repeat(70_000)])).toMatchObject({
      code: 1,
      err: expect.stringContaining('the limit is 65536'),
    });
    expect(await world.run(['note', 'N-1', 'key AKIAQZ7XK4M2TPW9RSVB'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Warning'),
    });
  });

  it('change what holds from the step that waits, and what new runs begin with', async () => {
    const { stateToken, ackToken } = await start('N-2');
    const changed = answerOf((await world.run(['prefs', 'N-2', '--mode', 'auto_never_stop', '--json'])).out);
    expect(changed).toMatchObject({
      changed: ['session', 'run'],
      session: { preferences: modes.auto_never_stop, run: { preferences: modes.auto_never_stop } },
    });
    expect(answerOf((await world.run(['prefs', 'N-2', '--mode', 'auto_never_stop', '--json'])).out)).toMatchObject({
      changed: [],
    });
    // Nothing that the step asks for is there, and it goes on all the same.
    const next = answerOf((await world.run(['continue', stateToken, ackToken, '--notes', 'x', '--json'])).out);
    expect(next).toMatchObject({ kind: 'ok', happened: 'advanced', preferences: modes.auto_never_stop });
    const other = answerOf(
      (await world.run(['start', 'team.release', '--session', 'N-2', '--input', 'version=2', '--json'])).out,
    );
    expect(other).toMatchObject({ preferences: modes.auto_never_stop });
    expect(answerOf((await world.run(['continue', stateToken, ackToken, '--notes', 'x', '--json'])).out)).toEqual(next);
  });

  it('change for one step that waits and what follows it, and nothing else', async () => {
    const { stateToken, ackToken } = await start('N-4');
    const [story] = (
      JSON.parse((await world.run(['show', 'N-4', '--json'])).out) as { readonly runs: readonly RunStory[] }
    ).runs;
    const nodeId = story!.preferredTip;
    const letters = nodeId.slice(2, 10);
    const changed = await world.run(['prefs', 'N-4', '--node', letters, '--mode', 'auto_never_stop']);
    expect(changed).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Changed\. This applies from “.+” on, on its branch only\.$/mu),
    });
    expect(answerOf((await world.run(['prefs', 'N-4', '--node', nodeId, '--json'])).out)).toMatchObject({
      changed: [],
      session: {
        preferences: modes.guided,
        run: { preferences: modes.auto_never_stop },
      },
    });
    expect((await world.run(['prefs', 'N-4', '--node', letters])).out).toContain(`prefs N-4 --node ${nodeId} --mode`);
    await world.run(['continue', stateToken, ackToken, '--notes', 'x']);
    // It is done by now, or was never there: said, with what to run next, and nothing changed.
    for (const [wanted, says] of [
      [letters, 'is done already'],
      ['zzzz', 'no step "zzzz"'],
    ] as const)
      expect(await world.run(['prefs', 'N-4', '--node', wanted, '--mode', 'guided'])).toMatchObject({
        code: 1,
        err: expect.stringContaining(says),
      });
    expect(await world.run(['prefs', '--global', '--node', letters])).toMatchObject({ code: 2 });
  });

  it('are told by the label and the sentence of their mode, where they are chosen and where one is recommended', async () => {
    await start('N-3');
    const words = (mode: Mode): string => `${modeWords[mode].label}: ${modeWords[mode].says}`;
    for (const mode of modeNames)
      expect((await world.run(['prefs', 'N-3', '--mode', mode])).out).toContain(words(mode));
    const careful = release.replace(/^steps:/mu, 'recommends: { mode: auto_stop }\nsteps:');
    writeFileSync(join(workflows, 'careful.yaml'), careful.replace('team.release', 'team.careful'));
    expect((await world.run(['inspect', 'team.careful'])).out).toContain(words('auto_stop'));
    rmSync(join(workflows, 'careful.yaml'));
  });

  it('are kept for all new sessions in a file whose other words stay', async () => {
    const file = join(world.home, '.config', 'workrail', 'config.json');
    mkdirSync(join(world.home, '.config', 'workrail'), { recursive: true });
    writeFileSync(file, '{"workflowFolders":["../ours"],"mode":"auto_stop"}');
    expect(answerOf((await world.run(['prefs', '--global', '--risk', 'aggressive', '--json'])).out)).toMatchObject({
      changed: ['global'],
      global: { ...modes.auto_stop, riskPolicy: 'aggressive' },
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      workflowFolders: ['../ours'],
      mode: 'auto_stop',
      preferences: { riskPolicy: 'aggressive' },
    });
    expect(answerOf((await world.run(['start', 'team.release', '--input', 'version=3', '--json'])).out)).toMatchObject({
      preferences: { ...modes.auto_stop, riskPolicy: 'aggressive' },
    });
    await world.run(['prefs', '--global', '--mode', 'guided']);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ workflowFolders: ['../ours'], mode: 'guided' });
    writeFileSync(file, '{ broken');
    expect(await world.run(['prefs', '--global', '--mode', 'guided'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('config.json'),
    });
    expect(readFileSync(file, 'utf8')).toBe('{ broken');
    writeFileSync(file, '{}');
    expect(await world.run(['prefs', '--global', 'N-2'])).toMatchObject({ code: 2 });
  });
});

const escapes = ['\u001b[31m', '\u001b]0;owned\u0007', '\u009b2J', '\r', '\b', '\u007f', '\u0085', '\u0000'];

const painted = new RegExp(`${String.fromCodePoint(27)}\\[(?:1|2|22|31|32|39)m`, 'gu');

describe('a terminal', () => {
  it('is never shown an escape or a control character of a session', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...escapes), oddText(6)), { minLength: 1, maxLength: 4 }),
        async (pieces) => {
          const text = `Verified: ${pieces.join(' and ')}`;
          const key = `T-${Math.abs(pieces.join('').length)}`;
          await world.run([
            'start',
            'team.release',
            '--session',
            key,
            '--fresh',
            '--input',
            `version:=${JSON.stringify(text)}`,
          ]);
          await world.run(['note', key, text]);
          const outs = [
            await world.run(
              [
                'continue',
                '--session',
                key,
                '--notes',
                text,
                '--context',
                `{"slices":[${JSON.stringify(text)}],"risk":"low"}`,
              ],
              { terminal: true },
            ),
            await world.run(['continue', '--session', key], { terminal: true }),
            await world.run(['resume', key], { terminal: true }),
          ];
          for (const { out, err } of outs) {
            const unpainted = `${out}${err}`.replaceAll(painted, '');
            expect(unpainted).not.toMatch(/[^\P{Cc}\n]/u);
          }
        },
      ),
      runs(12),
    );
  });
});

it('a file that was edited under a run is told of once, on the step that follows', async () => {
  const file = join(workflows, 'edited.yaml');
  const text = (prompt: string): string =>
    `workflow: team.edited\ntitle: Edited\ndescription: Use it.\nsteps:\n${['a', 'b', 'c']
      .map((id) => `  - { id: ${id}, title: ${id}, prompt: ${prompt} }\n`)
      .join('')}`;
  writeFileSync(file, text('Look.'));
  const begun = await world.run(['start', 'team.edited', '--session', 'EDIT-1', '--json']);
  const { stateToken, ackToken } = answerOf(begun.out);
  writeFileSync(file, text('Look twice.'));
  const first = await world.run(['continue', stateToken, ackToken, '--notes', 'done']);
  const told = 'edited.yaml has changed since this run started (step a: prompt changed;';
  expect(first.out).toContain(told);
  const second = await world.run(['continue', '--session', 'EDIT-1', '--notes', 'done']);
  expect(second).toMatchObject({ code: 0, out: expect.not.stringContaining('has changed since') });
  // What was recorded says what it said, whatever the file is now.
  expect((await world.run(['continue', stateToken, ackToken, '--notes', 'done'])).out).toBe(first.out);
});
