import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionId, WorkflowHash } from '../../src/base/ids.js';
import type { Event, EventDraft } from '../../src/events/event.js';
import type { DataRoot } from '../../src/machine/data-root.js';
import type { Decision } from '../../src/log/port/session-log.js';
import type { FileSessionLog } from '../../src/log/file-session-log.js';
import type { Projection } from '../../src/log/port/projection.js';
import { openFileStore, type FileStore, type FileStoreOptions } from '../../src/log/file-store.js';

/** The plainest fold there is: the order of the events itself. */
export interface Seen {
  readonly sums: string[];
  readonly texts: string[];
}

export const listing: Projection<Seen> = {
  version: 'listing 1',
  empty: () => ({ sums: [], texts: [] }),
  fold: (state, events) => {
    for (const event of events) {
      state.sums.push(event.sum);
      state.texts.push(textOf(event));
    }
    return state;
  },
};

export function textOf(event: Event): string {
  return event.kind === 'note_added' ? event.data.text : event.kind;
}

export const note = (text: string): EventDraft => ({ kind: 'note_added', data: { text } });

export const notes =
  (...texts: string[]): (() => Decision<string>) =>
  () => ({ answer: texts.join(), events: texts.map(note) });

export interface World {
  readonly folder: string;
  readonly root: DataRoot;
  store(options?: Partial<FileStoreOptions<Seen>>): FileStore<Seen>;
  log(options?: Partial<FileStoreOptions<Seen>>): FileSessionLog<Seen>;
  close(): Promise<void>;
}

/** A data root of its own in a temporary folder, with as many stores over it as a test wants processes. */
export function makeWorld(id = 'ses_example'): World {
  const folder = mkdtempSync(join(tmpdir(), 'log-world-'));
  const root: DataRoot = { kind: 'given', folder: join(folder, 'data') };
  const stores: FileStore<Seen>[] = [];
  const store = (options: Partial<FileStoreOptions<Seen>> = {}): FileStore<Seen> => {
    const opened = openFileStore<Seen>({
      roots: [root],
      newSessions: root,
      projection: listing,
      // Long before any file of this run was written: no torn end is ever waited for.
      now: () => new Date('2026-01-02T03:04:05.678Z'),
      randomBytes: (count) => randomBytes(count),
      log: () => undefined,
      ...options,
    });
    stores.push(opened);
    return opened;
  };
  return {
    folder,
    root,
    store,
    log: (options) => store(options).create(id as SessionId),
    close: async () => {
      for (const opened of stores) await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function pinOf(text: string): { readonly hash: WorkflowHash; readonly text: string } {
  return { hash: createHash('sha256').update(text).digest('hex') as WorkflowHash, text };
}

/** A run of a workflow of which only the hash counts. */
export function runStarted(hash: WorkflowHash): EventDraft {
  return {
    kind: 'run_started',
    run: 'run_00000000' as never,
    node: 'n_000000000000' as never,
    data: {
      workflowId: 'w',
      workflowHash: hash,
      title: 'W',
      version: '1',
      source: 's',
      inputs: {},
      context: {},
      preferences: {
        autonomy: 'guided',
        gateHandling: 'block',
        assumptionPolicy: 'ask_when_missing',
        riskPolicy: 'conservative',
      },
      request: '0123456789abcdef',
      key: 'k_00000000' as never,
      engine: '1',
    },
  };
}
