import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { decodeLine, encodeLine } from '../../../src/events/line-codec.js';
import type { Event } from '../../../src/events/event.js';
import { forged, type Parts, unpacked } from '../../worlds/bundle-world.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

const worlds: CommandLineWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});
const makeWorld = (): CommandLineWorld => {
  const world = makeCommandLineWorld();
  worlds.push(world);
  return world;
};

const step = (id: string): string => `
  - id: ${id}
    title: ${id}
    prompt: Look.
    output:
      kind: t.found
      required: true
      schema: {type: object}
      example: {size: 1}`;

/** Four kilobytes, each part of which is applied twice by the one before it. */
const multiplying: JsonObject = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      at === 39 ? { type: 'object' } : { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  ),
};

/** As somebody makes it who knows the format: the digests of the pin, of the lines and of the parts are right. */
async function withSchema(bundle: Buffer, schema: (at: number) => JsonObject): Promise<Buffer> {
  const { manifest, parts } = await unpacked(bundle);
  const [pinName, pin] = [...parts].find(([name]) => name.startsWith('pins/'))!;
  let at = 0;
  const changed = JSON.stringify(
    JSON.parse(pin.toString('utf8'), (key, value: unknown) => (key === 'schema' ? schema((at += 1)) : value)),
  );
  const hash = createHash('sha256').update(changed).digest('hex');
  const made: Parts = new Map([[`pins/${hash}.json`, Buffer.from(changed)]]);
  const old = pinName.slice('pins/'.length, -'.json'.length);
  for (const [name, bytes] of parts) {
    if (!name.startsWith('segments/')) continue;
    let prev: Event['prev'] = '';
    let text = '';
    for (const line of bytes.toString('utf8').trimEnd().split('\n')) {
      const decoded = decodeLine(Buffer.from(line));
      if (!decoded.ok) throw new Error(decoded.error.message);
      const event = decoded.value;
      const data = JSON.parse(JSON.stringify(event.data).replaceAll(old, hash)) as never;
      const encoded = encodeLine({ ...event, data }, { ...event, prev });
      text += encoded.line;
      prev = encoded.event.sum;
    }
    made.set(name, Buffer.from(text));
  }
  return forged(manifest, made);
}

async function bundleWith(schema: (at: number) => JsonObject, steps: number): Promise<string> {
  const ann = makeWorld();
  const ids = Array.from({ length: steps }, (_, at) => `s${at + 1}`);
  const folder = join(ann.workspace, '.workrail', 'workflows');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'hostile.workflow.yaml'),
    `workflow: t.hostile\ntitle: Hostile\ndescription: Looks harmless.\nversion: 1.0.0\nsteps:${ids.map(step).join('')}\n`,
  );
  const begun = await ann.run(['start', 't.hostile', '--session', 'AUTH-1', '--json']);
  expect(begun.code, begun.out).toBe(0);
  const exported = await ann.run(['export', 'AUTH-1', '-o', '-']);
  expect(exported.code).toBe(0);
  const forgedFile = join(ann.workspace, 'forged.workrail');
  writeFileSync(forgedFile, await withSchema(exported.bytes, schema));
  return forgedFile;
}

test('a bundle whose workflow has a schema that is refused is taken in, and the import names workflow, step and reason', async () => {
  const file = await bundleWith((at) => (at === 2 ? multiplying : { type: 'object' }), 3);
  const bob = makeWorld();
  const imported = await bob.run(['import', file, '--json']);
  expect(imported).toMatchObject({ code: 0, err: '' });
  const { outcome, warnings } = JSON.parse(imported.out) as { outcome: string; warnings: readonly string[] };
  expect(outcome).toBe('imported');
  expect(warnings).toEqual([
    expect.stringMatching(
      /^the workflow t\.hostile asks at step s2 for t\.found by a schema that is refused at \/\$defs\/d\d+\/allOf\/1: its references and alternatives multiply/u,
    ),
  ]);
  const again = await bob.run(['import', file]);
  expect(again.out).toContain('Warning: the workflow t.hostile asks at step s2');
  expect((await bob.run(['show', 'AUTH-1'])).code).toBe(0);
});

test('of many such schemas the first are named, and that there may be more', async () => {
  const file = await bundleWith(() => multiplying, 12);
  const { warnings } = JSON.parse((await makeWorld().run(['import', file, '--json'])).out) as {
    warnings: readonly string[];
  };
  expect(warnings).toHaveLength(6);
  expect(warnings.at(-1)).toContain('more of its schemas may be refused');
});
