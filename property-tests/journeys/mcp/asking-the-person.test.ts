import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json-value.js';
import { modes } from '../../../src/base/preferences.js';
import { answerKey } from '../../../src/mcp/tool-result.js';
import { serveRequests } from '../../worlds/http-world.js';
import { type Fields, fieldsOf, linesOnDisk, makeRequestsWorld, textOf } from '../../worlds/requests-world.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const gated = `workflow: team.gated
title: A gated walk
description: A step, and one that the user agrees to.
version: 1.0.0
steps:
  - { id: one, title: First, prompt: Begin. }
  - { id: two, title: Second, prompt: End., confirm: true }
`;
const bold = { preferences: { mode: 'auto_never_stop' } };

let folder: string;
let data: string;
const ends: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'asking-'));
  data = join(folder, 'data');
  for (const name of ['home', 'work/.workrail/workflows']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'work/.workrail/workflows/gated.yaml'), gated);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const env = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: join(folder, 'home'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_DATA_HOME: join(folder, 'share'),
  WORKRAIL_DATA_DIR: data,
});

interface Called {
  readonly text: string;
  readonly answer: Fields;
}

interface Person {
  /** What they were asked. */
  readonly asked: string[];
  call(tool: string, args: JsonObject): Promise<Called>;
}

type Says = () => Promise<ElicitResult> | ElicitResult;

/** A client of the SDK; with a person before it where they say something when asked. */
async function connect(transport: Transport, says?: Says): Promise<Person> {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: says === undefined ? {} : { elicitation: {} } },
  );
  const asked: string[] = [];
  if (says !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return says();
    });
  await client.connect(transport);
  ends.unshift(() => client.close());
  return {
    asked,
    call: async (name, args) => {
      const result = await client.callTool({ name, arguments: { ...args } });
      const [content] = result['content'] as readonly { readonly text: string }[];
      return { text: content!.text, answer: fieldsOf((result._meta as Fields)[answerKey]) };
    },
  };
}

const overStdio = (says?: Says): Promise<Person> =>
  connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'mcp'],
      env: env(),
      cwd: join(folder, 'work'),
      stderr: 'ignore',
    }),
    says,
  );

async function overHttp(says?: Says): Promise<Person> {
  const world = makeRequestsWorld({ seed: 2026 });
  ends.unshift(() => world.close());
  data = world.data;
  world.writeWorkflow('gated', gated.replace('team.gated', 'wr.gated'));
  const served = await serveRequests(world.open());
  ends.unshift(() => served.close());
  // The SDK's types disagree with themselves under exactOptionalPropertyTypes.
  return connect(new StreamableHTTPClientTransport(new URL(`${served.origin}/mcp`)) as unknown as Transport, says);
}

const start = async (person: Person, session: string, workflowId = 'team.gated'): Promise<Fields> =>
  (await person.call('start_workflow', { workflowId, session })).answer;
const done = ({ stateToken, ackToken }: Fields, more: JsonObject = {}): JsonObject => ({
  stateToken: textOf(stateToken),
  ackToken: textOf(ackToken),
  output: { notesMarkdown: 'Done.' },
  ...more,
});
const linesOf = (session: string): readonly unknown[] => linesOnDisk(data).filter((line) => line.session === session);
const plain = (text: string): string => text.replaceAll(/S-\w+/gu, 'S').replaceAll(/\b[0-9a-f]{12}\b/gu, 'ID');

describe('an agent that would go further than it may', () => {
  it.each([
    ['stdio', overStdio, 'team.gated'],
    ['HTTP', overHttp, 'wr.gated'],
  ] as const)('over %s does so where the person says yes, and the log says who did', async (_, open, workflowId) => {
    const person = await open(() => ({ action: 'accept', content: {} }));
    const begun = await start(person, 'S-yes', workflowId);
    const first = await person.call('continue_workflow', done(begun, bold));
    expect(person.asked).toEqual([
      'The agent working on “A gated walk” asks to go further without you once “First” is done: autonomy full_auto_never_stop instead of guided, and gateHandling risk_signal instead of block (Auto, never stops: continues without you; anything not given or approved is a critical gap at the end). Do you allow it?',
    ]);
    expect(first.answer['preferences']).toEqual(modes.auto_never_stop);
    expect(linesOnDisk(data).filter(({ kind }) => kind === 'preferences_changed')).toMatchObject([
      { v: 3, who: { door: 'client' }, data: { preferences: modes.auto_never_stop } },
    ]);
    // The same call again gets the same answer, and nobody is asked again.
    const again = await person.call('continue_workflow', done(begun, bold));
    expect(again.text).toBe(first.text);
    // The gate behind it is passed, and the end says so.
    const last = await person.call('continue_workflow', done(first.answer));
    expect(last.answer['status']).toBe('complete_with_gaps');
    expect(person.asked).toHaveLength(1);
  });

  it('is refused as without such a client where the person says no, nothing, or the client fails', async () => {
    const alone = await overStdio();
    const refusal = await alone.call('continue_workflow', done(await start(alone, 'S-alone'), bold));
    expect(refusal.text).toMatch(/^PRECONDITION_FAILED: /u);
    const fails = (): never => {
      throw new Error('no window');
    };
    for (const [name, says] of Object.entries<Says>({
      declined: () => ({ action: 'decline' }),
      cancelled: () => ({ action: 'cancel' }),
      failed: fails,
    })) {
      const person = await overStdio(says);
      const begun = await start(person, `S-${name}`);
      const before = linesOf(`S-${name}`);
      const told = await person.call('continue_workflow', done(begun, bold));
      expect(person.asked).toHaveLength(1);
      const tokens = (text: string): string => text.replaceAll(/\b(?:st|ack)\.v1\.\S+/gu, 'TOKEN');
      expect(tokens(plain(told.text))).toBe(tokens(plain(refusal.text)));
      expect(linesOf(`S-${name}`)).toEqual(before);
      // Its tokens are good.
      expect((await person.call('continue_workflow', done(begun))).answer['preferences']).toEqual(modes.guided);
    }
  });

  it('asks nobody for what it may anyway, nor where the step would not be done', async () => {
    const person = await overStdio(() => ({ action: 'accept', content: {} }));
    const begun = await start(person, 'S-gate');
    const second = await person.call('continue_workflow', done(begun, { preferences: { riskPolicy: 'aggressive' } }));
    // The step waits for agreement, and no field of the request changes that.
    const gate = await person.call('continue_workflow', done(second.answer, bold));
    expect(gate.text).toMatch(/^PRECONDITION_FAILED: /u);
    expect(person.asked).toEqual([]);
  });

  it('keeps nobody else from the session while the person thinks; a yes is judged by what is there then', async () => {
    let decide: (says: ElicitResult) => void = () => undefined;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    const thinking = await overStdio(() => {
      open();
      return new Promise<ElicitResult>((resolve) => (decide = resolve));
    });
    const begun = await start(thinking, 'S-slow');
    const waiting = thinking.call('continue_workflow', done(begun, bold));
    await opened;
    // From the same client, and from another process; a second question is not put beside the first.
    const noted = await thinking.call('checkpoint_workflow', {
      stateToken: textOf(begun['stateToken']),
      output: { notesMarkdown: 'Halfway.' },
    });
    expect(noted.text).toMatch(/^Kept at First/u);
    const beside = await thinking.call('continue_workflow', done(begun, bold));
    expect(beside.text).toMatch(/^PRECONDITION_FAILED: /u);
    expect(thinking.asked).toHaveLength(1);
    const other = await overStdio();
    const plainly = await other.call('continue_workflow', done(begun));
    decide({ action: 'accept', content: {} });
    const answered = await waiting;
    // The other one had done the step, in guided mode: that is what is recorded, and it is not loosened.
    expect(answered.answer['stateToken']).toBe(plainly.answer['stateToken']);
    expect(answered.answer['preferences']).toEqual(modes.guided);
    expect(linesOnDisk(data).some(({ kind }) => kind === 'preferences_changed')).toBe(false);
  });

  it('is answered when its client goes while the person thinks', async () => {
    const begun = await start(await overStdio(), 'S-gone');
    const child = spawn(process.execPath, [main, 'mcp'], { cwd: join(folder, 'work'), env: env() });
    ends.unshift(() => Promise.resolve(child.kill('SIGKILL')));
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let out = '';
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (text.includes('elicitation/create')) child.stdin.end();
    });
    const clientInfo = { name: 'test', version: '1' };
    const capabilities = { elicitation: {} };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'continue_workflow', arguments: done(begun, bold) } });
    expect(await ended).toBe(0);
    const lines = out.trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as { readonly id?: number; readonly result?: unknown });
    expect(JSON.stringify(answers.find(({ id, result }) => id === 2 && result !== undefined))).toContain(
      'PRECONDITION_FAILED',
    );
  });
});
