import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startAgent } from '../frame/agent.mjs';
import { runCommand } from '../frame/command.mjs';
import { openTracker } from '../frame/issue-tracker.mjs';
import { filesUnder, leaks, overHttp } from '../frame/leaks.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { linesOf, makeRunnerWorld } from '../frame/runner-world.mjs';

const workflow = `workflow: user.runs
title: Runs
description: Use this to see what becomes of secrets.
steps:
  - id: look
    run: tracker issues/list
    with: { q: "a \${{ secrets.ASKED }}" }
  - id: file
    run: tracker issues/create
    body: { title: "with \${{ secrets.SENT }}" }
  - id: lost
    run: tracker issues/create
    body: { title: "lost \${{ secrets.SENT }}" }
  - id: none
    run: tracker issues/get
    with: { id: 404 }
    on_error: continue
  - id: say
    prompt: Tell of \${{ outputs.look.body }}, \${{ outputs.file.body }} and \${{ outputs.none.body }}.
    notes: optional
returns: { all: "\${{ outputs.file.body }}" }
`;

const auths = [
  { kind: 'bearer', token: '${{ secrets.WHO }}' },
  { kind: 'basic', user: 'me', password: '${{ secrets.WHO }}' },
  { kind: 'header', name: 'X-Api-Key', value: '${{ secrets.WHO }}' },
  { kind: 'query', name: 'api_key', value: '${{ secrets.WHO }}' },
  { kind: 'cookie', name: 'sid', value: '${{ secrets.WHO }}' },
];

/** A text in the ways that a server may say it back, with what comes before it cut where that is part of it. */
const spellings = (text) => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  Buffer.from(text).toString('hex'),
  ...['', 'me:', 'a:'].map((before) => Buffer.from(`${before}${text}`).toString('base64').slice(6, -6)),
  Buffer.from(text).toString('base64url').slice(0, -4),
];

export const scenario = {
  name: 'command-secrets-stay-out',
  says: 'secrets in headers, query, cookies and bodies of commands, sent to a server that says them back in every way, in answers, in headers and in errors: none reaches an event, an answer, a log, a page or a bundle',
  needs: ['linux'],
  mutants: ['masking-off'],
  rounds: 20,
  smoke: 1,
  smokeSeconds: 15,
  mutantRounds: 1,
  run: (options) => {
    const { build, sound, stopAtFirst } = options;
    return playRounds(options, 'command-secrets-stay-out', async ({ round, folder, dice }) => {
      const secrets = Object.fromEntries(
        ['WHO', 'OWN', 'ASKED', 'SENT'].map((name) => [
          name,
          `c${name}${dice.below(2 ** 30).toString(36)}${dice.oneOf(['', '+/=', ' "&<', 'é%'])}${dice.below(2 ** 30).toString(36)}`,
        ]),
      );
      // What a header may hold is ASCII.
      secrets.WHO = secrets.WHO.replaceAll(/[^\w+/=]/gu, '-');
      secrets.OWN = secrets.OWN.replaceAll(/[^\w+/=]/gu, '-');
      const spelled = Object.values(secrets).flatMap((text) => [
        text,
        encodeURIComponent(text),
        Buffer.from(text).toString('base64'),
        Buffer.from(`a:${text}`).toString('base64'),
        Buffer.from(text).toString('hex'),
      ]);
      const tracker = await openTracker({
        says: ({ headers, path, body }, value) => ({
          value: { ...value, said: { headers, path, body, spelled } },
          headers: { etag: `"${secrets.WHO}"`, link: `<http://x/?k=${encodeURIComponent(secrets.ASKED)}>; rel=next` },
        }),
      });
      tracker.behave(({ path, body }) =>
        path.startsWith('/issues/404') ? 'none' : body.includes('lost') ? 'dropped' : 'ok',
      );
      const world = await makeRunnerWorld(sound, folder, tracker.origin, {
        settings: { auth: auths[round % auths.length], headers: { 'X-Own': 'own ${{ secrets.OWN }}' } },
        workflow,
      });
      const entries = Object.entries(secrets).map(([name, value]) => ({
        catalog: 'tracker',
        origin: tracker.origin,
        name,
        ...(name === 'SENT' ? { env: 'SENT_SECRET' } : { value }),
      }));
      writeFileSync(join(world.config, 'secrets.json'), JSON.stringify({ secrets: entries }), { mode: 0o600 });
      const env = { SENT_SECRET: secrets.SENT };
      const agent = await startAgent({ ...sound, program: build.program }, world, { env });
      const answers = [];
      const call = async (tool, args) => {
        const result = await agent.call(tool, args);
        answers.push(result);
        return result.answer;
      };
      const pair = ({ stateToken, ackToken }) => ({ stateToken, ackToken });
      const asked = await call('start_workflow', { workflowId: 'user.runs', session: 'SECRET-1' });
      const lost = await call('continue_workflow', { ...pair(asked), confirmed: true });
      const said = await call('continue_workflow', { ...pair(lost), context: { outcome: 'done' } });
      await call('continue_workflow', { stateToken: said.stateToken });
      await call('continue_workflow', { ...pair(said), context: {} });
      await call('resume_session', { query: 'SECRET' });
      const log = agent.stderr().join('\n');
      await agent.close();
      const bundle = join(folder, 'out.workrail');
      const told = answers.map((result) => ({ where: 'an answer', bytes: Buffer.from(JSON.stringify(result)) }));
      told.push({ where: 'stderr of the server', bytes: Buffer.from(log) });
      const commands = [
        ['show', 'SECRET-1', '--json'],
        ['log', 'SECRET-1'],
        ['render', 'SECRET-1', '--format', 'md'],
        ['render', 'SECRET-1', '--format', 'html'],
        ['export', 'SECRET-1', '-o', bundle],
        ['catalogs', 'show', 'tracker', '--json'],
        ['doctor', '--json'],
      ];
      for (const words of stopAtFirst ? [] : commands) {
        const { out, err } = await runCommand(build, world, words, { env });
        told.push({ where: `what workrail ${words[0]} says`, bytes: Buffer.from(out + err) });
      }
      const lines = linesOf(world);
      const run = lines.find(({ kind }) => kind === 'run_started')?.run;
      const nodes = new Set(lines.flatMap(({ node }) => (node === undefined ? [] : [node])));
      const more = [
        `/api/sessions/SECRET-1/runs/${run}`,
        '/api/sessions/SECRET-1/timeline',
        ...[...nodes].map((node) => `/api/sessions/SECRET-1/nodes/${node}`),
      ];
      const http = stopAtFirst
        ? { answers: [], hit: true }
        : await overHttp(build, world, { env, session: 'SECRET-1', more });
      told.push(...http.answers.map((text) => ({ where: 'an answer over HTTP', bytes: Buffer.from(text) })));
      const lying = filesUnder(world.dataDir).map((file) => ({
        where: `the file ${file.slice(world.dataDir.length + 1)}`,
        bytes: readFileSync(file),
      }));
      const unpacked = existsSync(bundle) ? [{ where: 'the bundle', bytes: gunzipSync(readFileSync(bundle)) }] : [];
      const hidden = Object.entries(secrets).map(([name, text]) => ({ what: `the secret ${name}`, text }));
      const violations = leaks(hidden, [...told, ...lying, ...unpacked], spellings);
      if (said.kind !== 'ok') violations.push(`the run did not come to its end: ${answers.at(-1).text.slice(0, 300)}`);
      if (!http.hit) violations.push('the web server did not show the session');
      if (!stopAtFirst && unpacked.length === 0) violations.push('the session could not be exported');
      // A secret that was not sent cannot come back.
      const bodies = tracker.seen.filter(({ body }) => body !== '').map(({ body }) => JSON.parse(body).title);
      const sent =
        bodies.some((title) => title.includes(secrets.SENT)) &&
        tracker.seen.every(({ headers }) => headers['x-own'].includes(secrets.OWN));
      await tracker.close();
      return { hit: sent ? 1 : 0, acked: answers.filter(({ isError }) => !isError).length, violations };
    });
  },
};
