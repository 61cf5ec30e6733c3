import { appendFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../frame/command.mjs';
import { countAcked } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { openTemplates } from '../frame/templates.mjs';
import { copyWorld, makeWorld } from '../frame/world.mjs';
import { forgeBundle } from '../input/forge-bundle.mjs';
import { judgeRejection } from '../input/judge-answer.mjs';
import { oddJson } from '../input/odd-json.mjs';

const stack = /\n\s+at \S+ \(?(?:file|node):|RangeError|TypeError|AssertionError/u;

/** A bundle that holds it is refused in words, and nothing of it appears. */
async function importForged(build, sound, folder, good, { part, odd }) {
  const world = makeWorld(join(folder, `into-${part}`));
  const file = join(folder, `${part}.workrail`);
  writeFileSync(file, await forgeBundle(sound, good, part, odd));
  const { code, signal, out, err } = await runCommand(build, world, ['import', file, '--json']);
  const said = `${out}${err}`;
  if (code === 0) return ['it was imported'];
  if (signal !== null || stack.test(said)) return [`the import ended with ${signal ?? code}: ${said.slice(0, 300)}`];
  const answer = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))[0];
  const sessions = await runCommand(sound, world, ['sessions', '--json']);
  return [
    ...(answer === undefined
      ? [`the import was refused without words for scripts: ${said.slice(0, 200)}`]
      : judgeRejection(answer, /^BUNDLE_/u).map((what) => `${what}: ${said.slice(0, 300)}`)),
    ...(/"sessionId"/u.test(sessions.out) ? ['something of it appeared'] : []),
  ];
}

/** Lines after the last, as a tool or a hand may leave them: told of, and nothing before them is lost. */
async function appendOdd(oracle, template, folder, odd) {
  const world = copyWorld(template.world, join(folder, 'world'));
  const segments = join(world.dataDir, 'sessions', template.session, 'segments');
  const last = readdirSync(segments).toSorted().at(-1);
  appendFileSync(join(segments, last), Buffer.concat([odd, Buffer.from('\n')]));
  const { violations, levels } = await oracle.judge(world, template.ledger, { may: ['damage', 'newer'], repeats: 0 });
  return [...violations, ...(levels.length > 0 || violations.length > 0 ? [] : ['nobody says that it is there'])];
}

export const scenario = {
  name: 'odd-files',
  says: 'texts that are JSON in an odd way, nearly JSON, or none, as a line of a segment, and as manifest, segment and compiled workflow of a bundle whose digests are right: told of or refused in words, and nothing that was acknowledged is lost',
  needs: [],
  mutants: ['silent-about-odd-lines'],
  rounds: oddJson.length,
  smoke: 4,
  smokeSeconds: 7,
  mutantRounds: 2,
  run: async (options) => {
    const { build, sound, workDir, stopAtFirst } = options;
    const oracle = openOracle(build);
    const templates = openTemplates(sound, workDir);
    const template = await templates('base');
    const bundle = join(workDir, 'good.workrail');
    const { code, out, err } = await runCommand(sound, template.world, ['export', template.session, '-o', bundle]);
    if (code !== 0) throw new Error(`the session could not be exported: ${out}${err}`);
    const good = readFileSync(bundle);
    const sum = await playRounds(options, 'odd-files', async ({ round, folder, dice }) => {
      // A long run takes one after the other, a short one any.
      const { name, bytes } = options.rounds >= oddJson.length ? oddJson[round % oddJson.length] : dice.oneOf(oddJson);
      const violations = (await appendOdd(oracle, template, folder, bytes)).map(
        (what) => `${name}, as a line: ${what}`,
      );
      const parts = stopAtFirst ? [] : ['manifest', 'segments', 'pins'];
      for (const part of parts)
        violations.push(
          ...(
            await importForged(build, sound, folder, good, {
              part,
              odd: part === 'segments' ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes,
            })
          ).map((what) => `${name}, as ${part} of a bundle: ${what}`),
        );
      return {
        tried: 1 + parts.length,
        injected: 1 + parts.length,
        hit: 1 + parts.length,
        acked: countAcked({ entries: template.ledger }),
        violations,
      };
    });
    oracle.close();
    return sum;
  },
};
