import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startAgent } from '../frame/agent.mjs';
import { runCommand } from '../frame/command.mjs';
import { filesUnder, leaks, overHttp } from '../frame/leaks.mjs';
import { countAcked, openLedger } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { openPlayer } from '../frame/player.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

const names = [
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'NPM_TOKEN',
  'OPENAI_API_KEY',
  'DATABASE_URL',
  'SSH_AUTH_SOCK',
  'PASSWORD',
  'WORKRAIL_SECRET',
  'EDITOR',
  'PAGER',
];
const remotes = [
  (canary) => `https://ann:${canary}@example.org/team/thing.git`,
  (canary) => `https://${canary}@example.org/team/thing.git`,
  (canary) => `https://example.org/team/thing.git?private_token=${canary}`,
  (canary) => `https://example.org/team/thing.git#${canary}`,
  (canary) => `ssh://ann:${canary}@example.org:2222/team/thing.git`,
  (canary) => `${canary}@example.org:team/thing.git`,
  (canary) => `ann:${canary}@example.org:team/thing.git`,
  (canary) => `oauth2:${canary}@example.org/team/thing.git`,
  (canary) => `https:ann:${canary}@example.org/team/thing.git`,
  (canary) => `gcrypt::https://ann:${canary}@example.org/team/thing.git`,
  (canary) => `hg::https://${canary}@example.org/team/thing`,
  (canary) => `codecommit::eu-west-1://${canary}@thing`,
  (canary) => `codecommit://${canary}@thing`,
  (canary) => `ext::ssh -i ${canary} ann@example.org %S team/thing`,
  (canary) => `https://ann/${canary}@example.org/team/thing.git`,
  (canary) => `https://ann:12?${canary}@example.org/team/thing.git`,
  (canary) => `file:///home/${canary}/thing.git`,
  (canary) => `/home/${canary}/thing.git`,
  (canary) => `../${canary}/thing.git`,
];

/** A repository whose remote holds a secret, made without git: only its own files are read. */
function makeRepository(folder, url) {
  mkdirSync(join(folder, '.git', 'refs', 'heads'), { recursive: true });
  mkdirSync(join(folder, '.git', 'objects'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${'ab'.repeat(20)}\n`);
  writeFileSync(
    join(folder, '.git', 'config'),
    `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
  );
}

export const scenario = {
  name: 'secrets-stay-out',
  says: 'secrets in the environment, in the keys, in the url of a remote and in HTTP headers, and the path of the workspace, reach no segment, pin, bundle, export, log or answer',
  needs: ['linux'],
  mutants: ['remote-as-written', 'repository-as-path', 'environment-in-notes'],
  rounds: 20,
  smoke: 1,
  smokeSeconds: 10,
  mutantRounds: 1,
  run: async (options) => {
    const { build, sound } = options;
    const oracle = openOracle(sound);
    const sum = await playRounds(options, 'secrets-stay-out', async ({ round, folder, dice }) => {
      const canary = (name) => `canary${name}${dice.below(2 ** 30).toString(36)}${dice.below(2 ** 30).toString(36)}`;
      const path = canary('Path');
      const plain = makeWorld(join(folder, path));
      const world = { ...plain, dataDir: join(plain.workspace, '.workrail') };
      mkdirSync(world.dataDir);
      const inEnvironment = Object.fromEntries(names.map((name) => [name, canary('Env')]));
      const inRemote = canary('Remote');
      makeRepository(world.workspace, remotes[round % remotes.length](inRemote));
      const ledger = openLedger(`X${dice.below(1e6)}`);
      const player = openPlayer({ ledger, dice, name: 'SECRET' });
      const agent = await startAgent({ ...sound, program: build.program }, world, { env: inEnvironment });
      await player.play(agent, 12);
      const found = await agent.call('resume_session', { query: 'SECRET' });
      const refused = await agent.call('continue_workflow', { stateToken: 'st.v1.nothing' });
      await agent.close();
      const keys = JSON.parse(readFileSync(join(world.config, 'keys.json'), 'utf8'));
      const inKeys = JSON.stringify(keys)
        .match(/"[A-Za-z0-9+/=_-]{32,}"/gu)
        .map((text) => text.slice(1, -1));
      const header = canary('Header');
      const bundle = join(folder, 'out.workrail');
      const commands = [
        ['list', '--json'],
        ['show', 'SECRET-0', '--json'],
        ['log', 'SECRET-0'],
        ['graph', 'SECRET-0'],
        ['render', 'SECRET-0', '--format', 'md'],
        ['render', 'SECRET-0', '--format', 'html'],
        ['export', 'SECRET-0', '-o', bundle],
        ['doctor', '--json'],
        ['prefs', '--json'],
        ['nothing'],
      ];
      const told = [];
      // What a mutant lets in is in the session, which is where it is seen.
      for (const words of options.stopAtFirst ? commands.filter(([name]) => name === 'export') : commands) {
        const { out, err } = await runCommand(build, world, words, { env: inEnvironment });
        told.push({ where: `what workrail ${words[0]} says`, bytes: Buffer.from(out + err) });
      }
      const http = options.stopAtFirst
        ? { answers: [], hit: true }
        : await overHttp(build, world, {
            env: inEnvironment,
            session: 'SECRET-0',
            headers: (address) => ({
              Authorization: `Bearer ${header}`,
              Cookie: `session=${header}`,
              'User-Agent': header,
              Referer: `${address}/?key=${header}`,
            }),
          });
      told.push(...http.answers.map((text) => ({ where: 'an answer over HTTP', bytes: Buffer.from(text) })));
      told.push(
        ...[...ledger.entries.map(({ text }) => text), found?.text, refused?.text].map((text) => ({
          where: 'an answer',
          bytes: Buffer.from(text ?? ''),
        })),
        { where: 'stderr of the server', bytes: Buffer.from(agent.stderr().join('\n')) },
      );
      const lying = filesUnder(world.dataDir).map((file) => ({
        where: `the file ${file.slice(world.dataDir.length + 1)}`,
        bytes: readFileSync(file),
      }));
      const unpacked = existsSync(bundle) ? [{ where: 'the bundle', bytes: gunzipSync(readFileSync(bundle)) }] : [];
      const secrets = [
        ...Object.entries(inEnvironment).map(([name, text]) => ({ what: `${name} of the environment`, text })),
        { what: 'a secret of the remote', text: inRemote },
        { what: 'a header', text: header },
        ...inKeys.map((text) => ({ what: 'a key', text })),
      ];
      const violations = [
        ...leaks(secrets, [...told, ...lying, ...unpacked]),
        ...leaks(
          [{ what: 'the path of the workspace', text: path }],
          [...lying.filter(({ where }) => where.startsWith('the file sessions/')), ...unpacked],
        ),
      ];
      if (!http.hit) violations.push(`the web server did not show the session: ${http.answers.at(-1).slice(0, 300)}`);
      if (unpacked.length === 0) violations.push('the session could not be exported');
      const { violations: lost } = await oracle.judge(world, ledger.entries, { repeats: 0 });
      return { hit: inKeys.length > 0 ? 1 : 0, acked: countAcked(ledger), violations: [...violations, ...lost] };
    });
    oracle.close();
    return sum;
  },
};
