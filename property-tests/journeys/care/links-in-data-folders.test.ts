import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';
import { tiny } from '../../worlds/library-world.js';

/** A data folder in which every part is there; each part is made a link in turn, and everything is asked. */
const canary = 'CANARY-of-a-home-folder';
let template: string;
let world: CommandLineWorld;
let token = '';
let [segment, pin] = ['', ''];
const session = 'AUTH-1';
const root = (...names: readonly string[]): string => join(world.workspace, '.workrail', ...names);

beforeAll(async () => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.git'));
  writeFileSync(join(world.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await world.run(['init']);
  mkdirSync(root('workflows', 'below'), { recursive: true });
  writeFileSync(root('workflows', 'own.yaml'), tiny('team.own'));
  writeFileSync(root('workflows', 'below', 'deep.yaml'), tiny('team.deep'));
  const started = await world.run(['start', 'team.own', '--session', session, '--json']);
  token = (JSON.parse(started.out) as { readonly stateToken: string }).stateToken;
  for (const part of ['ended', 'snapshots', 'tmp', 'trash', 'index', 'running/claims'])
    mkdirSync(root('local', part), { recursive: true });
  mkdirSync(root('quarantine', session), { recursive: true });
  writeFileSync(root('local', 'snapshots', `${session}.fold`), 'x');
  writeFileSync(root('local', 'index', 'sessions'), 'x');
  [segment] = readdirSync(root('sessions', session, 'segments')) as [string];
  [pin] = readdirSync(root('sessions', session, 'pins')) as [string];
  template = mkdtempSync(join(tmpdir(), 'linked-'));
  rmSync(template, { recursive: true });
  cpSync(world.folder, template, { recursive: true });
});
afterAll(() => {
  rmSync(template, { recursive: true, force: true });
  world.close();
});

function makeAnew(): void {
  rmSync(world.folder, { recursive: true });
  cpSync(template, world.folder, { recursive: true });
}

/** Every entry of a data folder, and whether all requests, those about the session, or the care for it must tell of it. */
const places = (): readonly (readonly [place: string, told: 'everybody' | 'its session' | 'doctor' | 'the list'])[] => [
  ['.', 'everybody'],
  ...['sessions', 'local', 'workflows', 'quarantine', '.gitignore', '.gitattributes'].map(
    (part) => [part, 'everybody'] as const,
  ),
  ...['locks', 'ended', 'snapshots', 'tmp', 'trash', 'index', 'running'].map(
    (part) => [`local/${part}`, 'everybody'] as const,
  ),
  [`sessions/${session}`, 'its session'],
  [`sessions/${session}/segments`, 'its session'],
  [`sessions/${session}/pins`, 'its session'],
  [`sessions/${session}/segments/${segment}`, 'its session'],
  [`sessions/${session}/pins/${pin}`, 'its session'],
  ['workflows/own.yaml', 'the list'],
  ['workflows/below', 'the list'],
  ['workflows/below/deep.yaml', 'the list'],
  ['local/locks/.grown', 'doctor'],
  [`local/locks/${session}`, 'doctor'],
  [`local/locks/${session}.holder`, 'doctor'],
  [`local/locks/.${session}.queue`, 'doctor'],
  [`local/ended/${session}`, 'doctor'],
  [`local/ended/${session}/${segment}`, 'doctor'],
  [`local/snapshots/${session}.fold`, 'doctor'],
  ['local/index/sessions', 'doctor'],
  ['local/running/claims', 'doctor'],
  [`quarantine/${session}`, 'doctor'],
];

type Kind = 'outside' | 'inside' | 'dangling' | 'itself';

/** Puts a link in the place of an entry, which goes where the link leads. */
function link(place: string, kind: Kind, outside: string): void {
  const path = root(place);
  mkdirSync(dirname(path), { recursive: true });
  const goal = kind === 'inside' ? join(world.workspace, 'moved') : join(outside, 'goal');
  if (kind === 'itself') {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(path, path);
    return;
  }
  if (kind === 'dangling') rmSync(path, { recursive: true, force: true });
  else if (existsSync(path)) renameSync(path, goal);
  else if (/\.holder$|\.grown$|\.ndjson$/u.test(path)) writeFileSync(goal, canary);
  else mkdirSync(goal);
  if (kind === 'outside' && lstatSync(goal).isDirectory()) {
    writeFileSync(join(goal, 'secret.yaml'), `workflow: team.secret\ntitle: ${canary}\n`);
    mkdirSync(join(goal, 'workflows'), { recursive: true });
    writeFileSync(join(goal, 'workflows', 'secret.yaml'), `workflow: team.secret\ntitle: ${canary}\n`);
  }
  symlinkSync(goal, path);
}

const asked: Readonly<
  Record<string, { readonly words: () => readonly string[]; readonly about: 'session' | 'library' }>
> = Object.fromEntries(
  (
    [
      [['list'], 'library'],
      [['inspect', 'team.secret', '--source'], 'library'],
      [['start', 'team.own'], 'library'],
      [['validate'], 'library'],
      [['resume', session], 'session'],
      [['sessions'], 'session'],
      [['show', session], 'session'],
      [['log', session], 'session'],
      [['note', session, 'a note'], 'session'],
      [['continue', () => token], 'session'],
      [['export', session, '-o', '../out.workrail', '--force'], 'session'],
      [['render', session], 'session'],
      [['prefs', session, '--risk', 'aggressive'], 'session'],
      [['redact', session, 'Do it now', '--yes'], 'session'],
      [['prune', '--session', session, '--in-use', '--yes'], 'session'],
      [['sessions', 'move', session, '--to', 'user'], 'session'],
      [['doctor'], 'session'],
      [['doctor', '--secrets'], 'session'],
      [['doctor', session, '--repair'], 'session'],
    ] as const
  ).map(([words, about]) => [
    words.filter((word) => typeof word === 'string').join(' '),
    { about, words: () => words.map((word) => (typeof word === 'string' ? word : word())) },
  ]),
);

/** Every entry below a folder, and whether it is the same as it was. */
const marksOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { ino, size, mtimeMs, ctimeMs } = lstatSync(path);
      return [path, ino, size, mtimeMs, ctimeMs].join();
    })
    .toSorted()
    .join('\n');
const treeOf = (folder: string): unknown => [
  marksOf(folder),
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .toSorted(),
];

/** Where everybody is refused at one door, or nothing is behind the link, there is less to find out. */
const isTried = (command: string, told: string, kind: Kind): boolean =>
  kind !== 'outside'
    ? /^(?:note|continue|doctor$)/u.test(command) || (command === 'validate' && /^(?:everybody|the list)$/u.test(told))
    : told === 'everybody'
      ? /^(?:list|start|note|continue|export|doctor)/u.test(command)
      : told === 'its session' || /^(?:list|validate|resume|note|redact|prune|sessions move|doctor)/u.test(command);

/** A list of sessions says `damage`, and credentials are looked for in segments alone. */
const mustSay = (command: string, place: string, told: string, about: string): boolean =>
  told === 'everybody' ||
  command === 'doctor' ||
  (told === 'the list' && command === 'validate') ||
  (told === 'its session' &&
    about === 'session' &&
    command !== 'sessions' &&
    !(command === 'doctor --secrets' && place.includes('/pins')));

describe.each(['outside', 'inside', 'dangling', 'itself'] as const)('a link that leads %s', (kind) => {
  test('is followed by nothing, and told of, wherever it is in a data folder', async () => {
    const wrong: string[] = [];
    const outside = join(world.folder, 'outside');
    const goal = kind === 'inside' ? join(world.workspace, 'moved') : outside;
    for (const [place, told] of places()) {
      let linked: string | undefined;
      for (const [command, { words, about }] of Object.entries(asked)) {
        if (!isTried(command, told, kind)) continue;
        // Whoever is refused leaves all as it was, and it need not be made again for the next.
        if (linked === undefined || linked !== marksOf(world.folder)) {
          makeAnew();
          mkdirSync(outside);
          link(place, kind, outside);
          linked = marksOf(world.folder);
        }
        const before = existsSync(goal) && lstatSync(goal).isDirectory() ? treeOf(goal) : undefined;
        const { code, out, err, bytes } = await world.run(words());
        const said = `${out}${err}${bytes.toString()}`;
        const where = `${command} with ${place} as a link that leads ${kind}`;
        if (before !== undefined && JSON.stringify(treeOf(goal)) !== JSON.stringify(before))
          wrong.push(`${where} changed what it leads to`);
        if (said.includes(canary)) wrong.push(`${where} told what it leads to`);
        if (mustSay(command, place, told, about) && !/link/u.test(said))
          wrong.push(`${where} (${code}) did not say so: ${said.slice(0, 200)}`);
        if (/at \S+ \(?(?:file|node):|AssertionError|INTERNAL/u.test(said))
          wrong.push(`${where} ended as a mistake of ours: ${said.slice(0, 400)}`);
      }
    }
    expect(wrong.slice(0, 40)).toEqual([]);
  }, 120_000);
});

test('a workspace, a home and a folder above the data folder may be reached through links', async () => {
  makeAnew();
  const reached = join(world.folder, 'reached');
  symlinkSync(world.workspace, reached);
  const through = await world.run(['note', session, 'through a link', '--workspace', reached]);
  expect(through).toMatchObject({ code: 0, err: '' });
  mkdirSync(join(world.folder, 'big'));
  symlinkSync(join(world.folder, 'big'), join(world.folder, 'tmp'));
  const named = ['--data-dir', join(world.folder, 'tmp', 'data')];
  expect(await world.run(['start', 'team.own', '--session', 'NEW-1', ...named])).toMatchObject({ code: 0, err: '' });
  expect(await world.run(['export', 'NEW-1', '-o', join(world.folder, 'tmp', 'x.workrail'), ...named])).toMatchObject({
    code: 0,
  });
  expect(realpathSync(join(world.folder, 'tmp', 'data'))).toBe(join(realpathSync(world.folder), 'big', 'data'));
});

describe('init', () => {
  test('makes nothing behind a link', async () => {
    makeAnew();
    const outside = join(world.folder, 'outside');
    for (const part of ['.', 'sessions']) {
      rmSync(outside, { recursive: true, force: true });
      rmSync(root(), { recursive: true, force: true });
      mkdirSync(outside);
      mkdirSync(dirname(root(part)), { recursive: true });
      symlinkSync(outside, root(part));
      const { code, err } = await world.run(['init']);
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('is a symbolic link') as unknown });
      expect(readdirSync(outside)).toEqual([]);
    }
  });

  test.each(['.cursor', '.cursor/mcp.json'])('writes into no project through %s as a link', async (place) => {
    makeAnew();
    const outside = join(world.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'mcp.json'), '{}\n');
    mkdirSync(dirname(join(world.workspace, place)), { recursive: true });
    symlinkSync(place === '.cursor' ? outside : join(outside, 'mcp.json'), join(world.workspace, place));
    for (const words of [['--write'], ['--write', '--force'], ['--undo']]) {
      const { code, err } = await world.run(['init', '--client', 'cursor', '--project', ...words]);
      expect({ code, err }).toEqual({ code: 3, err: expect.stringContaining('is a symbolic link') as unknown });
      expect(readFileSync(join(outside, 'mcp.json'), 'utf8')).toBe('{}\n');
      expect(readdirSync(outside)).toEqual(['mcp.json']);
    }
  });
});
