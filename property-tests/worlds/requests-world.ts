import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Event } from '../../src/events/event.js';
import type { Reply } from '../../src/contract/reply.js';
import type { RequestName } from '../../src/contract/request-schemas.js';
import { emptyMemory, linesInMemory, type Memory, MemoryStore } from './memory-store.js';
import { openRequests, type Requests } from '../../src/requests/requests.js';

/** One installation in a temporary folder: its keys, its workflow files, and as many data roots and processes as a test wants. */
export interface RequestsWorld {
  readonly folder: string;
  readonly data: string;
  readonly bundled: string;
  /** What a process of this installation does with a data root; the folder is made by the first write. */
  open(
    data?: string,
    env?: Readonly<Record<string, string>>,
    person?: 'terminal',
    more?: { readonly watch?: boolean },
  ): Requests;
  /** Every line of a data root, read in the plainest way there is, in the order they were numbered. */
  lines(data?: string): readonly (Event & { readonly session: string })[];
  /** Sets the clock of all its processes. */
  turnClock(ms: number): void;
  writeWorkflow(name: string, text: string): void;
  removeWorkflow(name: string): void;
  /** A copy of the sessions alone, as git would carry them. */
  clone(from: string, name: string): string;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Everything drawn at random follows from this. */
  readonly seed: number;
  readonly bundled?: string;
  readonly lock?: 'on' | 'off';
  /** How far the clock goes on each time it is read, in milliseconds. */
  readonly tick?: number;
  /** What sessions are kept in; folders where nothing is said. */
  readonly store?: 'folders' | 'memory';
  readonly log?: (line: string) => void;
  /** Those of the built program, where threads are started. */
  readonly openRequests?: typeof openRequests;
}

export function makeRequestsWorld({
  seed,
  bundled: given,
  lock = 'on',
  tick = 1000,
  store = 'folders',
  log = () => undefined,
  openRequests: openThem = openRequests,
}: WorldOptions): RequestsWorld {
  const folder = mkdtempSync(join(tmpdir(), 'laws-'));
  const bundled = given ?? join(folder, 'bundled');
  mkdirSync(join(folder, 'workspace'));
  if (given === undefined) mkdirSync(bundled);
  const opened: Requests[] = [];
  const memories = new Map<string, Memory>();
  const memoryOf = (data: string): Memory => {
    const memory = memories.get(data) ?? emptyMemory(data);
    memories.set(data, memory);
    return memory;
  };
  // Long ago and always later than before: no two appends fall on one moment, and no torn end is waited for.
  let clock = Date.UTC(2026, 0, 2);
  return {
    folder,
    bundled,
    data: join(folder, 'data'),
    lines: (data = join(folder, 'data')) => (store === 'memory' ? linesInMemory(memoryOf(data)) : linesOnDisk(data)),
    open: (data = join(folder, 'data'), env = {}, person?, more = {}) => {
      const stream = opened.length;
      let drawn = 0;
      const requests = openThem({
        workspace: join(folder, 'workspace'),
        dataDir: data,
        env: {
          XDG_CONFIG_HOME: join(folder, 'config'),
          XDG_DATA_HOME: join(folder, 'user'),
          ...(lock === 'off' && { WORKRAIL_LOCK: 'off' }),
          ...env,
        },
        home: folder,
        ...(person !== undefined && { person }),
        ...more,
        bundledWorkflows: bundled,
        version: '0.0.0-laws',
        now: () => {
          clock += tick;
          return new Date(clock);
        },
        randomBytes: (count) => {
          drawn += 1;
          return createHash('shake256', { outputLength: count }).update(`${seed} ${stream} ${drawn}`).digest();
        },
        ...(store === 'memory' && { openStore: (needs) => new MemoryStore(memoryOf(data), needs) }),
        log,
      });
      opened.push(requests);
      return requests;
    },
    turnClock: (ms) => {
      clock += ms;
    },
    writeWorkflow: (name, text) => writeFileSync(join(bundled, `${name}.yaml`), text),
    removeWorkflow: (name) => rmSync(join(bundled, `${name}.yaml`), { force: true }),
    clone: (from, name) => {
      const to = join(folder, name);
      if (existsSync(join(from, 'sessions'))) cpSync(join(from, 'sessions'), join(to, 'sessions'), { recursive: true });
      else mkdirSync(to, { recursive: true });
      return to;
    },
    close: async () => {
      for (const requests of opened) await requests.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function sessionFolders(data: string): readonly string[] {
  const sessions = join(data, 'sessions');
  return existsSync(sessions) ? readdirSync(sessions).toSorted() : [];
}

/** As `lines` of a world, of any data root. */
export function linesOnDisk(data: string): readonly (Event & { readonly session: string })[] {
  return sessionFolders(data).flatMap((session) =>
    segmentTexts(data, session).flatMap(({ text }) => eventsIn(text).map((event) => ({ ...event, session }))),
  );
}

export function segmentTexts(
  data: string,
  session: string,
): readonly { readonly name: string; readonly text: string }[] {
  const folder = join(data, 'sessions', session, 'segments');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

export function eventsIn(text: string): readonly Event[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Event);
}

/** Takes the other root's segments and pins in, as a merge of two clones would: a file both have grew in one of them at most. */
export function mergeInto(target: string, from: string): void {
  for (const session of sessionFolders(from)) {
    for (const part of ['segments', 'pins']) {
      const [source, goal] = [join(from, 'sessions', session, part), join(target, 'sessions', session, part)];
      if (!existsSync(source)) continue;
      mkdirSync(goal, { recursive: true });
      for (const name of readdirSync(source)) {
        const theirs = readFileSync(join(source, name));
        const ours = existsSync(join(goal, name)) ? readFileSync(join(goal, name)) : Buffer.alloc(0);
        const shorter = Math.min(ours.length, theirs.length);
        if (Buffer.compare(ours.subarray(0, shorter), theirs.subarray(0, shorter)) !== 0)
          throw new Error(`${session}/${part}/${name} grew differently in two clones`);
        if (theirs.length > ours.length) writeFileSync(join(goal, name), theirs);
      }
    }
  }
}

/** An answer's fields, as a caller reads them. */
export type Fields = { readonly [key: string]: JsonValue | undefined };

export interface Called {
  readonly reply: Reply;
  readonly answer: Fields;
}

export async function call(requests: Requests, name: RequestName, raw: JsonObject): Promise<Called> {
  const reply = await requests.call(name, raw);
  return { reply, answer: reply.answer };
}

export const fieldsOf = (value: JsonValue | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
export const listOf = (value: JsonValue | undefined): readonly Fields[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).map(fieldsOf) : [];
export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The tokens of an answer, as they go with what completes its step. */
export const pairOf = (answer: Fields): { readonly stateToken: string; readonly ackToken: string } => ({
  stateToken: textOf(answer['stateToken']),
  ackToken: textOf(answer['ackToken']),
});

/** A later round of a loop tells what differs, and where the whole step is to be seen: there. */
export async function withWholeStep(requests: Requests, here: Called): Promise<Called> {
  return here.reply.text.includes('; the whole step: continue_workflow')
    ? call(requests, 'continue_workflow', { stateToken: here.answer['stateToken']! })
    : here;
}

/** All of an answer that a caller sees. */
export const wholeAnswer = ({ reply }: Called): string => `${reply.text}\n${JSON.stringify(reply.answer)}`;

const asRecorded = 'Below is the answer to the step as it was recorded:\n\n';

/** What an answer to other work says besides: the answer to the step as it was recorded. */
export function withoutOtherWork({ reply, answer }: Called): string {
  const at = reply.text.indexOf(asRecorded);
  if (!reply.text.startsWith('NOT recorded as ') || at < 0) throw new Error(`no word of other work: ${reply.text}`);
  const rest = Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'otherWork'));
  const [warning, ...warnings] = listOf(answer['warnings']);
  if (warning?.['code'] !== 'OTHER_WORK_KEPT') throw new Error('no warning of other work');
  const text = reply.text
    .slice(at + asRecorded.length)
    .replace(/,"warnings":\["OTHER_WORK_KEPT"\]|"OTHER_WORK_KEPT",/u, '');
  return `${text}\n${JSON.stringify({ ...rest, warnings })}`;
}
