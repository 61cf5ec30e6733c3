import type { ApiError } from '../../contract/http-api.js';
import { ApiFailure } from './api-failure.js';

export interface Asked {
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as it is. */
  readonly file?: Blob;
  readonly signal?: AbortSignal;
}

/** Asks the server that this page came from; no other is ever asked. */
export async function ask<Answer>(path: string, asked: Asked = {}): Promise<Answer> {
  const response = await send(path, asked);
  const text = await read(response);
  const answer = parsed(text);
  if (response.ok && answer !== undefined) return answer as Answer;
  throw failureOf(response.status, text);
}

/** What an answer says that is no answer. */
export function failureOf(status: number, text: string): ApiFailure {
  const told = parsed(text);
  if (isApiError(told)) return new ApiFailure(told.message, { told, status });
  return new ApiFailure(
    `The server answered ${status} and this page could not read its answer. Reload the page: it may be older than the server.`,
    { status },
  );
}

async function send(path: string, { method = 'GET', body, file, signal }: Asked): Promise<Response> {
  const type = body !== undefined ? 'application/json' : file !== undefined ? 'application/octet-stream' : undefined;
  try {
    return await fetch(path, {
      method,
      headers: { accept: 'application/json', 'x-workrail': '1', ...(type !== undefined && { 'content-type': type }) },
      ...(body !== undefined ? { body: JSON.stringify(body) } : file !== undefined ? { body: file } : {}),
      ...(signal !== undefined && { signal }),
    });
  } catch (cause) {
    throw unreachable(cause);
  }
}

async function read(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unreachable(cause);
  }
}

export const unreachable = (cause: unknown): unknown =>
  cause instanceof DOMException && cause.name === 'AbortError'
    ? cause
    : new ApiFailure('No response from WorkRail. Start the server again; this page reconnects by itself.', { cause });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever asked is told that the answer made no sense.
    return undefined;
  }
}

const isApiError = (value: unknown): value is ApiError =>
  typeof value === 'object' && value !== null && 'error_code' in value && 'message' in value;
