import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHole } from '../../../src/base/hole.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json-value.js';
import type { Reply } from '../../../src/contract/reply.js';
import type { RequestName } from '../../../src/contract/request-schemas.js';
import { openTranscript, type Transcript } from '../../worlds/transcript.js';

/** Every call that an answer offers, sent as it stands: it may look, it may be refused, it never puts on record what nobody said. */
let at: Transcript;
beforeEach(async () => {
  at = await openTranscript('offered calls');
});
afterEach(() => at.end());

const start = { workflowId: 'wr.small', session: 'AUTH-1', context: { thing: 'the login form' } };
const looked = { output: { notesMarkdown: 'Seen: one form.' }, context: { size: 'Large', parts: ['form'] } };
const segments = (): string => path.join(at.folder, 'data/sessions/AUTH-1/segments');

async function events(): Promise<readonly string[]> {
  const files = await readdir(segments()).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(path.join(segments(), file), 'utf8')));
  return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
}

function offeredBy(reply: Reply): { tool: RequestName; arguments: JsonObject } {
  const call = reply.answer['nextCall'];
  if (!isJsonObject(call) || !isJsonObject(call['arguments'])) throw new Error(`no call is offered: ${reply.text}`);
  return { tool: call['tool'] as RequestName, arguments: call['arguments'] };
}

const text = (reply: Reply, field: string): string =>
  typeof reply.answer[field] === 'string' ? reply.answer[field] : '';
const pair = (reply: Reply): { stateToken: string; ackToken: string } => ({
  stateToken: text(reply, 'stateToken'),
  ackToken: text(reply, 'ackToken'),
});

/** Fills each hole as a caller would who knows the answers. */
function filled(value: JsonValue, answers: { readonly [field: string]: JsonValue }, field = ''): JsonValue {
  if (isHole(value)) return answers[field] ?? value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((element) => filled(element, answers, field));
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, answers, key)]))
    : value;
}

async function expectRefusedAsItStands(reply: Reply): Promise<void> {
  const before = await events();
  const { tool, arguments: args } = offeredBy(reply);
  const sent = await at.ask(tool, args);
  expect(sent.failed, sent.text).toBe(true);
  expect(await events()).toEqual(before);
}

describe('a call that is offered', () => {
  it('completes no step as it stands, and does once its holes are filled', async () => {
    const first = await at.ask('start_workflow', start);
    await expectRefusedAsItStands(first);
    const { tool, arguments: args } = offeredBy(first);
    const sent = await at.ask(
      tool,
      filled(args, { notesMarkdown: 'Seen: it.', size: 'Large', parts: ['form'] }) as JsonObject,
    );
    expect(sent.answer['happened']).toBe('advanced');
  });

  it('passes no gate: neither what only the user has nor their agreement', async () => {
    const first = await at.ask('start_workflow', start);
    const second = await at.ask('continue_workflow', { ...pair(first), ...looked });
    const blocked = await at.ask('continue_workflow', { ...pair(second), output: { notesMarkdown: 'No design.' } });
    expect(blocked.answer['kind']).toBe('blocked');
    await expectRefusedAsItStands(blocked);
    const blank = await at.ask('continue_workflow', {
      ...pair(second),
      context: { designDoc: '  ' },
      output: { notesMarkdown: 'Blank.' },
    });
    expect(blank.answer['kind']).toBe('blocked');
  });

  it('is the caller’s own request where only a field was wrong', async () => {
    const first = await at.ask('start_workflow', start);
    const wrong = await at.ask('continue_workflow', {
      ...pair(first),
      context: looked.context,
      ouput: looked.output,
      confirmed: 'true',
    });
    expect(offeredBy(wrong).arguments).toMatchObject({ ...pair(first), ...looked });
    await expectRefusedAsItStands(wrong);
    const { tool, arguments: args } = offeredBy(wrong);
    const sent = await at.ask(tool, filled(args, { confirmed: true }) as JsonObject);
    expect(sent.answer['recorded']).toMatchObject({ notes: 'Seen: one form.' });
  });

  it('asks anew for what a condition cannot read, and for nothing bolder', async () => {
    await writeFile(
      path.join(at.folder, 'library/odd.yaml'),
      'workflow: wr.odd\ndescription: D\nsteps:\n  - { id: a, if: context.n > 3, prompt: p }\n  - { id: b, prompt: p, sets: { m: { type: any } } }\n  - { id: c, if: context.m > 3, prompt: p }\n',
    );
    const odd = { workflowId: 'wr.odd', session: 'AUTH-1' };
    const refused = await at.ask('start_workflow', { ...odd, context: { n: 'many', other: 'kept' } });
    expect(offeredBy(refused).arguments['context']).toEqual({
      n: expect.stringMatching(/^<fill in/u) as string,
      other: 'kept',
    });
    await expectRefusedAsItStands(refused);
    const first = await at.ask('start_workflow', { ...odd, context: { n: 1 } });
    const lacking = await at.ask('continue_workflow', {
      ...pair(first),
      context: { m: 'many' },
      output: { notesMarkdown: 'Done.' },
    });
    expect(lacking.answer['error_code']).toBe('STEP_INCOMPLETE');
    expect(offeredBy(lacking).arguments['context']).toEqual({ m: expect.stringMatching(/^<fill in/u) as string });
    await expectRefusedAsItStands(lacking);
    for (const { text: told } of [refused, lacking]) expect(told).not.toContain('never_stop');
  });

  it('keeps what was right when a step lacks something', async () => {
    const first = await at.ask('start_workflow', start);
    const lacking = await at.ask('continue_workflow', {
      ...pair(first),
      output: looked.output,
      context: { size: 'Small' },
    });
    expect(lacking.answer['error_code']).toBe('STEP_INCOMPLETE');
    expect(offeredBy(lacking).arguments).toMatchObject({ output: looked.output, context: { size: 'Small' } });
    await expectRefusedAsItStands(lacking);
  });

  it('does not send long texts back, and names them instead', async () => {
    const first = await at.ask('start_workflow', start);
    const notes = `Seen: ${'x'.repeat(5000)}`;
    const lacking = await at.ask('continue_workflow', {
      ...pair(first),
      output: { notesMarkdown: notes },
      context: { size: 'Small' },
    });
    expect(lacking.answer['error_code']).toBe('STEP_INCOMPLETE');
    expect(lacking.text.length).toBeLessThan(2000);
    await expectRefusedAsItStands(lacking);
  });

  it('puts swapped and nearly right tokens right', async () => {
    const first = await at.ask('start_workflow', start);
    const { stateToken, ackToken } = pair(first);
    const swapped = await at.ask('continue_workflow', { stateToken: ackToken, ackToken: stateToken, ...looked });
    expect(offeredBy(swapped).arguments).toMatchObject({ stateToken, ackToken, ...looked });
    const cut = await at.ask('continue_workflow', { stateToken: stateToken.slice(0, -1), ackToken, ...looked });
    expect(offeredBy(cut).arguments).toMatchObject({ stateToken, ackToken, ...looked });
    const { tool, arguments: args } = offeredBy(cut);
    expect((await at.ask(tool, args)).answer['happened']).toBe('advanced');
  });

  it('asks a start for its inputs, and does not make them up', async () => {
    const bare = await at.ask('start_workflow', { workflowId: 'wr.small', session: 'AUTH-1', context: { more: 1 } });
    expect(offeredBy(bare).arguments).toMatchObject({ session: 'AUTH-1', context: { more: 1 } });
    await expectRefusedAsItStands(bare);
  });

  it('leads to no other work when nothing was found', async () => {
    await at.ask('start_workflow', start);
    const found = await at.ask('resume_session', { query: 'nobody wrote this' });
    expect(found.answer['found']).toBe(0);
    expect(offeredBy(found).tool).toBe('list_workflows');
  });

  it('shows every branch that an answer left out', async () => {
    const first = await at.ask('start_workflow', start);
    await at.ask('continue_workflow', { ...pair(first), ...looked });
    for (let branch = 0; branch < 12; branch += 1) {
      const back = await at.ask('continue_workflow', { stateToken: pair(first).stateToken });
      await at.ask('continue_workflow', {
        ...pair(back),
        output: { notesMarkdown: `Seen: branch ${branch} of many.` },
        context: looked.context,
      });
    }
    const tips = new Set<string>();
    let page = await at.ask('continue_workflow', { stateToken: pair(first).stateToken });
    for (let pages = 0; pages < 20; pages += 1) {
      for (const branch of page.answer['branches'] as { stateToken: string }[]) tips.add(branch.stateToken);
      const more = page.answer['moreBranches'];
      if (!isJsonObject(more)) break;
      page = await at.ask('continue_workflow', more['arguments'] as JsonObject);
    }
    expect(tips.size).toBe(13);
  });

  it('settles no gap that is not there', async () => {
    const first = await at.ask('start_workflow', start);
    const gap = { category: 'agent_disclosed', reason: 'settled', detail: 'It is.', resolves: 'gap_00000000' };
    const kept = await at.ask('checkpoint_workflow', { stateToken: pair(first).stateToken, output: { gaps: [gap] } });
    expect(kept.answer['error_code']).toBe('VALIDATION_ERROR');
    const acked = await at.ask('continue_workflow', {
      ...pair(first),
      ...looked,
      output: { ...looked.output, gaps: [gap] },
    });
    expect(acked.answer['error_code']).toBe('VALIDATION_ERROR');
  });
});

describe('a session that is not whole', () => {
  it('is called damaged where it is, and offers what can be read', async () => {
    const first = await at.ask('start_workflow', start);
    const second = await at.ask('continue_workflow', { ...pair(first), ...looked });
    const [file = ''] = await readdir(segments());
    await at.reopen();
    const third = await at.ask('checkpoint_workflow', {
      stateToken: pair(second).stateToken,
      output: { notesMarkdown: 'More.' },
    });
    expect(third.failed).toBe(false);
    const bytes = await readFile(path.join(segments(), file));
    const flip = bytes.indexOf('Seen: one');
    bytes.writeUInt8(bytes.readUInt8(flip) ^ 1, flip);
    await writeFile(path.join(segments(), file), bytes);
    await at.reopen();
    const tip = await at.ask('continue_workflow', { stateToken: pair(second).stateToken });
    expect(tip.answer['error_code']).toBe('SESSION_DAMAGED');
    const found = await at.ask('resume_session', { sessionId: 'AUTH-1' });
    expect(found.text).toContain('damaged');
    const { tool, arguments: args } = offeredBy(found);
    expect((await at.ask(tool, args)).failed).toBe(false);
  });

  it('is still found when its beginning is gone', async () => {
    const first = await at.ask('start_workflow', start);
    const [file = ''] = await readdir(segments());
    await at.reopen();
    await rm(path.join(at.folder, 'data/local'), { recursive: true, force: true });
    await at.ask('continue_workflow', { ...pair(first), ...looked });
    expect(await readdir(segments())).toHaveLength(2);
    await rm(path.join(segments(), file));
    await at.reopen();
    const found = await at.ask('resume_session', { sessionId: 'AUTH-1' });
    expect(found.answer['found']).toBe(1);
    expect(found.text).toContain('incomplete');
  });

  it('gets back a pin that was taken away under the running server', async () => {
    const first = await at.ask('start_workflow', start);
    const pins = path.join(at.folder, 'data/sessions/AUTH-1/pins');
    const before = await readdir(pins);
    await rm(path.join(pins, before[0] ?? ''));
    await rm(path.join(at.folder, 'library/small.yaml'));
    const second = await at.ask('continue_workflow', { ...pair(first), ...looked });
    expect(second.failed).toBe(false);
    expect(await readdir(pins)).toEqual(before);
    await at.reopen();
    expect((await at.ask('continue_workflow', { ...pair(first), ...looked })).text).toBe(second.text);
  });
});

describe('naming and finding work', () => {
  it('takes a number for a ticket', async () => {
    const one = await at.ask('start_workflow', { workflowId: 'wr.small', context: { thing: 'x', ticketId: 1234 } });
    expect(one.answer['session']).toMatchObject({ sessionId: '1234' });
  });

  it('finds words of scripts that have no spaces', async () => {
    const first = await at.ask('start_workflow', start);
    await at.ask('checkpoint_workflow', {
      stateToken: pair(first).stateToken,
      output: { notesMarkdown: 'ログイン画面の不具合を調べた' },
    });
    for (const query of ['ログイン', '不具合', 'ログイン画面'])
      expect((await at.ask('resume_session', { query })).answer['found'], query).toBe(1);
    expect((await at.ask('resume_session', { query: '設定' })).answer['found']).toBe(0);
  });
});
