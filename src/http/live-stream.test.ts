import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { liveStream, type LiveMessage, type LiveOptions } from './live-stream.js';

const decoder = new TextDecoder();
let lines: string[] = [];
let ended = 0;

function open(
  source: (signal: AbortSignal) => AsyncIterable<LiveMessage>,
  over: Partial<LiveOptions> = {},
): ReadableStreamDefaultReader<Uint8Array> {
  return liveStream({
    source,
    stop: new AbortController().signal,
    keepAliveMs: 1000,
    slowReaderMs: 5000,
    log: (line) => void lines.push(line),
    ended: () => (ended += 1),
    ...over,
  }).getReader();
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value);
  return text;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  ended = 0;
});
afterEach(() => vi.useRealTimers());

describe('a live stream', () => {
  it('sends what the source gives, and ends with it', async () => {
    const reader = open(async function* () {
      yield { event: 'ready', id: '1', data: { reset: false } };
      yield { id: '2' };
    });
    expect(await rest(reader)).toBe('retry: 1000\n\nevent: ready\nid: 1\ndata: {"reset":false}\n\nid: 2\n\n');
    expect(ended).toBe(1);
  });

  it('says that it lives', async () => {
    const reader = open(async function* (signal) {
      await untilAborted(signal);
      yield { id: 'never' };
    });
    expect(decoder.decode((await reader.read()).value)).toBe('retry: 1000\n\n');
    const next = reader.read();
    await vi.advanceTimersByTimeAsync(1000);
    expect(decoder.decode((await next).value)).toBe(': still here\n\n');
    await reader.cancel();
    expect(ended).toBe(1);
  });

  it('asks for no more than a reader takes, and sends who takes nothing away with a word', async () => {
    let given = 0;
    let aborted = false;
    const big = 'x'.repeat(50_000);
    const reader = open(async function* (signal) {
      signal.addEventListener('abort', () => (aborted = true));
      for (; given < 1000; given += 1) yield { event: 'events', data: { big } };
    });
    await vi.advanceTimersByTimeAsync(4000);
    expect(given).toBeLessThan(4);
    expect(aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect({ aborted, ended }).toEqual({ aborted: true, ended: 1 });
    const text = await rest(reader);
    expect(text).toContain('event: dropped');
    expect(text.length).toBeLessThan(250_000);
    expect(given).toBeLessThan(4);
  });

  it('lets a reader be who is slow and does read', async () => {
    const reader = open(async function* () {
      for (let index = 0; index < 20; index += 1) yield { event: 'events', data: { index, big: 'x'.repeat(40_000) } };
    });
    let text = '';
    for (;;) {
      await vi.advanceTimersByTimeAsync(3000);
      const part = await reader.read();
      if (part.done) break;
      text += decoder.decode(part.value);
    }
    expect(text).not.toContain('dropped');
    expect(text.match(/^event: events$/gmu)).toHaveLength(20);
  });

  it('ends with a word when the server ends', async () => {
    const stop = new AbortController();
    let over = false;
    const reader = open(
      async function* (signal) {
        yield { event: 'ready', data: { reset: false } };
        await untilAborted(signal);
        over = true;
      },
      { stop: stop.signal },
    );
    await vi.advanceTimersByTimeAsync(1);
    stop.abort();
    expect(await rest(reader)).toMatch(/event: stopped\ndata: \{"message":".+"\}\n\n$/u);
    expect({ over, ended }).toEqual({ over: true, ended: 1 });
    expect(
      await rest(
        open(
          async function* () {
            yield { id: 'never' };
          },
          { stop: stop.signal },
        ),
      ),
    ).not.toContain('never');
  });

  it('tells who reads when its source fails, and the log why', async () => {
    const reader = open(async function* () {
      yield { event: 'ready', data: { reset: false } };
      throw new Error('the disk is gone');
    });
    expect(await rest(reader)).toContain('event: dropped');
    expect(lines.join()).toContain('the disk is gone');
    expect(ended).toBe(1);
  });
});
