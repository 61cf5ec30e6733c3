import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import { countAcked } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeOddWorld, openGoodWork } from '../input/good-work.mjs';
import { judgeAnswer } from '../input/judge-answer.mjs';
import { oddTexts } from '../input/odd-values.mjs';
import { eraOf, startRawServer } from '../input/raw-server.mjs';

/** Names that lead out of a folder, in the spellings of all systems, or that a system keeps for itself. */
const leading = [
  '../../../../outside/canary',
  '../outside',
  '..',
  '.',
  '/outside/canary',
  'a/../../../outside/canary',
  'a/../../outside/canary',
  '..\\..\\outside',
  'C:\\outside',
  '//outside',
  '\u0000/../outside',
  'a\u0000',
  '%2e%2e/outside',
  '．．/outside',
  '....//outside',
  './/../outside',
  'sessions/../../outside',
  '.workrail/../../outside',
  '~/outside',
  'con',
  'aux.txt',
  'COM1',
  '.git',
  '-rf',
  'a'.repeat(300),
  `${'../'.repeat(40)}outside/canary`,
];

/** Every field that becomes a path, or that is looked up under one. */
const fields = [
  (name) => ({ name: 'start_workflow', arguments: { workflowId: 'user.chain', session: name } }),
  (name) => ({ name: 'start_session', arguments: { session: name, title: name, tags: [name] } }),
  (name) => ({ name: 'start_workflow', arguments: { workflowId: name } }),
  (name) => ({ name: 'inspect_workflow', arguments: { workflowId: name, mode: 'source' } }),
  (name) => ({ name: 'resume_session', arguments: { sessionId: name } }),
  (name) => ({ name: 'resume_session', arguments: { query: name, gitBranch: name } }),
  (name) => ({ name: 'list_workflows', arguments: { query: name, tag: name, cursor: name } }),
  (name) => ({ name: 'continue_workflow', arguments: { stateToken: name, ackToken: name } }),
  (name) => ({ name: 'checkpoint_workflow', arguments: { sessionToken: name, output: { notesMarkdown: 'x' } } }),
];

const changing =
  'openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,truncate,chmod,fchmodat,utimensat';

/** What a server touched while it was spoken to, by the path that was named: those outside what it has to do with. */
function touchedOutside(trace, allowed) {
  const outside = new Set();
  let named = 0;
  for (const line of readFileSync(trace, 'latin1').split('\n')) {
    const call = /^\d+ +(\w+)\((?:AT_FDCWD(?:<[^>]*>)?, )?(.*)$/u.exec(line);
    if (call === null) continue;
    for (const [, text] of call[2].matchAll(/"((?:[^"\\]|\\.)*)"/gu)) {
      if (!text.startsWith('/')) {
        if (call[1].startsWith('open') && text === '') continue;
        outside.add(`${call[1]} ${text} (relative)`);
        continue;
      }
      named += 1;
      const path = posix.normalize(text);
      if (!allowed.some((folder) => path === folder || path.startsWith(`${folder}/`)))
        outside.add(`${call[1]} ${path}`);
    }
  }
  return { outside: [...outside], named };
}

/** Names and sizes: what was made, removed or written. */
const treeOf = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => `${name} ${lstatSync(join(folder, name)).isFile() ? lstatSync(join(folder, name)).size : ''}`)
    .join(', ');

export const scenario = {
  name: 'names-as-paths',
  says: 'names that lead out of the data root, in every field that becomes a path, and the name of a session that is a link: no file is made, changed, removed or opened outside, as strace sees it',
  needs: ['linux', 'strace'],
  mutants: ['keys-as-paths', 'links-are-folders'],
  rounds: 10,
  smoke: 1,
  smokeSeconds: 6,
  mutantRounds: 2,
  run: async (options) => {
    const { build, sound } = options;
    const oracle = openOracle(sound);
    const sum = await playRounds(options, 'names-as-paths', async ({ round, folder, dice }) => {
      const world = makeOddWorld(join(realpathSync(folder), 'inside'));
      mkdirSync(join(folder, 'outside'));
      writeFileSync(join(folder, 'outside', 'canary'), 'not to be touched');
      // As a commit of somebody else brings it: the name is one as others are, and leads out all the same.
      for (const part of ['segments', 'pins']) mkdirSync(join(folder, 'outside', 'linked', part), { recursive: true });
      mkdirSync(join(world.dataDir, 'sessions'), { recursive: true });
      const linked = join(world.dataDir, 'sessions', 'LINKED-1');
      symlinkSync(join(folder, 'outside', 'linked'), linked);
      const outsideBefore = treeOf(join(folder, 'outside'));
      const trace = join(folder, 'trace');
      const server = startRawServer(build, world, {
        era: eraOf(round),
        wrap: ['strace', '-f', '-qq', '--seccomp-bpf', '-s', '4096', '-e', `trace=${changing}`, '-o', trace],
      });
      const work = openGoodWork(`N${round}`);
      const violations = [];
      await server.initialize();
      violations.push(...(await work.step(server)), ...(await work.step(server)));
      // Everything that the program itself consists of has been read by now.
      for (const warm of fields) await server.ask('tools/call', warm('warm'));
      const before = readFileSync(trace, 'latin1').length;
      const names = options.stopAtFirst ? leading.slice(0, 6) : [...leading, ...dice.some(oddTexts, 30)];
      let tried = 0;
      for (const name of names) {
        for (const ask of fields) {
          tried += 1;
          violations.push(...judgeAnswer(await server.ask('tools/call', ask(name)), JSON.stringify(ask(name))));
        }
        if (server.isOver()) break;
      }
      for (const ask of fields) {
        tried += 1;
        violations.push(...judgeAnswer(await server.ask('tools/call', ask('LINKED-1')), 'LINKED-1'));
      }
      violations.push(...(await work.step(server)));
      const { code, signal } = await server.close();
      if (code !== 0) violations.push(`the server ended with ${signal ?? code}`);
      violations.push(...server.problems);
      writeFileSync(trace, readFileSync(trace, 'latin1').slice(before), 'latin1');
      const { outside, named } = touchedOutside(trace, [world.folder, realpathSync(build.folder), '/proc', '/sys']);
      violations.push(...outside.slice(0, 10).map((what) => `touched outside: ${what}`));
      if (treeOf(join(folder, 'outside')) !== outsideBefore)
        violations.push(`written through a link: ${treeOf(join(folder, 'outside'))}`);
      unlinkSync(linked);
      const { violations: lost } = await oracle.judge(world, work.ledger.entries, { repeats: 4 });
      return {
        tried,
        injected: tried,
        hit: named > names.length ? tried : 0,
        acked: countAcked(work.ledger),
        violations: [...violations, ...lost],
      };
    });
    oracle.close();
    return sum;
  },
};
