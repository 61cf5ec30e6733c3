import path from 'node:path';
import { callAnApi } from './demo-api.js';
import { startStdioClient, type StdioClient } from '../../mcp/stdio-client.js';
import { commandLine } from '../../base/sentence.js';
import type { RunCommand } from '../shell/command.js';
import { collectClaims, SceneBroken } from './demo-claims.js';
import type { Person } from './demo-colleague.js';
import { type DemoFolder, makeDemoFolder } from './demo-folder.js';
import { programIn } from './demo-program.js';
import { playStory } from './demo-story.js';
import { waitForAnswer } from './wait-for-answer.js';
import { webhookReview } from './webhook-review.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import { exitCodes } from '../shell/exit-codes.js';

/** Plays the story and tells it line by line, or all at once as JSON. */
export const runDemo: RunCommand = async (parsed, environment) => {
  const { style, stdoutIsTerminal } = environment;
  const program = path.join(environment.packageFolder, 'dist', 'cli', 'main.js');
  const json = parsed.has('json');
  const out = json ? (): void => undefined : environment.out;
  const began = performance.now();
  const places = [makeDemoFolder(), makeDemoFolder()] as const;
  const servers: StdioClient[] = [];
  const personIn = (place: DemoFolder): Person => ({
    place,
    run: programIn(program, place),
    startServer: async (...options) => {
      const args = [program, 'mcp', '--data-dir', place.dataDir, '--workspace', place.workspace, ...options];
      const server = await startStdioClient({
        command: process.execPath,
        args,
        env: place.env,
        cwd: place.workspace,
        name: 'workrail-demo',
      });
      servers.push(server);
      return server;
    },
  });
  let number = 0;
  const mark = (held: boolean): string =>
    stdoutIsTerminal ? (held ? style.good('✓') : style.bad('✗')) : held ? 'ok    ' : 'FAILED';
  const claims = collectClaims(
    (title) => out(`\n${style.bold(`${(number += 1)}. ${title}`)}`),
    ({ says, held, seen }) => {
      out(`   ${mark(held)} ${says}`);
      if (seen !== undefined) out(style.dim(seen.replaceAll(/^/gmu, '      | ')));
    },
  );
  out('A scripted agent, a real server over stdio, and folders of their own.');
  try {
    await playStory({ me: personIn(places[0]), colleague: personIn(places[1]) }, claims);
    await callAnApi(personIn(places[0]), path.join(environment.packageFolder, 'docs', 'examples'), claims);
  } catch (cause) {
    if (!(cause instanceof SceneBroken))
      claims.claim('the play goes on', false, cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  const all = claims.scenes.flatMap((scene) => scene.claims);
  const failed = all.filter(({ held }) => !held);
  const seconds = (performance.now() - began) / 1000;
  out('');
  if (failed.length === 0) out(`${style.bold(`All ${all.length} held`)}, in ${seconds.toFixed(1)} s.`);
  else out(style.bad(`${failed.length} of ${all.length} did not hold: ${failed.map(({ says }) => says).join('; ')}.`));
  if (failed.length > 0)
    for (const line of servers.flatMap((server) => server.stderrLines()).slice(-20))
      out(style.dim(`   server: ${line}`));
  const kept = parsed.has('keep') || parsed.has('stay');
  if (kept) {
    const look = commandLine(environment.program(), ['serve', '--data-dir', places[0].dataDir]);
    out(`Look at what it left: ${look}`);
    out(`Folders${parsed.has('keep') ? '' : ', until this ends'}: ${places.map(({ folder }) => folder).join(', ')}`);
  }
  if (json)
    environment.out(
      JSON.stringify({
        held: failed.length === 0,
        claims: all.length,
        seconds: Number(seconds.toFixed(3)),
        scenes: claims.scenes,
        ...(kept && { folders: places.map(({ folder }) => folder) }),
      }),
    );
  if (parsed.has('stay') && failed.length === 0) await stay(personIn(places[0]), environment, json);
  if (!parsed.has('keep')) for (const place of places) place.remove();
  return failed.length === 0 ? exitCodes.done : exitCodes.rejected;
};

/** The agent of the review stays for whoever answers it. */
async function stay(me: Person, { out, interrupted }: CliEnvironment, json: boolean): Promise<void> {
  if (!json) out(`${webhookReview.session} waits for an answer, on the page or the command line; Ctrl-C ends it.`);
  const server = await me.startServer();
  try {
    await waitForAnswer(server, interrupted());
  } finally {
    await server.close();
  }
}
