import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';
import { WebSocket } from 'ws';
import { makeWorld, openWorld, program } from '../bench-world.mjs';
import { pause, quantile } from '../frame/numbers.mjs';

const writes = 200;
const crowd = 50;
const session = 'LIVE';

/** One process writes to a shared state, a server follows it, and a third hears of it over each door. */
export const measurement = {
  name: 'state-live',
  says: `${writes} patches of a document of 10 KB by another process, from its beginning until they are heard of through the server, while ${crowd + 1} follow it`,
  rounds: 3,
  async run({ figure }) {
    const world = makeWorld();
    const ends = [];
    try {
      const requests = await world.open();
      const tasks = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`t${at}`, 'n'.repeat(180)]));
      await requests.people.addSchema({ name: 'any', json: true });
      const made = await requests.people.createState({ schemaName: 'any', session, initialData: { count: 0, tasks } });
      await requests.close();
      const state = made.value.answer.state_id;
      const origin = await startServing(world, ends);
      const heard = { events: new Map(), sockets: new Map(), session: new Map(), files: new Map() };
      const note = (where, version) => {
        if (!where.has(version)) where.set(version, now());
      };
      await hearEvents(`${origin}/workflow-states/${state}/stream`, ends, ({ version }) => note(heard.events, version));
      await hearEvents(`${origin}/api/sessions/${session}/live`, ends, ({ events = [] }) => {
        for (const { data, kind } of events) if (kind === 'state_changed') note(heard.session, data.depth);
      });
      for (let at = 0; at < crowd; at += 1)
        await hearSocket(origin, state, ends, (version) => at === 0 && note(heard.sockets, version));
      let last = 1;
      const watcher = watch(join(world.data, 'sessions', session, 'segments'), { ignoreInitial: true });
      ends.push(() => watcher.close());
      await once(watcher, 'ready');
      watcher.on('all', () => note(heard.files, last));
      const written = new Map();
      const took = [];
      for await (const { version, at, took: milliseconds, begun } of writing(world, ends)) {
        if (begun) last = version;
        else {
          written.set(version, at);
          took.push(milliseconds);
        }
      }
      await pause(1000);
      const told = (name, where, floor) => {
        const times = [...written].flatMap(([version, at]) => (where.has(version) ? [where.get(version) - at] : []));
        if (times.length < writes * 0.95) throw new Error(`${name}: ${times.length} of ${writes} were heard of`);
        const [half, most] = [quantile(times, 0.5), quantile(times, 0.95)];
        figure(`${name}, p50`, half, 'ms', floor && { floor: floor.half });
        figure(`${name}, p95`, most, 'ms', floor && { floor: floor.most });
        return { half, most };
      };
      figure('the write itself, p50', quantile(took, 0.5), 'ms');
      told('floor: chokidar hears of the file', heard.files);
      const floor = told('floor: the stream of a session', heard.session);
      told('server-sent events', heard.events, floor);
      told('WebSocket', heard.sockets, floor);
    } finally {
      for (const end of ends.toReversed()) await end();
      world.remove();
    }
  },
};

/** The same clock in every process. */
const now = () => performance.timeOrigin + performance.now();

async function startServing({ data, workspace, environment }, ends) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data-dir', data], {
    cwd: workspace,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ends.push(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  });
  const origins = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/u.exec(line) ?? [];
      if (origin !== undefined) return origin;
    }
    return new Promise(() => undefined);
  });
  return Promise.race(origins);
}

async function hearEvents(url, ends, hear) {
  const over = new AbortController();
  ends.push(() => over.abort());
  const response = await fetch(url, { signal: over.signal });
  const read = async () => {
    let rest = '';
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + bytes).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const data = /^data: (.*)$/mu.exec(block)?.[1];
        if (data !== undefined) hear(JSON.parse(data));
      }
    }
  };
  read().catch(() => undefined);
}

async function hearSocket(origin, state, ends, hear) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`);
  ends.push(() => socket.terminate());
  await once(socket, 'open');
  socket.send(JSON.stringify({ subscribe: state }));
  await new Promise((resolve) => {
    socket.on('message', (data) => {
      const { event_type: type, version } = JSON.parse(data);
      if (type === 'workflow_state_updated') hear(version);
      if (type === 'workflow_state_snapshot') resolve();
    });
  });
}

async function* writing(world, ends) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), world.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => child.kill());
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
}

async function write(folder) {
  const requests = await openWorld(folder).open();
  const say = (told) => process.stdout.write(`${JSON.stringify(told)}\n`);
  for (let count = 0; count < writes; count += 1) {
    say({ begun: true, version: count + 2 });
    // Whoever hears of the file is told of what is to come.
    await pause(30 + (count % 7) * 5);
    const operations = [{ op: 'replace', path: '/count', value: count + 1 }];
    const at = now();
    const written = await requests.people.writeState({ session, operations });
    if (!written.ok) throw new Error(written.error.message);
    say({ version: written.value.version, at, took: now() - at });
    await pause(30 + (count % 5) * 10);
  }
  await requests.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write(process.argv[2]);
