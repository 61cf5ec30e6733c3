import { Session } from 'node:inspector/promises';
import { makeWorld } from '../bench-world.mjs';
import { lane as libraryLane } from '../lanes/library.mjs';

const steps = 4000;

/** Where the time of a step goes, as the profiler of V8 sees it: by room, by package, and what the system does. */
export const measurement = {
  name: 'step-parts',
  says: `where the time of ${steps.toLocaleString('en')} steps through the library goes`,
  rounds: 1,
  async run({ figure }) {
    const world = makeWorld();
    const inspector = new Session();
    inspector.connect();
    try {
      const session = await libraryLane.open({ world, payload: 1024 });
      for (let at = 0; at < 1500; at += 1) await session.step(at);
      await inspector.post('Profiler.enable');
      await inspector.post('Profiler.setSamplingInterval', { interval: 100 });
      await inspector.post('Profiler.start');
      const begin = performance.now();
      for (let at = 0; at < steps; at += 1) await session.step(at);
      const time = performance.now() - begin;
      const { profile } = await inspector.post('Profiler.stop');
      const parts = partsOf(profile);
      const all = [...parts.values()].reduce((sum, one) => sum + one, 0);
      for (const [part, samples] of [...parts].toSorted(([, a], [, b]) => b - a))
        figure(part, ((samples / all) * time * 1000) / steps, 'µs');
      await session.close();
    } finally {
      inspector.disconnect();
      world.remove();
    }
  },
};

const files = new Map([
  ['fdatasync', 'the disk: fdatasync'],
  ['writeBuffer', 'the system: write'],
  ['writeString', 'the system: write'],
  ...[
    'lstat',
    'stat',
    'fstat',
    'open',
    'openSync',
    'close',
    'read',
    'readdir',
    'internalModuleStat',
    'readFileUtf8',
    'existsSync',
  ].map((name) => [name, 'the system: looks at files']),
]);

function partsOf({ nodes, samples, timeDeltas }) {
  const time = new Map();
  samples.forEach((id, at) => time.set(id, (time.get(id) ?? 0) + timeDeltas[at]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const partOf = (node) => {
    const { functionName, url } = node.callFrame;
    // The profiler at work on itself.
    if (functionName === 'dispatch' || url.startsWith('node:inspector')) return undefined;
    if (functionName === '(garbage collector)') return 'V8: collecting garbage';
    if (url === '' && files.has(functionName)) return files.get(functionName);
    const room = /\/dist\/(\w+)\//u.exec(url)?.[1];
    if (room !== undefined) return `our room: ${room}`;
    const found = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(url)?.[1];
    if (found !== undefined) return `package: ${found}`;
    if (url === 'node:fs') return 'the system: looks at files';
    if (/^node:(?:internal\/)?crypto/u.test(url)) return 'Node: digests and random bytes';
    const parent = byId.get(parents.get(node.id));
    return url === '' && parent !== undefined
      ? partOf(parent)
      : url.startsWith('node:')
        ? 'Node: the rest'
        : 'V8 and the bench itself';
  };
  const parts = new Map();
  for (const node of nodes) {
    const spent = time.get(node.id) ?? 0;
    const part = spent > 0 ? partOf(node) : undefined;
    if (part !== undefined) parts.set(part, (parts.get(part) ?? 0) + spent);
  }
  return parts;
}
