import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DoctorFinding, DoctorReport, SecretsReport } from '../../../src/contract/doctor-answers.js';
import { eventVersion } from '../../../src/events/event.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

let world: CommandLineWorld;
beforeEach(async () => {
  world = makeCommandLineWorld();
  mkdirSync(join(world.workspace, '.workrail'));
  for (const key of ['AUTH-1', 'SHOP-2']) {
    await world.run(['start', 'wr.bug_investigation', '--session', key, '--input', 'symptom=Login fails']);
    for (const text of ['one', 'two', 'three']) await world.run(['note', key, `Note ${text} of ${key}`]);
  }
});
afterEach(() => world.close());

const root = (...names: readonly string[]): string => join(world.workspace, '.workrail', ...names);
const segments = (session: string): readonly string[] => readdirSync(root('sessions', session, 'segments')).toSorted();
const segmentWith = (session: string, text: string): string =>
  root(
    'sessions',
    session,
    'segments',
    segments(session).find((name) => readFileSync(root('sessions', session, 'segments', name), 'utf8').includes(text))!,
  );
const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(file, change(readFileSync(file, 'utf8')));

async function doctor(...args: readonly string[]): Promise<{ readonly code: number; readonly report: DoctorReport }> {
  const { code, out, err } = await world.run(['doctor', '--json', ...args]);
  expect(err).toBe('');
  return { code, report: JSON.parse(out) as DoctorReport };
}

const about = (findings: readonly DoctorFinding[], file: string): DoctorFinding => {
  const found = findings.find((finding) => finding.file === file);
  expect(found, file).toBeDefined();
  return found!;
};

describe('workrail doctor', () => {
  test('says that nothing is wrong where nothing is, and writes nothing', async () => {
    const all = (): readonly string[] => readdirSync(world.folder, { recursive: true, encoding: 'utf8' }).toSorted();
    const before = all();
    expect(await doctor()).toMatchObject({
      code: 0,
      report: { sessions: 2, events: 10, findings: [], repairs: [], sound: true },
    });
    const { out, code } = await world.run(['doctor']);
    expect(code).toBe(0);
    expect(out).toContain('Checked 2 sessions with 10 events');
    expect(out).toContain('No problems found.');
    expect(all()).toEqual(before);
  });

  test('names session, file, line and byte of damage, what it means and what to do; repairs it; and the work goes on', async () => {
    const file = segmentWith('AUTH-1', 'Note two');
    const line =
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('Note two')) + 1;
    edit(file, (text) => text.replace('Note two', 'Note tvo'));
    const { code, report } = await doctor();
    expect(code).toBe(4);
    expect(report.findings).toMatchObject([{ level: 'damage', session: 'AUTH-1', line, byte: expect.any(Number) }]);
    expect(report.findings[0]!.remedy).toContain('`workrail doctor AUTH-1 --repair`');
    expect((await doctor('SHOP-2')).code).toBe(0);
    const refused = await world.run(['note', 'AUTH-1', 'more']);
    expect(refused.code).toBe(4);
    expect(refused.err).toContain('`workrail doctor AUTH-1 --repair`');

    const repaired = await doctor('AUTH-1', '--repair');
    expect(repaired).toMatchObject({
      code: 0,
      report: {
        sound: true,
        repairs: [
          {
            session: 'AUTH-1',
            files: [{ did: 'mended', lost: [expect.stringContaining('note_added')] }],
            withdrawn: { damaged: 1, lost: 0 },
          },
        ],
      },
    });
    expect(readFileSync(root(repaired.report.repairs[0]!.files[0]!.quarantined), 'utf8')).toContain('Note tvo');
    expect((await world.run(['note', 'AUTH-1', 'more'])).code).toBe(0);
    expect((await world.run(['show', 'AUTH-1'])).out).toContain('State the problem');
    // The quarantine is told of, and is no reason to fail.
    const after = await doctor();
    expect(after.code).toBe(0);
    expect(about(after.report.findings, 'quarantine/AUTH-1').level).toBe('note');
  });

  test.each([
    ['missing', (text: string) => text.slice(0, -1)],
    ['another byte', (text: string) => `${text.slice(0, -1)}X`],
  ])('a last line feed that is %s is put back by one repair, and the line is taken in', async (_what, spoil) => {
    const file = segmentWith('AUTH-1', 'Note three');
    const before = readFileSync(file, 'utf8');
    edit(file, spoil);
    const { report } = await doctor();
    const torn = report.findings.find(({ level }) => level === 'torn');
    expect(torn?.remedy).toContain('`workrail doctor AUTH-1 --repair`');
    expect(await doctor('--repair')).toMatchObject({ code: 0, report: { events: 10, sound: true } });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('line ends that git rewrote are put right byte for byte', async () => {
    const [name] = segments('AUTH-1');
    const file = root('sessions', 'AUTH-1', 'segments', name!);
    const whole = readFileSync(file, 'utf8');
    edit(file, (text) => text.replaceAll('\n', '\r\n'));
    expect((await doctor()).code).toBe(4);
    const { out, code } = await world.run(['doctor', '--repair']);
    expect(code).toBe(0);
    expect(out).toContain('byte for byte');
    expect(readFileSync(file, 'utf8')).toBe(whole);
  });

  test('a newer format is left alone', async () => {
    const file = segmentWith('AUTH-1', 'Note three');
    const { createHash } = await import('node:crypto');
    edit(file, (text) => {
      const body = text
        .trimEnd()
        .split('\n')
        .at(-1)!
        .replace(/"v":\d/u, `"v":${eventVersion + 1}`)
        .replace(/,"sum":"[0-9a-f]{16}"\}$/u, '');
      return `${text}${body},"sum":"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"}\n`;
    });
    const before = readFileSync(file, 'utf8');
    const { code, report } = await doctor('--repair');
    expect(code).toBe(4);
    expect(report.repairs).toEqual([]);
    expect(report.findings).toMatchObject([
      { level: 'newer', session: 'AUTH-1', remedy: expect.stringContaining('upgrade') },
    ]);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('a missing segment is incomplete until its loss is accepted, and counts again when it comes back', async () => {
    for (const text of ['four', 'five']) await world.run(['note', 'AUTH-1', text]);
    rmSync(root('local'), { recursive: true });
    await world.run(['note', 'AUTH-1', 'in another segment']);
    const [first] = segments('AUTH-1');
    const file = root('sessions', 'AUTH-1', 'segments', first!);
    const bytes = readFileSync(file);
    rmSync(file);
    const found = await doctor();
    expect(found.code).toBe(4);
    expect(
      found.report.findings.some(({ level, remedy }) => level === 'incomplete' && remedy.includes('--accept-loss')),
    ).toBe(true);
    expect((await doctor('--repair')).report.repairs).toEqual([]);
    expect((await doctor('--repair', '--accept-loss')).report.repairs).toMatchObject([
      { session: 'AUTH-1', withdrawn: { damaged: 0, lost: 1 } },
    ]);
    expect((await doctor()).report.findings.filter(({ level }) => level === 'incomplete')).toEqual([]);
    writeFileSync(file, bytes);
    expect((await doctor()).report).toMatchObject({ sound: true });
    expect((await world.run(['log', 'AUTH-1'])).bytes.toString()).toContain('Note two');
  });

  test('a wrong pin goes to quarantine and comes back from the library; an orphaned one is told of', async () => {
    const [pin] = readdirSync(root('sessions', 'AUTH-1', 'pins'));
    const file = root('sessions', 'AUTH-1', 'pins', pin!);
    const whole = readFileSync(file, 'utf8');
    edit(file, (text) => text.replace('Investigate', 'Instigate'));
    expect((await doctor()).code).toBe(4);
    expect(await doctor('--repair')).toMatchObject({
      code: 0,
      report: { repairs: [{ files: [{ file: `pins/${pin}`, did: 'moved' }] }] },
    });
    expect(readFileSync(file, 'utf8')).toBe(whole);

    const { createHash } = await import('node:crypto');
    const orphan = `${createHash('sha256').update('{}').digest('hex')}.json`;
    writeFileSync(root('sessions', 'SHOP-2', 'pins', orphan), '{}');
    writeFileSync(root('sessions', 'SHOP-2', 'segments', '000001-abc (conflicted copy).ndjson'), 'x');
    const { report } = await doctor('SHOP-2');
    expect(report.findings.map(({ level, file: where }) => `${level} ${where}`)).toEqual([
      `note pins/${orphan}`,
      'note segments/000001-abc (conflicted copy).ndjson',
      `damage pins/${orphan}`,
    ]);
  });

  test('links, locks of the dead, leftovers, keys that others may read and broken files are told, each with what to do', async () => {
    mkdirSync(root('local', 'locks', 'AUTH-1'), { recursive: true });
    writeFileSync(
      root('local', 'locks', 'AUTH-1.holder'),
      JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), since: '2026-01-01' }),
    );
    mkdirSync(root('local', 'trash', 'OLD-1'), { recursive: true });
    symlinkSync('/nowhere', root('sessions', 'LINKED-1'));
    mkdirSync(join(world.workspace, '.git'));
    writeFileSync(join(world.workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(root('.gitattributes'), '');
    mkdirSync(root('workflows'));
    writeFileSync(root('workflows', 'broken.yaml'), 'workflow: team.broken\n');
    const config = join(world.home, '.config', 'workrail');
    expect(existsSync(join(config, 'keys.json'))).toBe(true);
    chmodSync(join(config, 'keys.json'), 0o644);
    writeFileSync(join(config, 'config.json'), '{ "mode": 7 }');
    const { code, report } = await doctor();
    expect(code).toBe(4);
    expect(about(report.findings, 'local/locks/AUTH-1').message).toContain('has ended');
    expect(about(report.findings, 'local/trash').level).toBe('note');
    expect(about(report.findings, 'sessions/LINKED-1').level).toBe('damage');
    expect(about(report.findings, '.gitattributes').remedy).toContain('*.ndjson -text');
    expect(about(report.findings, 'keys.json').remedy).toContain('chmod 600');
    expect(about(report.findings, 'config.json').level).toBe('note');
    expect(
      report.findings.some(({ file, remedy }) => file.includes('broken.yaml') && remedy.includes('workrail validate')),
    ).toBe(true);
    for (const { message, remedy } of report.findings) expect([message, remedy]).not.toContain('');

    writeFileSync(join(config, 'keys.json'), 'nothing');
    expect(
      (await doctor()).report.findings.filter(({ file, level }) => file === 'keys.json' && level === 'damage'),
    ).toHaveLength(1);
  });

  test('switches that do not go together are a mistake in the command line', async () => {
    for (const args of [['--accept-loss'], ['--secrets', '--repair'], ['--everywhere'], ['--except', 'x']])
      expect((await world.run(['doctor', ...args])).code).toBe(2);
    expect((await world.run(['doctor', 'NOWHERE-9'])).code).toBe(1);
  });
});

describe('workrail doctor --secrets', () => {
  const key = `${'AK'}IAQWERTYUIOPASDFGH`;

  test('prints file and line of what looks like a credential, never the whole of it, and exits with 1', async () => {
    expect((await world.run(['doctor', '--secrets'])).code).toBe(0);
    await world.run(['note', 'AUTH-1', `it logs in with ${key}`]);
    const { code, out } = await world.run(['doctor', '--secrets']);
    expect(code).toBe(1);
    expect(out).toMatch(/^\.workrail\/sessions\/AUTH-1\/segments\/\d+-[0-9a-z]+\.ndjson:\d+: an AWS access key: /u);
    expect(out).toContain('workrail redact AUTH-1');
    expect(out).not.toContain(key);
    const report = JSON.parse((await world.run(['doctor', '--secrets', '--json'])).out) as SecretsReport;
    expect(report.secrets).toMatchObject([{ session: 'AUTH-1', pointer: '/text' }]);
    expect((await world.run(['doctor', '--secrets', '--except', report.secrets[0]!.event!])).code).toBe(0);
    expect((await world.run(['doctor', '--secrets', 'SHOP-2'])).code).toBe(0);
  });

  test('also looks where no session reads: torn, damaged and withdrawn lines', async () => {
    const file = segmentWith('AUTH-1', 'Note two');
    edit(file, (text) => `${text}{"v":1,"seq":99,"text":"torn ${key}`);
    expect((await world.run(['doctor', '--secrets'])).code).toBe(1);
  });

  test('leaves out what no repository carries, unless asked', async () => {
    cpSync(root('sessions', 'AUTH-1'), join(world.home, '.local', 'share', 'workrail', 'sessions', 'AUTH-1'), {
      recursive: true,
    });
    const own = join(world.home, '.local', 'share', 'workrail', 'sessions', 'AUTH-1', 'segments');
    writeFileSync(join(own, readdirSync(own)[0]!), `${key}\n`, { flag: 'a' });
    const { code, out } = await world.run(['doctor', '--secrets']);
    expect(code).toBe(0);
    expect(out).toContain('Not scanned');
    expect((await world.run(['doctor', '--secrets', '--everywhere'])).code).toBe(1);
  });
});
