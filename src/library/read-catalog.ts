import { Worker } from 'node:worker_threads';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import type { DocumentViolation, OpenapiCatalog, Operation } from '../catalogs/openapi-catalog.js';
import type { OperationIndex } from '../catalogs/operation-index.js';
import { errorCode } from '../files/fault-reason.js';
import type { DocumentOrigin } from './read-document.js';

export interface AskedCatalog {
  readonly origin: DocumentOrigin;
  /** Those that are wanted in full, by id or as `METHOD /path`. */
  readonly operations: readonly string[];
  /** Whether warnings are wanted of what differs from the official schema. */
  readonly strict: boolean;
  /** What all of it comes to is wanted: its document to be kept, and its index kept at once. */
  readonly whole?: {
    readonly document: boolean;
    readonly index?: { readonly folder: string; readonly key: Uint8Array };
  };
}

export interface ReadCatalog {
  readonly catalog: OpenapiCatalog;
  /** As they were asked for; undefined where there is none of that name. */
  readonly operations: readonly (Operation | undefined)[];
  /** Where it was asked for. */
  readonly whole?: {
    /** SHA-256 of the document as it is kept. */
    readonly digest: string;
    readonly document?: Uint8Array;
    readonly providers: OperationIndex['providers'];
  };
}

type Read = Result<ReadCatalog, readonly DocumentViolation[]>;

/** First what was read, and unless that is the last, what differs from the official schema. */
export type ToldByWorker =
  | { readonly read: Read; readonly isLast?: boolean }
  | { readonly strict: readonly DocumentViolation[] };

export interface ReadingBounds {
  readonly ms?: number;
  readonly mib?: number;
}

/**
 * Reads an API document in a thread of its own, so that nobody else waits. One that takes too long or too much memory is
 * refused, like all that cannot be read.
 */
export async function readCatalog(asked: AskedCatalog, bounds: ReadingBounds = {}): Promise<Read> {
  const leave = await turn();
  try {
    return await readInThread(asked, bounds);
  } finally {
    leave();
  }
}

const atOnce = 2;
let reading = 0;
const waiting: (() => void)[] = [];

/** Each takes much memory, and has its time from when it begins. */
async function turn(): Promise<() => void> {
  if (reading < atOnce) reading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  return () => {
    const next = waiting.shift();
    if (next === undefined) reading -= 1;
    else next();
  };
}

function readInThread(asked: AskedCatalog, bounds: ReadingBounds): Promise<Read> {
  const { ms = limits.apiReadMs, mib = limits.apiReadMiB } = bounds;
  const worker = new Worker(new URL('./catalog-worker.js', import.meta.url), {
    workerData: asked,
    env: {},
    execArgv: [],
    // Whatever it says is no message of a door.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: mib },
  });
  return new Promise<Read>((resolve, reject) => {
    let read: Read | undefined;
    // The strict look is for warnings alone: without it, what was read still counts.
    const end = (otherwise: () => void): void => {
      clearTimeout(timer);
      if (read === undefined) otherwise();
      else resolve(read);
      void worker.terminate();
    };
    const refuse = (rule: string, message: string): void =>
      end(() => resolve(err([{ severity: 'error', rule, pointer: '', message }])));
    const timer = setTimeout(() => refuse('time', `reading the document takes longer than ${ms / 1000} s`), ms);
    worker.on('message', (told: ToldByWorker) => {
      if ('read' in told) read = told.read;
      else if (read?.ok === true) read = withWarnings(read.value, told.strict);
      if ('strict' in told || !told.read.ok || told.isLast === true) end(() => undefined);
    });
    worker.on('error', (cause) => {
      if (errorCode(cause) === 'ERR_WORKER_OUT_OF_MEMORY')
        refuse('memory', `reading the document takes more than ${mib} MB of memory`);
      else end(() => reject(new Error('reading an API document failed', { cause })));
    });
    worker.on('exit', () => end(() => reject(new Error('reading an API document ended without an answer'))));
  });
}

const withWarnings = (read: ReadCatalog, strict: readonly DocumentViolation[]): Read =>
  ok({ ...read, catalog: { ...read.catalog, warnings: [...read.catalog.warnings, ...strict] } });
