import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RequestName } from '../../src/contract/request-schemas.js';
import type { Reply } from '../../src/contract/reply.js';
import { openRequests, type Requests } from '../../src/requests/requests.js';

/** A conversation as a newcomer reads it: what was asked, and exactly what came back. */
export interface Transcript {
  readonly folder: string;
  readonly text: () => string;
  /** Words of the writer, between two exchanges. */
  say(words: string): void;
  ask(name: RequestName, request: object, show?: 'text' | 'data'): Promise<Reply>;
  /** Another process on the same folders, which knows nothing but the disk. */
  reopen(): Promise<void>;
  end(): Promise<void>;
}

export interface TranscriptOptions {
  /** Tells one installation from another: key and ids follow from it. */
  readonly seed?: string;
  readonly workflows?: string;
  readonly data?: string;
  /** Those of the built program, where threads are started. */
  readonly openRequests?: typeof openRequests;
  /** Takes out what differs each time. */
  readonly masked?: (text: string) => string;
}

const fixtures = path.resolve(import.meta.dirname, '../../fixtures');

/** Clock and randomness are counters, so that the same conversation gives the same bytes. */
export async function openTranscript(
  title: string,
  {
    seed = 'golden',
    workflows,
    data,
    openRequests: openThem = openRequests,
    masked = (text) => text,
  }: TranscriptOptions = {},
): Promise<Transcript> {
  const folder = await mkdtemp(path.join(tmpdir(), 'workrail-transcript-'));
  const library = path.join(folder, 'library');
  await cp(workflows ?? path.join(fixtures, 'workflows'), library, { recursive: true });
  const dataDir = data ?? path.join(folder, 'data');
  await mkdir(path.join(folder, 'workspace'));
  let draws = 0;
  let ticks = 0;
  const open = (): Requests =>
    openThem({
      workspace: path.join(folder, 'workspace'),
      dataDir,
      env: { XDG_CONFIG_HOME: path.join(folder, 'config') },
      home: folder,
      bundledWorkflows: library,
      version: '0.0.0-golden',
      now: () => new Date(Date.UTC(2026, 0, 5, 9, 0, (ticks += 1))),
      randomBytes: (count) => {
        draws += 1;
        return createHash('sha512').update(`${seed} ${draws}`).digest().subarray(0, count);
      },
      log: () => undefined,
    });
  let requests = open();
  const lines = [`# ${title}`];
  return {
    folder,
    text: () => masked(`${lines.join('\n\n').replace(/[ \t]+$/gmu, '')}\n`),
    say: (words) => void lines.push(words),
    ask: async (name, request, show = 'text') => {
      const reply = await requests.call(name, request);
      const shown = show === 'text' ? reply.text : JSON.stringify(reply.answer, undefined, 1);
      lines.push(
        `## ${name}`,
        `> ${JSON.stringify(request).replace(/^(.{600}).*$/u, '$1 …')}`,
        `\`\`\`\`${show}${reply.failed ? ' failed' : ''}\n${shown}\n\`\`\`\``,
      );
      return reply;
    },
    reopen: async () => {
      await requests.close();
      requests = open();
    },
    end: async () => {
      await requests.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function writeTranscript(name: string, text: string): Promise<void> {
  await writeFile(transcriptFile(name), text);
}

export const transcriptFile = (name: string): string => path.join(fixtures, 'transcripts', `${name}.md`);
