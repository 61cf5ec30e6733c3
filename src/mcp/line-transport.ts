import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { isJsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { Batches } from './batches.js';

/**
 * A message a line, in and out. The SDK's own transport passes over a line that it cannot read, so that its client waits
 * for ever, and closes with stdin, so that what was asked by then is never answered.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Told each message before the server is. */
  heard?: (message: JSONRPCMessage) => void;
  /** Told each message that the server has handed over. */
  sent?: (message: JSONRPCMessage) => void;
  /** Told after anything was written, refusals too. */
  wrote?: () => void;
  /** The server that is connected takes `onclose` for itself. */
  ended?: () => void;

  private readonly batches = new Batches();
  private parts: Buffer[] = [];
  private size = 0;
  private closed = false;

  constructor(
    private readonly stdin: Readable,
    private readonly stdout: Writable,
  ) {}

  start(): Promise<void> {
    this.stdin.on('data', this.take);
    this.stdin.on('end', this.takeRest);
    this.stdin.on('error', (error) => this.onerror?.(error));
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const written = this.write(this.batches.gather(message));
    this.sent?.(message);
    return written;
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    this.stdin.off('data', this.take);
    this.stdin.off('end', this.takeRest);
    this.parts = [];
    this.onclose?.();
    this.ended?.();
    return Promise.resolve();
  }

  private readonly take = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.hold(chunk.subarray(from, end));
      from = end + 1;
      this.takeRest();
    }
    this.hold(chunk.subarray(from));
  };

  private hold(part: Buffer): void {
    if (this.closed || part.byteLength === 0) return;
    this.parts.push(part);
    this.size += part.byteLength;
    if (this.size <= limits.mcpMessage) return;
    // Nothing that comes after can be told from the rest of it.
    this.onerror?.(new MessageTooLong());
    void this.close();
  }

  private readonly takeRest = (): void => {
    if (this.closed || this.size === 0) return;
    const line = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts);
    this.parts = [];
    this.size = 0;
    this.read(line);
  };

  private read(line: Buffer): void {
    let message: unknown;
    try {
      const text = decoder.decode(line);
      if (text.trim() === '') return;
      message = JSON.parse(text);
    } catch {
      return this.refuse(refusal(undefined, -32700, 'the line is not JSON in UTF-8; a message is one line of JSON'));
    }
    if (!Array.isArray(message)) return isMessage(message) ? this.serve(message) : this.refuse(notMessage(message));
    if (message.length === 0) return this.refuse(notMessage(message));
    const batch: readonly unknown[] = message;
    const served = batch.filter(isMessage);
    const refused = batch.filter((one) => !isMessage(one)).map(notMessage);
    for (const { error } of refused) this.onerror?.(new Error(error.message));
    void this.write(
      this.batches.open(
        served.flatMap((one) => (isJSONRPCRequest(one) ? [one.id] : [])),
        refused,
      ),
    );
    for (const one of served) this.serve(one);
  }

  private serve(message: JSONRPCMessage): void {
    this.heard?.(message);
    if ('method' in message && !('id' in message) && message.method === 'notifications/cancelled')
      void this.write(this.batches.takeBack(message.params?.['requestId']));
    this.onmessage?.(message);
  }

  private refuse(refused: Refusal): void {
    this.onerror?.(new Error(refused.error.message));
    void this.write(refused);
  }

  /** Not awaited by those who send: to a client that no longer reads it never ends. */
  private write(message: object | undefined): Promise<void> {
    if (message === undefined || this.closed) return Promise.resolve();
    const written = new Promise<void>((resolve) => {
      this.stdout.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
    this.wrote?.();
    return written;
  }
}

export class MessageTooLong extends Error {}

const newline = 0x0a;
const decoder = new TextDecoder('utf-8', { fatal: true });

interface Refusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** With the id of what it refuses, where that can be read. */
function refusal(message: unknown, code: number, words: string): Refusal {
  const id = isJsonObject(message) ? message['id'] : undefined;
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
  return { jsonrpc: '2.0', id: known, error: { code, message: words } };
}

const notMessage = (message: unknown): Refusal =>
  refusal(
    message,
    -32600,
    'this is not a JSON-RPC 2.0 message: a request has "jsonrpc": "2.0", an "id" that is text or a whole number, a "method" that is text, and "params", if any, that are an object',
  );

const isMessage = (message: unknown): message is JSONRPCMessage =>
  isJSONRPCRequest(message) ||
  isJSONRPCNotification(message) ||
  isJSONRPCResultResponse(message) ||
  isJSONRPCErrorResponse(message);
