import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Header } from './request-headers.js';

/** One request on one connection, and its answer. */
export interface ExchangedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | Readable | undefined;
}

export type Exchanged =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: AnswerHeaders; readonly bytes: Buffer }
  | {
      readonly kind: 'failed';
      /** Whether anything of it may have left. */
      readonly sent: boolean;
      readonly cause: unknown;
      /** Where an answer had begun. */
      readonly status?: number;
    };

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The answer is longer than is wanted. */
export class AnswerTooLong extends Error {
  constructor(readonly most: number) {
    super('too long');
  }
}

/**
 * Whether anything was sent hangs on one promise of undici: it calls `onRequestStart` before the first byte, once the
 * connection stands, and writes nothing where that aborts.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangedRequest,
  {
    answerBytes,
    signal,
    unsent,
  }: { readonly answerBytes: number; readonly signal: AbortSignal; readonly unsent?: AbortSignal | undefined },
): Promise<Exchanged> {
  const { url, method, headers, body } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let sent = false;
    let settled = false;
    let answer: { readonly status: number; readonly headers: AnswerHeaders } | undefined;
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (exchanged: Exchanged): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', stop);
      unsent?.removeEventListener('abort', stopUnsent);
      if (exchanged.kind === 'failed' && body !== undefined && 'destroy' in body) body.destroy();
      resolve(exchanged);
    };
    const fail = (cause: unknown): void =>
      settle({ kind: 'failed', sent, cause, ...(answer !== undefined && { status: answer.status }) });
    const stop = (): void => {
      fail(new Error('stopped'));
      controller?.abort(new Error('stopped'));
    };
    const stopUnsent = (): void => {
      if (!sent) stop();
    };
    if (signal.aborted || unsent?.aborted === true) return stop();
    signal.addEventListener('abort', stop, { once: true });
    unsent?.addEventListener('abort', stopUnsent, { once: true });
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: headers.flat(),
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart: (started) => {
          // It was told already that nothing is sent, or undici begins anew: neither may write.
          if (settled || sent) return started.abort(new Error('no longer wanted'));
          controller = started;
          sent = true;
        },
        onResponseStart: (_controller, status, answered) => {
          if (status >= 200) answer = { status, headers: answered };
        },
        onResponseData: (started, chunk) => {
          length += chunk.length;
          if (length > answerBytes) {
            chunks.length = 0;
            fail(new AnswerTooLong(answerBytes));
            started.abort(new AnswerTooLong(answerBytes));
          } else chunks.push(chunk);
        },
        onResponseEnd: () => {
          if (answer === undefined) fail(new Error('an answer without a status'));
          else settle({ kind: 'answered', ...answer, bytes: Buffer.concat(chunks) });
        },
        onResponseError: (_controller, cause) => fail(cause),
      },
    );
  });
}
