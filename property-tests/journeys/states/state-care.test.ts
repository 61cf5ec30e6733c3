import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/base/json-value.js';
import { type CommandLineWorld, makeCommandLineWorld } from '../../worlds/command-line-world.js';

const schema = {
  type: 'object',
  required: ['status'],
  properties: { status: { enum: ['pending', 'done'] }, notes: { type: 'object' } },
};
const leaked = 'sk_live_9fQ2mZx7Lw4TnB8vRj3KpYcD';

let world: CommandLineWorld;
let others: CommandLineWorld;
beforeEach(() => {
  world = makeCommandLineWorld();
  others = makeCommandLineWorld();
});
afterEach(() => {
  world.close();
  others.close();
});

async function done(args: readonly string[], on = world, stdin?: string): Promise<string> {
  const { code, out, err, bytes } = await on.run(args, stdin === undefined ? {} : { stdin });
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return `${out}${bytes.toString('utf8')}`;
}
const json = async (args: readonly string[], on = world): Promise<JsonValue> =>
  JSON.parse(await done([...args, '--json'], on)) as JsonValue;

/** Three versions: created, a note with a secret in it and as a key, done. */
async function begin(): Promise<void> {
  const file = join(world.folder, 'review.schema.json');
  writeFileSync(file, JSON.stringify(schema));
  await done(['schema', 'add', 'review', file]);
  await done(['state', 'create', 'AUTH-1', 'review', '{"status":"pending","notes":{}}']);
  await done(['state', 'patch', 'AUTH-1', JSON.stringify([{ op: 'add', path: `/notes/${leaked}`, value: leaked }])]);
  await done(['state', 'patch', 'AUTH-1', '[{"op":"replace","path":"/status","value":"done"}]']);
}

async function documents(on = world): Promise<readonly JsonValue[]> {
  const found: JsonValue[] = [];
  for (const version of ['1', '2', '3'])
    found.push((await json(['state', 'show', 'AUTH-1', '--at', version], on)) as JsonValue);
  return found.map((one) => (one as { readonly current_data: JsonValue }).current_data);
}

describe('what looks after sessions looks after their states', () => {
  it('carries every version to another machine in a bundle, and the schema with it', async () => {
    await begin();
    const bundle = join(world.folder, 'auth.workrail');
    await done(['redact', 'AUTH-1', '-', '--yes'], world, leaked);
    await done(['export', 'AUTH-1', '-o', bundle]);
    await done(['import', bundle], others);
    expect(await documents(others)).toEqual(await documents());
    expect(await json(['state', 'log', 'AUTH-1'], others)).toEqual(await json(['state', 'log', 'AUTH-1']));
    await done(['state', 'patch', 'AUTH-1', '[{"op":"replace","path":"/status","value":"pending"}]'], others);
    const refused = await others.run(['state', 'patch', 'AUTH-1', '[{"op":"replace","path":"/status","value":"so"}]']);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('/status');
  });

  it('stops an export with a credential in a state, and takes it out of every version', async () => {
    await begin();
    const bundle = join(world.folder, 'auth.workrail');
    const stopped = await world.run(['export', 'AUTH-1', '-o', bundle]);
    expect(stopped.code).not.toBe(0);
    expect(stopped.err).not.toContain(leaked);
    await done(['redact', 'AUTH-1', '--secrets', '--yes']);
    const all = `${JSON.stringify(await documents())} ${await done(['log', 'AUTH-1', '--json'])}`;
    expect(all).not.toContain(leaked);
    expect((await documents()).map((one) => (one as { readonly status: string }).status)).toEqual([
      'pending',
      'pending',
      'done',
    ]);
    await done(['export', 'AUTH-1', '-o', bundle]);
    await done(['doctor']);
    await done(['state', 'patch', 'AUTH-1', '[{"op":"add","path":"/notes/more","value":1}]']);
  });

  it('takes a secret out of names and pointers, and leaves every value where it is', async () => {
    const names = ['https://u:hunter22@h/x', 'a~hunter22', 'b~hunter22', '[redacted]'];
    const file = join(world.folder, 'any.schema.json');
    writeFileSync(file, '{"type":"object"}');
    await done(['schema', 'add', 'any', file]);
    const first = Object.fromEntries(names.map((name, at) => [name, at]));
    await done(['state', 'create', 'SL', 'any', JSON.stringify({ m: first, about: 'x'.repeat(500) })]);
    const part = (name: string): string => `/m/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    for (const ops of [
      [{ op: 'replace', path: part(names[0]!), value: 'first' }],
      [{ op: 'remove', path: part(names[1]!) }],
      [{ op: 'move', from: part(names[2]!), path: '/m/moved' }],
      [{ op: 'replace', path: part(names[3]!), value: 'last' }],
    ])
      await done(['state', 'patch', 'SL', JSON.stringify(ops)]);
    const values = async (): Promise<readonly (readonly JsonValue[])[]> => {
      const found: JsonValue[][] = [];
      for (const version of ['1', '2', '3', '4', '5']) {
        const shown = (await json(['state', 'show', 'SL', '--at', version])) as { current_data: { m: object } };
        found.push(Object.values(shown.current_data.m) as JsonValue[]);
      }
      return found;
    };
    const before = await values();
    await done(['redact', 'SL', 'hunter22', '--yes']);
    expect(await done(['log', 'SL', '--json'])).not.toContain('hunter22');
    expect(await values()).toEqual(before);
    await done(['redact', 'SL', 'moved', '--yes']);
    expect(await values()).toEqual(before);
  });

  it('shows it in reports and with the session', async () => {
    await begin();
    await done(['redact', 'AUTH-1', '-', '--yes'], world, leaked);
    const report = await done(['render', 'AUTH-1']);
    expect(report).toContain('## Shared state');
    expect(report).toContain('"status": "done"');
    expect(report).toContain('3 versions');
    expect(report).not.toContain('Nothing recorded yet');
    expect(await done(['render', 'AUTH-1', '--format', 'html'])).toContain('Shared state');
    expect((await world.run(['show', 'AUTH-1'], { terminal: true })).out).toContain('review 1, version 3');
    await done(['state', 'close', 'AUTH-1', '--reason', 'all is merged']);
    expect(await done(['render', 'AUTH-1'])).toContain('all is merged');
  });

  it('is pruned with its session, and not while somebody wants that kept', async () => {
    await begin();
    await done(['sessions', 'keep', 'AUTH-1']);
    const all = ['prune', '--older-than', '0d', '--yes'];
    expect(await json(all)).toMatchObject({ pruned: [] });
    expect(await documents()).toHaveLength(3);
  });
});
