import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical-json.js';
import type { JsonObject, JsonValue } from '../../../src/base/json-value.js';
import { readLines, segmentStart } from '../../../src/log/segments/segment-lines.js';
import { parseSegmentName } from '../../../src/log/segments/segment-name.js';
import type { Requests } from '../../../src/requests/requests.js';
import { bundleOf, forged, importOf, treeOf, unpacked } from '../../worlds/bundle-world.js';
import { filesOf } from '../../worlds/corpora.js';
import {
  call,
  makeRequestsWorld,
  type RequestsWorld,
  segmentTexts,
  sessionFolders,
  textOf,
} from '../../worlds/requests-world.js';
import { tiny } from '../../worlds/library-world.js';

/** Of the suite: what every parser takes begins with `y_`, what none does with `n_`. */
const cases = filesOf('jsontestsuite-nst')
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ name: basename(file), bytes: readFileSync(file) }));
/** Comments, and commas that nothing follows: workflow files may have them. One ends with its line. */
const withComments = [
  'n_array_extra_comma.json',
  'n_array_number_and_comma.json',
  'n_object_lone_continuation_byte_in_key_and_trailing_comma.json',
  'n_object_trailing_comma.json',
  'n_object_trailing_comment.json',
  'n_structure_object_with_comment.json',
];
const commentToTheEnd = 'n_object_trailing_comment_slash_open.json';

let world: RequestsWorld;
let requests: Requests;
beforeAll(async () => {
  world = makeRequestsWorld({ seed: 7 });
  world.writeWorkflow('tiny', tiny('wr.tiny'));
  requests = world.open();
  await call(requests, 'start_workflow', { workflowId: 'wr.tiny', session: 'one' });
});
afterAll(() => world.close());

it('was tried on something', () => {
  for (const kind of ['y_', 'n_', 'i_'])
    expect(cases.filter(({ name }) => name.startsWith(kind)).length).toBeGreaterThan(5);
});

describe('a workflow file', () => {
  const around = (bytes: Buffer, id: string): Buffer =>
    Buffer.concat([
      Buffer.from(`{"id": "${id}", "name": "X", "description": "D", "steps": [{"id": "a", "prompt": "P"}], "more": `),
      bytes,
      Buffer.from('}'),
    ]);

  it('is what it is alone and inside of one that is right, or is refused with its place', async () => {
    const project = join(world.folder, 'workspace/.workrail/workflows');
    mkdirSync(project, { recursive: true });
    for (const [at, { name, bytes }] of cases.entries()) {
      writeFileSync(join(project, `alone-${name}`), bytes);
      writeFileSync(join(project, `inside-${name}`), around(bytes, `p.x${at}`));
    }
    const browsed = await requests.people.browseWorkflows({});
    if (!browsed.ok) throw new Error(browsed.error.message);
    const byFile = new Map(browsed.value.workflows.map((one) => [basename(one.file), one]));
    const wrong: string[] = [];
    for (const { name } of cases) {
      for (const file of [`alone-${name}`, `inside-${name}`]) {
        const { startable, violations } = byFile.get(file)!;
        const rules = violations.map(({ rule }) => textOf(rule));
        const notRead = rules.some((rule) => ['json', 'encoding', 'file_encoding'].includes(rule));
        const isAlone = file.startsWith('alone-');
        const isRight = name.startsWith('y_') || withComments.includes(name) || (isAlone && name === commentToTheEnd);
        if (rules.includes('internal')) wrong.push(`${file}: a mistake of ours`);
        // What parsers may see one way or the other.
        if (!/^[yn]_/u.test(name)) continue;
        if (isRight && notRead) wrong.push(`${file}: refused for its syntax`);
        if (isRight && !isAlone && !startable) wrong.push(`${file}: cannot be started: ${rules.join()}`);
        if (!isRight && startable) wrong.push(`${file}: taken`);
        if (!isRight && !violations.some(({ line }) => typeof line === 'number'))
          wrong.push(`${file}: without a place`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

it('a line of a segment that is no event ends what is read, and takes nothing from what stands before it', () => {
  const session = sessionFolders(world.data)[0]!;
  const [segment] = segmentTexts(world.data, session);
  const { firstSeq, writer } = parseSegmentName(segment!.name)!;
  const whole = Buffer.from(segment!.text);
  const rules = { firstSeq, writer, withdrawn: new Set<string>() };
  const known = readLines(whole, segmentStart, rules);
  expect(known.events.length).toBeGreaterThan(0);
  for (const { name, bytes } of cases) {
    const line = Buffer.concat([bytes, Buffer.from('\n')]);
    for (const [before, events] of [
      [Buffer.alloc(0), []],
      [whole, known.events],
    ] as const) {
      const read = readLines(Buffer.concat([before, line]), segmentStart, rules);
      expect(read.events, name).toEqual(events);
      expect(read.stop?.message, name).toMatch(/\S/u);
    }
  }
});

it('a bundle with such a part, or such a manifest, is refused and leaves nothing behind', async () => {
  const { manifest, parts } = await unpacked(await bundleOf(requests, sessionFolders(world.data)[0]!));
  const there = world.open(join(world.folder, 'theirs'));
  const names = [...parts.keys()];
  const before = treeOf(join(world.folder, 'theirs/sessions'));
  for (const [at, { name, bytes }] of cases.filter((_, number) => number % 4 === 0).entries()) {
    // Segments and pins in turn.
    const part = names[at % names.length]!;
    const imported = await importOf(there, await forged(manifest, new Map([...parts, [part, bytes]])));
    expect(imported.ok ? 'imported' : imported.error.code, `${name} as ${part}`).toMatch(
      /^BUNDLE_|^VALIDATION|INVALID/u,
    );
  }
  expect(treeOf(join(world.folder, 'theirs/sessions'))).toEqual(before);
});

it('the canonical form of what is right is the same when it is made again', () => {
  for (const { name, bytes } of cases) {
    if (!name.startsWith('y_')) continue;
    const value = JSON.parse(bytes.toString('utf8')) as JsonValue;
    let text: string;
    try {
      text = canonicalJson(value);
    } catch (cause) {
      // Half a character, or a number past what a double holds, has no canonical form.
      expect(String(cause), name).toMatch(/character|surrogate|number|finite/iu);
      continue;
    }
    expect(canonicalJson(JSON.parse(text) as JsonValue), name).toBe(text);
  }
});

it('a message over stdio that is not one ends nothing: the next is answered, and stdout holds messages alone', async () => {
  const program = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
  const home = join(world.folder, 'mcp-home');
  mkdirSync(home);
  const child = spawn(process.execPath, [program, 'mcp'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'c'),
      XDG_DATA_HOME: join(home, 'd'),
    },
  });
  try {
    let stdout = '';
    let told = (): void => undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      told();
    });
    child.stderr.resume();
    const answered = (id: number): Promise<void> =>
      new Promise((resolve) => {
        told = () => {
          if (new RegExp(`"id":${id}[,}]`, 'u').test(stdout)) resolve();
        };
        told();
      });
    const send = (message: JsonObject): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'test', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    await answered(1);
    send({ method: 'notifications/initialized' });
    for (const { bytes } of cases) child.stdin.write(Buffer.concat([bytes, Buffer.from('\n')]));
    send({ id: 7_000_001, method: 'tools/call', params: { name: 'list_workflows', arguments: {} } });
    await answered(7_000_001);
    // A batch is answered as one.
    const messages = stdout
      .split('\n')
      .slice(0, -1)
      .flatMap((line): unknown => JSON.parse(line));
    for (const message of messages) expect(message).toMatchObject({ jsonrpc: '2.0' });
    const refused = messages.filter((message) => /"code":-32[67]00\b/u.test(JSON.stringify(message)));
    expect(refused.length).toBeGreaterThan(cases.length / 2);
  } finally {
    child.kill('SIGKILL');
  }
});
