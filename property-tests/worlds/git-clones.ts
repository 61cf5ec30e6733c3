import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDataRoot } from '../../src/log/files/prepare-data-root.js';
import type { Requests } from '../../src/requests/requests.js';
import { call, fieldsOf, makeRequestsWorld, type RequestsWorld, textOf } from './requests-world.js';

/** A workflow whose one step goes on for as long as a test likes. */
const endless = `workflow: wr.endless
title: Write things down
description: Use this to write one thing after the other.
version: 1.0.0
steps:
  - id: all
    repeat: 1000
    max: 1000
    steps:
      - { id: one, title: Write one thing down, prompt: Write it down. }
`;

export const sessionKey = 'TEAM-1';

/** One person's clone: an installation of its own with two processes at work in a git work tree. */
export class Clone {
  /** The texts whose acknowledgement came back. */
  readonly acknowledged: string[] = [];
  readonly folder: string;
  readonly #world: RequestsWorld;
  readonly #processes: Requests[];
  #written = 0;

  constructor(
    readonly name: string,
    seed: number,
    origin: string | undefined,
  ) {
    this.#world = makeRequestsWorld({ seed });
    this.#world.writeWorkflow('endless', endless);
    this.folder = join(this.#world.folder, 'clone');
    if (origin === undefined) {
      mkdirSync(this.folder);
      this.git('init', '-q', '-b', 'main');
    } else this.git('clone', '-q', origin, '.');
    this.git('config', 'user.name', name);
    this.git('config', 'user.email', `${name}@example.org`);
    this.#processes = [this.#world.open(this.data), this.#world.open(this.data)];
  }

  /** One of the two processes that are at work here all the while. */
  process(number: number): Requests {
    return this.#processes[number % 2]!;
  }

  get data(): string {
    return join(this.folder, '.workrail');
  }

  /** Runs git as nobody in particular; what git says no to is an error, unless it is asked for. */
  git(...args: readonly string[]): string {
    const { ok, text } = this.tryGit(...args);
    if (!ok) throw new Error(`${this.name}: git ${args.join(' ')}: ${text}`);
    return text;
  }

  tryGit(...args: readonly string[]): { readonly ok: boolean; readonly text: string } {
    if (args[0] === 'clone') mkdirSync(this.folder, { recursive: true });
    const env = {
      PATH: process.env['PATH'],
      HOME: this.#world.folder,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_EDITOR: 'true',
      GIT_TERMINAL_PROMPT: '0',
    };
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: this.folder, encoding: 'utf8', env });
    return { ok: status === 0, text: `${stdout}${stderr}`.trim() };
  }

  commit(message: string): void {
    this.git('add', '-A');
    if (this.tryGit('diff', '--cached', '--quiet').ok) return;
    this.git('commit', '-q', '-m', message);
  }

  /** One of the two processes does one thing: mostly a step at the tip, at times a rewind, a checkpoint. Rejections are fine; an acknowledgement is remembered. */
  async work(process: number, pick: number): Promise<void> {
    const requests = this.#processes[process % 2]!;
    const text = `${this.name}${process % 2} wrote thing ${(this.#written += 1)}`;
    const found = await call(requests, 'resume_session', { sessionId: sessionKey });
    const candidates = Array.isArray(found.answer['candidates']) ? found.answer['candidates'] : [];
    const stateToken = textOf(fieldsOf(candidates[0])['stateToken']);
    if (stateToken === '') {
      const started = await call(requests, 'start_workflow', {
        workflowId: 'wr.endless',
        session: sessionKey,
        context: { note: text },
      });
      if (!started.reply.failed) this.acknowledged.push(text);
      return;
    }
    const output = { notesMarkdown: text };
    if (pick % 7 === 0) {
      const kept = await call(requests, 'checkpoint_workflow', { stateToken, output });
      if (!kept.reply.failed) this.acknowledged.push(text);
      return;
    }
    const looked = await call(requests, 'continue_workflow', { stateToken });
    const ackToken = textOf(looked.answer['ackToken']);
    const acked = await call(requests, 'continue_workflow', { stateToken, ackToken, output });
    if (!acked.reply.failed) this.acknowledged.push(text);
    // Sent once more with other words: a rewind that forks.
    if (pick % 5 !== 0 || acked.reply.failed) return;
    const again = `${text}, seen otherwise`;
    const back = await call(requests, 'continue_workflow', { stateToken });
    const forked = await call(requests, 'continue_workflow', {
      stateToken,
      ackToken: textOf(back.answer['ackToken']),
      output: { notesMarkdown: again },
    });
    if (!forked.reply.failed) this.acknowledged.push(again);
  }

  /** What the session says here, and what is wrong with it; as seen by a process that was at work all the while. */
  async read(process: number): Promise<{
    readonly text: string;
    readonly findings: readonly { readonly level: string; readonly file: string; readonly message: string }[];
  }> {
    const story = await this.#processes[process % 2]!.people.readStory({ session: sessionKey });
    if (!story.ok) throw new Error(`${this.name}: ${story.error.message}`);
    return { text: JSON.stringify(story.value), findings: story.value.findings };
  }

  /** As `workrail init` does. */
  init(): void {
    prepareDataRoot({ kind: 'project', folder: this.data });
  }

  async close(): Promise<void> {
    await this.#world.close();
  }
}
