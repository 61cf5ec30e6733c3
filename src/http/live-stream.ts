import type { LiveMessages } from '../contract/live-messages.js';

/** One server-sent event; without a name it only says how far one has come. */
export interface LiveMessage {
  readonly event?: keyof LiveMessages;
  readonly id?: string;
  readonly data?: object;
}

export interface LiveOptions {
  /** What is to be sent, until the signal. */
  readonly source: (signal: AbortSignal) => AsyncIterable<LiveMessage>;
  /** Aborted when the server ends. */
  readonly stop: AbortSignal;
  readonly keepAliveMs: number;
  /** How long one message may wait for the reader to take what came before it. */
  readonly slowReaderMs: number;
  readonly log: (line: string) => void;
  readonly ended: () => void;
}

/** Bytes that may wait for a reader before the next message is asked for. */
const waiting = 64 * 1024;

/** Server-sent events. Nothing is asked of the source faster than the reader takes it, and who takes nothing is told so and sent away. */
export function liveStream({
  source,
  stop,
  keepAliveMs,
  slowReaderMs,
  log,
  ended,
}: LiveOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const over = new AbortController();
  let taken: (() => void) | undefined;
  let finished = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const settle = (): void => {
          finished = true;
          clearInterval(clock);
          stop.removeEventListener('abort', stopped);
          ended();
        };
        const finish = (last?: LiveMessage): void => {
          if (finished) return;
          settle();
          if (last !== undefined) write(written(last));
          controller.close();
          over.abort();
        };
        const stopped = (): void =>
          finish({ event: 'stopped', data: { message: 'the server is stopping; reconnect when it is back' } });
        const clock = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) write(': still here\n\n');
        }, keepAliveMs);
        clock.unref();
        over.signal.addEventListener('abort', () => {
          taken?.();
          if (!finished) settle();
        });
        write('retry: 1000\n\n');
        if (stop.aborted) return stopped();
        stop.addEventListener('abort', stopped, { once: true });
        const takenInTime = async (): Promise<boolean> => {
          const room = controller.desiredSize;
          const inTime = await within(slowReaderMs, (resolve) => (taken = resolve));
          taken = undefined;
          // A reader that has taken a little is given time for the rest.
          return inTime || (controller.desiredSize !== room && takenInTime());
        };
        const pump = async (): Promise<void> => {
          for await (const message of source(over.signal)) {
            if (finished) return;
            write(written(message));
            if ((controller.desiredSize ?? 0) > 0) continue;
            if (!(await takenInTime()))
              return finish({
                event: 'dropped',
                data: { message: 'the stream is read too slowly; reconnect, and what was missed comes first' },
              });
          }
          finish();
        };
        pump().catch((cause: unknown) => {
          log(`a live stream failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
          finish({ event: 'dropped', data: { message: 'the stream failed because of a bug in WorkRail; reconnect' } });
        });
      },
      pull() {
        taken?.();
      },
      cancel() {
        over.abort();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: waiting }),
  );
}

function written({ event, id, data }: LiveMessage): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ];
  return `${lines.join('\n')}\n\n`;
}

function within(milliseconds: number, begin: (resolve: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    timer.unref();
    begin(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
