import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/base/json-value.js';
import { expect } from 'vitest';
import { limits } from '../../src/base/limits.js';
import { compareEvents } from '../../src/events/event.js';
import { call, type Called, fieldsOf, listOf, textOf, wholeAnswer } from './requests-world.js';
import { type Choice, type ModelNode, type RunnerModel, type Way, wayOf } from './runner-model.js';
import { runOf, type RunnerWorld } from './runner-world.js';
import { answer, type Script } from './scripted-server.js';

/** Something that an agent does: go on, go back and do a step again, send an ack again, look, look at another branch; or the run is canceled. */
export interface Deed {
  readonly what: 'go' | 'back' | 'again' | 'look' | 'change' | 'cancel';
  readonly which: number;
  readonly word: string;
  readonly choice: Choice;
  readonly process: number;
}

const isSame = (actual: unknown, wanted: unknown, why = ''): void => expect(actual, why).toEqual(wanted);

/** The server does what the model foresees. */
export function scripted(at: RunnerWorld, drawnWays: readonly Way[]): Script {
  const times = new Map<string, number>();
  return async (request, count) => {
    const { method, path, body } = request;
    const key = `${method} ${path} ${body}`;
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    const way = wayOf(drawnWays, { method, path, body }, before);
    const reset = { bytes: Buffer.alloc(0), then: 'reset' } as const;
    switch (way) {
      case 'ok':
        return method === 'GET' ? answer(200, { title: path }) : at.api.script(request, count);
      case 'lost':
        await at.api.script(request, count);
        return reset;
      case 'dropped':
        return reset;
      case 'no':
        return answer(404, { message: 'no' });
      case 'broken':
        return answer(500, { message: 'broken' });
      case 'busy':
        return answer(429, {}, { 'retry-after': '0' });
      case 'busier':
        return answer(429, {});
    }
  };
}

/** Plays against a run and its model at once, by two processes. */
export class RunnerPlay {
  readonly met = new Map<string, number>();
  readonly #tokens = new Map<ModelNode, string>();
  readonly #acks: { readonly args: JsonObject; readonly of: ModelNode; readonly told: string | undefined }[] = [];
  /** The run was canceled, and somebody could have gone on with it. */
  #isOver = false;
  #here: { readonly node: ModelNode; readonly called: Called };

  private constructor(
    readonly at: RunnerWorld,
    readonly model: RunnerModel,
    readonly processes: readonly ReturnType<RunnerWorld['world']['open']>[],
    started: Called,
    node: ModelNode,
  ) {
    this.#here = { node, called: started };
    this.judge(started, node);
  }

  static async begin(at: RunnerWorld, model: RunnerModel): Promise<RunnerPlay> {
    const processes = [at.world.open(), at.world.open()];
    const started = await at.start(processes[0]!);
    return new RunnerPlay(at, model, processes, started, model.start());
  }

  /** What is answered tells of this node, and what was sent is what had to be. */
  judge(called: Called, node: ModelNode): void {
    const standing = this.model.standing(node);
    this.met.set(standing, (this.met.get(standing) ?? 0) + 1);
    const { kind, pending, stateToken, blockers } = called.answer;
    const [blocker] = listOf(blockers);
    isSame(kind === 'blocked' ? blocker?.['code'] : kind, standing, called.reply.text);
    if (standing === 'ok') isSame(fieldsOf(pending)['stepId'], this.model.places[node.at]!.step.id);
    const known = this.#tokens.get(node);
    if (known === undefined) this.#tokens.set(node, textOf(stateToken));
    else isSame(textOf(stateToken), known);
    const seen = this.at.server.seen.map(({ method, path, body }) => ({ method, path, body }));
    isSame(seen, this.model.sent);
  }

  async go({ word, choice }: Deed, process: RunnerPlay['processes'][number]): Promise<void> {
    const { node, called } = this.#here;
    const { stateToken, ackToken } = called.answer as { stateToken: string; ackToken?: string };
    const standing = this.model.standing(node);
    if (ackToken === undefined || standing === 'complete' || standing === 'failed') return;
    const more =
      standing === 'ok'
        ? { context: { word } }
        : standing === 'CONFIRMATION_REQUIRED'
          ? { confirmed: true }
          : { context: { outcome: choice } };
    const isFork = standing === 'ok' && node.children.length > 0;
    if (isFork) this.met.set('fork', (this.met.get('fork') ?? 0) + 1);
    const args = { stateToken, ackToken, ...more };
    const next = await this.at.goOn(process, called, more);
    if (standing === 'ok') {
      const child = this.model.ack(node, word);
      const below = this.model.below(child);
      const isSettled = ['ok', 'complete', 'failed'].includes(this.model.standing(below));
      this.#acks.push({ args, of: child, told: isSettled ? wholeAnswer(next) : undefined });
    } else if (standing === 'CONFIRMATION_REQUIRED') this.model.agree(node);
    else this.model.settle(node, choice);
    const from = standing === 'ok' ? this.#acks.at(-1)!.of : node;
    this.#here = { node: this.model.below(from), called: next };
    this.judge(next, this.#here.node);
  }

  async look(node: ModelNode, process: RunnerPlay['processes'][number]): Promise<void> {
    const stateToken = this.#tokens.get(node);
    if (stateToken === undefined) return;
    const below = this.model.below(node);
    const called = await this.at.look(process, { answer: { stateToken } });
    this.#here = { node: below, called };
    this.judge(called, below);
  }

  /** An ack is answered as before, to the byte, once all that follows it had been settled. */
  async again(which: number, process: RunnerPlay['processes'][number]): Promise<void> {
    if (this.#acks.length === 0) return;
    const at = which % this.#acks.length;
    const { args, of, told } = this.#acks[at]!;
    const called = await this.at.goOn(process, { answer: args }, args);
    const below = this.model.below(of);
    const isSettled = ['ok', 'complete', 'failed'].includes(this.model.standing(below));
    if (this.#isOver && !isSettled) return isSame(called.answer['kind'], 'canceled', called.reply.text);
    this.judge(called, below);
    if (told !== undefined) {
      isSame(wholeAnswer(called), told);
      this.met.set('replayed', (this.met.get('replayed') ?? 0) + 1);
    } else if (isSettled) this.#acks[at] = { args, of, told: wholeAnswer(called) };
  }

  async cancel(process: RunnerPlay['processes'][number]): Promise<void> {
    await call(process, 'cancel_run', { runId: runOf(this.at) });
    this.#isOver = this.at.world.lines().some(({ kind, node }) => kind === 'run_stopped' && node === undefined);
    if (this.#isOver) this.met.set('canceled', (this.met.get('canceled') ?? 0) + 1);
  }

  /** Nothing is recorded or sent any more; what had ended before stays as it ended. */
  async afterEnd({ which, word }: Deed, process: RunnerPlay['processes'][number]): Promise<void> {
    const before = [this.at.world.lines().length, this.at.server.seen.length];
    const nodes = [...this.#tokens.keys()];
    const node = nodes[which % nodes.length]!;
    const { answer: looked, reply } = await this.at.look(process, { answer: { stateToken: this.#tokens.get(node)! } });
    const standing = this.model.standing(this.model.below(node));
    isSame(looked['kind'], standing === 'complete' || standing === 'failed' ? standing : 'canceled', reply.text);
    const { node: here, called } = this.#here;
    if (called.answer['ackToken'] !== undefined && this.model.standing(here) === 'ok') {
      const { answer: refused } = await this.at.goOn(process, called, { context: { word } });
      isSame(refused['error_code'], 'PRECONDITION_FAILED');
    }
    isSame([this.at.world.lines().length, this.at.server.seen.length], before);
  }

  async do(one: Deed): Promise<void> {
    const process = this.processes[one.process]!;
    if (this.#isOver && one.what !== 'again') return this.afterEnd(one, process);
    const some = (holds: (node: ModelNode) => boolean): ModelNode | undefined => {
      const all = this.model.nodes.filter((node) => this.#tokens.has(node) && holds(node));
      return all[one.which % all.length];
    };
    switch (one.what) {
      case 'go':
        return this.go(one, process);
      case 'cancel':
        return this.cancel(process);
      case 'again':
        return this.again(one.which, process);
      case 'look':
        return this.look(this.#here.node, process);
      case 'change': {
        const tip = some(({ children }) => children.length === 0);
        return tip && this.look(tip, process);
      }
      case 'back': {
        const back = some((node) => this.model.standing(node) === 'ok');
        if (back === undefined) return undefined;
        await this.look(back, process);
        return this.go({ ...one, what: 'go' }, process);
      }
    }
  }

  /** However often a run was driven, little is left of that. */
  #isLittleLeft(): void {
    const claims = join(this.at.world.data, 'local', 'running', 'claims');
    for (const name of existsSync(claims) ? readdirSync(claims) : [])
      isSame(readdirSync(join(claims, name)).length <= 2 * limits.claimsKept + 1, true, `claims of ${name}`);
  }

  /** In a third process, which has seen nothing of it. */
  async end(): Promise<void> {
    const fresh = this.at.world.open();
    for (const at of this.#acks.keys()) {
      await this.again(at, this.processes[0]!);
      await this.again(at, fresh);
    }
    this.#isLittleLeft();
    const lines = this.at.world.lines().toSorted(compareEvents);
    const sent = lines.filter(({ kind }) => kind === 'command_sent');
    // Each write that arrived had been recorded, and each that was recorded arrived.
    isSame(sent.length, this.model.sent.filter(({ method }) => method !== 'GET').length);
    const tries = sent.map(({ node, data }) => JSON.stringify([node, (data as { try: number }).try]));
    isSame(new Set(tries).size, tries.length);
    onlyOnWord(lines);
    const stopped = new Set<unknown>();
    for (const { kind, node } of lines) {
      if (kind === 'run_stopped') stopped.add(node);
      if (kind === 'command_sent' || kind === 'command_done') isSame(stopped.has(node), false, 'after its end');
    }
    for (const { kind, data } of lines) {
      if (kind !== 'step_blocked') continue;
      const about = (data as { command?: { call: string; try?: number } }).command;
      if (about?.try === undefined) continue;
      isSame(
        sent.some(({ data: one }) => JSON.stringify([about.call, about.try]) === callOf(one)),
        true,
      );
    }
  }
}

/** What must not be done twice was sent again only where the last time came to nothing, or where one word about that time said so. */
function onlyOnWord(lines: ReturnType<RunnerWorld['world']['lines']>): void {
  const last = new Map<string, { readonly try: number; mayAgain: boolean }>();
  for (const { kind, data } of lines) {
    const {
      call,
      try: at,
      repeat,
      outcome,
      choice,
      of,
    } = data as {
      readonly [name in 'call' | 'repeat' | 'outcome' | 'choice' | 'of']?: string;
    } & { readonly try?: number };
    if (call === undefined || at === undefined) continue;
    const before = last.get(call);
    if (kind === 'command_sent' && repeat === 'once') {
      isSame(before?.mayAgain ?? true, true, `${call} was sent again, try ${at}`);
      last.set(call, { try: at, mayAgain: false });
    }
    if (before?.try !== at || of !== undefined) continue;
    if (kind === 'command_done') before.mayAgain = outcome === 'failed' || outcome === 'not_sent';
    if (kind === 'command_settled') before.mayAgain ||= choice === 'repeat' || choice === 'failed';
  }
}

const callOf = (data: unknown): string => {
  const { call, try: at } = data as { call: string; try: number };
  return JSON.stringify([call, at]);
};
