import type { RawData, WebSocket } from 'ws';
import { errorText } from '../base/error-text.js';
import { limits } from '../base/limits.js';
import type { Rejection } from '../base/rejection.js';
import { err, ok, type Result } from '../base/result.js';
import { type SocketAsked, socketAsked, type SocketSaid } from '../contract/socket-messages.js';
import { errorOf } from './api-error.js';
import type { ApiWorld } from './api-world.js';

export interface SocketWorld extends Pick<ApiWorld, 'people' | 'about' | 'log'> {
  /** Aborted when the server ends. */
  readonly stop: AbortSignal;
  readonly keepAliveMs?: number;
  readonly slowReaderMs?: number;
}

/** One WebSocket: it says which shared states it follows, and is told of them until it goes, is too slow, or the server ends. */
export function serveSocket(socket: WebSocket, world: SocketWorld): void {
  const { stop, log, keepAliveMs = limits.keepAliveMs, slowReaderMs = limits.slowReaderMs } = world;
  const line = openLine(socket, slowReaderMs);
  const subscriptions = new Map<string, AbortController>();
  let hearing: Promise<unknown> = Promise.resolve();
  let unheard = 0;
  let answersPings = true;
  const clock = setInterval(() => {
    // Of whoever still takes what was sent before, no answer can be expected yet.
    if (line.isBusy()) return;
    if (!answersPings) return socket.terminate();
    answersPings = false;
    socket.ping();
  }, keepAliveMs);
  clock.unref();
  const stopped = (): void => {
    line.close({ event_type: 'stopped', message: 'the server is stopping; reconnect when it is back' }, 1001);
  };
  socket.on('pong', () => (answersPings = true));
  socket.on('close', () => {
    clearInterval(clock);
    stop.removeEventListener('abort', stopped);
    for (const subscription of subscriptions.values()) subscription.abort();
    line.end();
  });
  // A frame that is none, or too long: the connection is closed with the code that says so.
  socket.on('error', () => undefined);
  socket.on('message', (data, isBinary) => {
    // One after the other; whoever sends faster than it is answered waits.
    unheard += 1;
    socket.pause();
    hearing = hearing
      .then(() => hear(data, isBinary))
      .catch((cause: unknown) => log(`a WebSocket failed: ${errorText(cause)}`))
      .finally(() => {
        unheard -= 1;
        if (unheard === 0) socket.resume();
      });
  });
  if (stop.aborted) return stopped();
  stop.addEventListener('abort', stopped, { once: true });

  async function hear(data: RawData, isBinary: boolean): Promise<void> {
    const read = isBinary ? err(notAsked) : readAsked(data);
    if (!read.ok) return refuse(read.error);
    if ('subscribe' in read.value) return subscribe(read.value.subscribe, read.value.from);
    const { unsubscribe: state } = read.value;
    subscriptions.get(state)?.abort();
    if (!subscriptions.delete(state)) return refuse(notFollowed(state), state);
    await line.say({ event_type: 'unsubscribed', state_id: state });
  }

  async function refuse(rejection: Rejection, state?: string): Promise<void> {
    const error = errorOf(rejection, world);
    await line.say({ event_type: 'error', ...(state !== undefined && { state_id: state }), ...error });
  }

  async function subscribe(state: string, since: string | undefined): Promise<void> {
    if (!subscriptions.has(state) && subscriptions.size >= limits.socketSubscriptions)
      return refuse(tooManyFollowed, state);
    const over = new AbortController();
    const followed = await world.people.followState({ stateId: state, since, signal: over.signal });
    if (!followed.ok) return refuse(followed.error, state);
    if (socket.readyState !== socket.OPEN) return;
    // Who follows it already begins anew.
    subscriptions.get(state)?.abort();
    subscriptions.set(state, over);
    const { reset, messages } = followed.value;
    await line.say({ event_type: 'subscribed', state_id: state, reset });
    const tell = async (): Promise<void> => {
      for await (const { message } of messages) if (over.signal.aborted || !(await line.say(message))) return;
    };
    tell().catch((cause: unknown) => {
      log(`a WebSocket failed: ${errorText(cause)}`);
      line.close({ event_type: 'dropped', message: 'following failed because of a bug in WorkRail; reconnect' }, 1011);
    });
  }
}

interface Line {
  /** Sends a message once those before it are taken; false where nobody is there any more. */
  readonly say: (message: SocketSaid) => Promise<boolean>;
  /** A last word at once, and the end. */
  readonly close: (message: SocketSaid, code: number) => void;
  readonly isBusy: () => boolean;
  readonly end: () => void;
}

/** What is sent to one client: one message after the other, and nothing is kept for whoever takes none. */
function openLine(socket: WebSocket, slowReaderMs: number): Line {
  let busy = 0;
  let last: Promise<unknown> = Promise.resolve();
  const gone = new AbortController();
  const close = (message: SocketSaid, code: number): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(JSON.stringify(message));
    socket.close(code);
    setTimeout(() => socket.terminate(), limits.serverCloseMs).unref();
  };
  const send = async (message: SocketSaid): Promise<boolean> => {
    if (socket.readyState !== socket.OPEN) return false;
    const isTaken = await sent(socket, JSON.stringify(message), slowReaderMs, gone.signal);
    if (!isTaken) close({ event_type: 'dropped', message: tooSlow }, 1013);
    return isTaken;
  };
  return {
    say: (message) => {
      busy += 1;
      const said = last.then(() => send(message)).finally(() => (busy -= 1));
      last = said.catch(() => undefined);
      return said;
    },
    close,
    isBusy: () => busy > 0,
    end: () => gone.abort(),
  };
}

const tooSlow = 'messages are read too slowly; reconnect with from, and what was missed comes first';

/** Whether a message was taken in time. A reader that has taken a little is given time for the rest. */
function sent(socket: WebSocket, text: string, milliseconds: number, gone: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let left = Infinity;
    const done = (isTaken: boolean): void => {
      clearInterval(clock);
      gone.removeEventListener('abort', lost);
      resolve(isTaken);
    };
    const lost = (): void => done(false);
    const clock = setInterval(() => {
      if (socket.bufferedAmount >= left) done(false);
      left = socket.bufferedAmount;
    }, milliseconds);
    clock.unref();
    gone.addEventListener('abort', lost, { once: true });
    socket.send(text, (fault) => done(fault === undefined || fault === null));
    left = socket.bufferedAmount;
  });
}

function readAsked(data: RawData): Result<SocketAsked, Rejection> {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return err(notAsked);
  }
  const parsed = socketAsked.safeParse(value);
  return parsed.success ? ok(parsed.data) : err(notAsked);
}

const notAsked: Rejection = {
  code: 'VALIDATION_ERROR',
  message: 'a message is JSON that says what to follow, or to follow no longer',
  action:
    'send {"subscribe":"wfstate_…"}, with "from" and an etag to go on after that version, or {"unsubscribe":"wfstate_…"}',
};

const notFollowed = (state: string): Rejection => ({
  code: 'NOT_FOUND',
  message: `${JSON.stringify(state)} is not followed here`,
  action: 'nothing is to be done: no more comes of it',
});

const tooManyFollowed: Rejection = {
  code: 'LIMIT_EXCEEDED',
  message: `one WebSocket follows ${limits.socketSubscriptions} shared states at most`,
  action: 'send unsubscribe for one, or open another WebSocket',
  context: { allowed: limits.socketSubscriptions },
};
