import { setTimeout as pause } from 'node:timers/promises';
import { countAcked } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeOddWorld, openGoodWork } from '../input/good-work.mjs';
import { judgeAnswer } from '../input/judge-answer.mjs';
import { hugePieces, textOf } from '../input/odd-values.mjs';
import { envelope, eraOf, inEra, startRawServer } from '../input/raw-server.mjs';

const message = (id, method, params) =>
  `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, ...(params !== undefined && { params }) })}\n`;
/** As a client of the era says it: one of 2026-07-28 with who it is. */
const requestIn = (era) => (id, method, params) => message(id, method, inEra(era, params));
const callOf = (name, args) => ({ name, arguments: args });
const list = callOf('list_workflows', {});
const longLine = (bytes, era) => {
  const args = { stateToken: 'x', output: { notesMarkdown: 'x'.repeat(bytes) } };
  return requestIn(era)('long', 'tools/call', callOf('checkpoint_workflow', args));
};

/** What is wrong with the answers to these ids. */
const judgeAll = async (server, ids) =>
  (
    await Promise.all(
      ids.map(async (id) => judgeAnswer(await server.answerTo(id), `the message ${JSON.stringify(id)}`)),
    )
  ).flat();

/**
 * Clients that behave as none should. Each gets a server that has been worked with, and leaves it as it found it, unless
 * `ends` says that the connection ends.
 */
const clients = {
  'speaks before it has begun': async ({ server, request }) => {
    await server.write(
      request(1, 'tools/call', list) +
        request(2, 'tools/list') +
        message(undefined, 'notifications/initialized') +
        request(3, 'ping'),
    );
    return judgeAll(server, [1, 2, 3]);
  },
  'begins again and again': async ({ server }) => {
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'again', version: '1' },
    };
    for (let n = 0; n < 20; n += 1)
      await server.write(message(`hello ${n}`, 'initialize', hello) + message(undefined, 'notifications/initialized'));
    return judgeAll(
      server,
      Array.from({ length: 20 }, (_, n) => `hello ${n}`),
    );
  },
  'uses every kind of id': async ({ server, request }) => {
    const ids = [0, -1, 1e15, '', '0', 'a b', '__proto__', '\u0000', 'ä', '\ud83d\ude00'];
    for (const id of ids) await server.write(request(id, 'tools/call', list));
    return judgeAll(server, ids);
  },
  'asks in one order and cancels in another': async ({ server, request }) => {
    const ids = Array.from({ length: 60 }, (_, n) => `order ${n}`);
    await server.write(ids.map((id) => request(id, 'tools/call', list)).join(''));
    for (const id of ids.toReversed().filter((_, n) => n % 2 === 0))
      await server.write(message(undefined, 'notifications/cancelled', { requestId: id }));
    for (const requestId of ['never asked', 0, -1, null, {}, 'order 0'])
      await server.write(message(undefined, 'notifications/cancelled', { requestId }));
    // What was cancelled may have been answered before; the others are answered in any case.
    return judgeAll(
      server,
      ids.filter((id, n) => n % 2 === 0 && id !== 'order 0'),
    );
  },
  'cancels what it has already done': async ({ server, request, pair }) => {
    const args = { ...pair, output: { notesMarkdown: 'Done, and then taken back.' } };
    await server.write(
      request('taken back', 'tools/call', callOf('continue_workflow', args)) +
        message(undefined, 'notifications/cancelled', { requestId: 'taken back' }),
    );
    const again = await server.call('continue_workflow', args);
    return again?.isError === false
      ? []
      : [`after it was cancelled, the same call is not answered: ${again?.text.slice(0, 200)}`];
  },
  'gives two requests one id': async ({ server, request }) => {
    await server.write(
      request('twice', 'tools/call', list) +
        request('twice', 'tools/call', callOf('inspect_workflow', { workflowId: 'user.chain' })),
    );
    return [...(await judgeAll(server, ['twice'])), ...(await judgeAll(server, ['twice']))];
  },
  'sends batches': async ({ server, request }) => {
    const one = JSON.parse(request('in a batch', 'prompts/list', {}));
    await server.write(
      `${JSON.stringify([one, one])}\n[]\n[[]]\n[1,2,3]\n${JSON.stringify(Array.from({ length: 5000 }, () => one))}\n`,
    );
    return judgeAnswer(await server.ask('prompts/list', {}), 'a list after batches');
  },
  'sends a message byte by byte': async ({ server, request }) => {
    for (const byte of Buffer.from(request('in bytes', 'tools/call', callOf('list_workflows', { query: 'é😀' }))))
      await server.write(Buffer.from([byte]));
    return judgeAll(server, ['in bytes']);
  },
  'nests a hundred thousand deep, and has a million keys': async ({ server, round, era }) => {
    const who = era === 'modern' ? `,"_meta":${JSON.stringify(envelope)}` : '';
    const wrong = [];
    const asks = {
      list_workflows: ['query'],
      inspect_workflow: ['workflowId'],
      start_workflow: ['context', 'session', 'preferences'],
      continue_workflow: ['stateToken', 'ackToken', 'context', 'output'],
      checkpoint_workflow: ['output', 'stateToken'],
      start_session: ['tags', 'title'],
      resume_session: ['query'],
    };
    let n = round;
    for (const [name, fields] of Object.entries(asks)) {
      const piece = hugePieces[n % hugePieces.length];
      const field = fields[n % fields.length];
      const id = `huge ${n}`;
      await server.write(
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${name}","arguments":${n % 7 === 0 ? textOf(piece) : `{"workflowId":"user.chain","${field}":${textOf(piece)}}`}${who}}}\n`,
      );
      wrong.push(...judgeAnswer(await server.answerTo(id), `${name} with ${piece} as ${field}`));
      n += 1;
    }
    return wrong;
  },
  'sends nine megabytes in a line': async ({ server, era }) => {
    await server.write(longLine(9 * 1024 * 1024, era));
    return judgeAll(server, ['long']);
  },
  'sends more in a line than a line may have': async ({ server, era }) => {
    void server.write(longLine(11 * 1024 * 1024, era));
    const { code } = await server.ended;
    const said = server.stderr();
    return [
      ...(code === 0 ? [] : [`the server ended with ${code}`]),
      ...(/sent a message of more than \d+ bytes/u.test(said)
        ? []
        : ['nothing on stderr says why the connection ended']),
    ];
  },
  'never ends its line': async ({ server, era }) => {
    void server.write(longLine(11 * 1024 * 1024, era).replaceAll('\n', ''));
    const { code } = await server.ended;
    return code === 0 && /sent a message of more than/u.test(server.stderr())
      ? []
      : [`the server ended with ${code}, and stderr says ${server.stderr().slice(-200)}`];
  },
  'goes away in the middle of a line': async ({ server }) => {
    await server.write('{"jsonrpc":"2.0","id":5,"method":"tools/ca');
    const { code } = await server.close();
    return code === 0 ? [] : [`the server ended with ${code}`];
  },
};
/** Where each mutant is seen. */
const telling = {
  'depth-unchecked': ['nests a hundred thousand deep, and has a million keys'],
  'silent-about-length': ['sends more in a line than a line may have'],
  'keeps-what-came': [],
};
const ends = new Set([
  'sends more in a line than a line may have',
  'never ends its line',
  'goes away in the middle of a line',
]);

/** A client that asks and asks and never reads: the server waits, its memory stays bounded, and it ends when its stdin does. */
async function neverReads(build, world, work, era) {
  const server = startRawServer(build, world, { reads: false, node: ['--max-old-space-size=192'], era });
  const asked = requestIn(era)(1, 'tools/call', list).repeat(50);
  const until = performance.now() + 2500;
  let sent = 0;
  while (performance.now() < until && !server.isOver()) {
    await Promise.race([server.write(asked), pause(500)]);
    sent += 50;
  }
  const { most } = server.memory();
  server.child.stdin.destroy();
  const late = pause(25_000, 'late');
  const first = await Promise.race([server.ended, late]);
  const wrong = [];
  if (first === 'late') {
    wrong.push(`with a client that reads nothing, the server had not ended 25 s after its stdin did (${sent} calls)`);
    server.child.kill('SIGKILL');
    await server.ended;
  } else if (first.code !== 0)
    wrong.push(
      `with a client that reads nothing, the server ended with ${first.signal ?? first.code}: ${server.stderr().slice(-300)}`,
    );
  if (most > 500 * 1024 * 1024) wrong.push(`with a client that reads nothing, the server took ${most} bytes`);
  const next = startRawServer(build, world);
  await next.initialize();
  wrong.push(...(await work.step(next)));
  await next.close();
  return wrong;
}

/** A client that hands in a megabyte too much, again and again: each is refused, and nothing of it is kept. */
async function handsInMuch(build, world, work, era) {
  const server = startRawServer(build, world, { node: ['--max-old-space-size=160'], era });
  await server.initialize();
  const wrong = await work.step(server);
  const line = longLine(1024 * 1024, era);
  for (let times = 0; times < 240 && !server.isOver() && wrong.length === 0; times += 1) {
    await server.write(line);
    wrong.push(...(await judgeAll(server, ['long'])));
  }
  wrong.push(...(await work.step(server)));
  const { code, signal } = await server.close();
  return code === 0 ? wrong : [...wrong, `the server ended with ${signal ?? code}: ${server.stderr().slice(-200)}`];
}

export const scenario = {
  name: 'odd-clients',
  says: 'clients that speak too early, in batches, with odd, doubled and cancelled ids, in single bytes, in lines of 9 MB and of more than 10 MiB, 100,000 deep, with 1,000,000 keys, one that never reads, and one that hands in too much again and again; nothing that was acknowledged is lost',
  needs: ['linux'],
  mutants: Object.keys(telling),
  rounds: 3,
  smoke: 1,
  mutantRounds: 1,
  run: async (options) => {
    const { build, sound, log } = options;
    const oracle = openOracle(sound);
    const sum = await playRounds(options, 'odd-clients', async ({ round, folder }) => {
      const world = makeOddWorld(folder);
      const work = openGoodWork(`K${round}`);
      const violations = [];
      const chosen = Object.entries(clients).filter(([name]) => telling[build.name]?.includes(name) ?? true);
      for (const [at, [name, behave]] of chosen.entries()) {
        // Each in one era, and in the other in the next round.
        const era = eraOf(round + at);
        const server = startRawServer(build, world, { era });
        const began = performance.now();
        const wrong = [];
        if (name !== 'speaks before it has begun') {
          await server.initialize();
          wrong.push(...(await work.step(server)), ...(await work.step(server)));
        }
        wrong.push(
          ...(await behave({ server, era, request: requestIn(era), round, pair: await pairOf(server, name) })),
        );
        if (!ends.has(name)) wrong.push(...(await work.step(server)));
        if (!server.isOver()) {
          const { code, signal } = await server.close();
          if (code !== 0) wrong.push(`the server ended with ${signal ?? code}: ${server.stderr().slice(-300)}`);
        }
        violations.push(...[...wrong, ...server.problems].map((what) => `a client that ${name}: ${what}`));
        log(`${name}: ${Math.round(performance.now() - began)} ms`);
      }
      if (!options.stopAtFirst) violations.push(...(await neverReads(build, world, work, eraOf(round))));
      // A mutant that was seen needs no second look.
      if (violations.length === 0)
        violations.push(
          ...(await handsInMuch(build, world, work, eraOf(round + 1))).map(
            (what) => `a client that hands in too much, again and again: ${what}`,
          ),
        );
      const { violations: lost } = await oracle.judge(world, work.ledger.entries, { repeats: 40 });
      const tried = chosen.length + 2;
      return {
        tried,
        injected: tried,
        hit: tried,
        acked: countAcked(work.ledger),
        violations: [...violations, ...lost],
      };
    });
    oracle.close();
    return sum;
  },
};

async function pairOf(server, name) {
  if (name !== 'cancels what it has already done') return undefined;
  const { answer } = await server.call('start_workflow', { workflowId: 'user.chain', session: 'CANCELLED-1' });
  return { stateToken: answer.stateToken, ackToken: answer.ackToken };
}
