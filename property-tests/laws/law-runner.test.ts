import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareEvents } from '../../src/events/event.js';
import { type Called, listOf, textOf, wholeAnswer } from '../worlds/requests-world.js';
import {
  type Choice,
  type CommandStep,
  type ModelNode,
  type ModelStep,
  renderSteps,
  RunnerModel,
  type Way,
  wayOf,
} from '../worlds/runner-model.js';
import { makeRunnerWorld, type RunnerWorld } from '../worlds/runner-world.js';
import { patience, runs } from '../worlds/runs-of-law.js';
import { answer, type Script } from '../worlds/scripted-server.js';

const command = fc.record({
  kind: fc.constantFrom<CommandStep['kind']>('read', 'once', 'once', 'again'),
  goesOn: fc.boolean(),
  confirm: fc.integer({ max: 4, min: 0 }).map((one) => one === 0),
});
const drawn = fc.oneof(
  { weight: 2, arbitrary: fc.constant('say' as const) },
  { weight: 5, arbitrary: command },
  { weight: 2, arbitrary: command.map((step) => ({ each: step })) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
);

/** A word of the agent first: titles are made of it. */
const steps = fc.array(drawn, { minLength: 1, maxLength: 5 }).map((all): readonly ModelStep[] => {
  const made: ModelStep[] = [{ kind: 'say', id: 's0' }];
  for (const [at, one] of all.entries()) {
    const id = `${at + 1}`;
    if (one === 'say') made.push({ kind: 'say', id: `s${id}` });
    else if (one === 'fail') {
      const of = made.findLast((step) => step.kind !== 'say' && step.kind !== 'fail' && step.kind !== 'each');
      if (of !== undefined) made.push({ kind: 'fail', id: `f${id}`, of: of.id });
    } else if ('each' in one) made.push({ kind: 'each', id: `e${id}`, step: { ...one.each, id: `c${id}` } });
    else made.push({ ...one, id: `c${id}` });
  }
  return [...made, { kind: 'say', id: 's9' }];
});
const ways = fc.array(
  fc.constantFrom<Way>('ok', 'ok', 'ok', 'ok', 'no', 'broken', 'lost', 'dropped', 'busy', 'busier'),
  { minLength: 3, maxLength: 12 },
);
const deed = fc.record({
  what: fc.constantFrom('go', 'go', 'go', 'go', 'go', 'back', 'again', 'look', 'change'),
  which: fc.nat(),
  word: fc.constantFrom('one', 'one', 'other'),
  choice: fc.constantFrom<Choice>('repeat', 'done', 'failed'),
  process: fc.nat(1),
});
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

/** The server does what the model foresees. */
function scripted(at: RunnerWorld, drawnWays: readonly Way[]): Script {
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

class Play {
  readonly met = new Map<string, number>();
  readonly #tokens = new Map<ModelNode, string>();
  readonly #acks: { readonly args: object; readonly of: ModelNode; readonly told: string | undefined }[] = [];
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

  static async begin(at: RunnerWorld, model: RunnerModel): Promise<Play> {
    const processes = [at.world.open(), at.world.open()];
    const started = await at.start(processes[0]!);
    return new Play(at, model, processes, started, model.start());
  }

  /** What is answered tells of this node, and what was sent is what had to be. */
  judge(called: Called, node: ModelNode): void {
    const standing = this.model.standing(node);
    this.met.set(standing, (this.met.get(standing) ?? 0) + 1);
    const { kind, pending, stateToken, blockers } = called.answer;
    const [blocker] = listOf(blockers);
    expect(kind === 'blocked' ? blocker?.['code'] : kind, called.reply.text).toBe(standing);
    if (standing === 'ok') expect(pending).toMatchObject({ stepId: this.model.places[node.at]!.step.id });
    const known = this.#tokens.get(node);
    if (known === undefined) this.#tokens.set(node, textOf(stateToken));
    else expect(textOf(stateToken)).toBe(known);
    const seen = this.at.server.seen.map(({ method, path, body }) => ({ method, path, body }));
    expect(seen).toEqual(this.model.sent);
  }

  async go({ word, choice }: Deed, process: Play['processes'][number]): Promise<void> {
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

  async look(node: ModelNode, process: Play['processes'][number]): Promise<void> {
    const stateToken = this.#tokens.get(node);
    if (stateToken === undefined) return;
    const from = { answer: { stateToken } } as unknown as Called;
    const below = this.model.below(node);
    const called = await this.at.look(process, from);
    this.#here = { node: below, called };
    this.judge(called, below);
  }

  /** An ack is answered as before, to the byte, once all that follows it had been settled. */
  async again(which: number, process: Play['processes'][number]): Promise<void> {
    if (this.#acks.length === 0) return;
    const at = which % this.#acks.length;
    const { args, of, told } = this.#acks[at]!;
    const called = await this.at.goOn(process, { answer: args } as unknown as Called, args as never);
    const below = this.model.below(of);
    this.judge(called, below);
    if (told !== undefined) {
      expect(wholeAnswer(called)).toBe(told);
      this.met.set('replayed', (this.met.get('replayed') ?? 0) + 1);
    } else if (['ok', 'complete', 'failed'].includes(this.model.standing(below)))
      this.#acks[at] = { args, of, told: wholeAnswer(called) };
  }

  async do(one: Deed): Promise<void> {
    const process = this.processes[one.process]!;
    const some = (holds: (node: ModelNode) => boolean): ModelNode | undefined => {
      const all = this.model.nodes.filter((node) => this.#tokens.has(node) && holds(node));
      return all[one.which % all.length];
    };
    switch (one.what) {
      case 'go':
        return this.go(one, process);
      case 'again':
        return this.again(one.which, process);
      case 'look':
        return this.look(this.#here.node, process);
      case 'change': {
        const tip = some(({ children }) => children.length === 0);
        return tip && this.look(tip, process);
      }
      default: {
        const back = some((node) => this.model.standing(node) === 'ok');
        if (back === undefined) return undefined;
        await this.look(back, process);
        return this.go({ ...one, what: 'go' }, process);
      }
    }
  }

  /** In a third process, which has seen nothing of it. */
  async end(): Promise<void> {
    const fresh = this.at.world.open();
    for (const at of this.#acks.keys()) {
      await this.again(at, this.processes[0]!);
      await this.again(at, fresh);
    }
    const lines = this.at.world.lines().toSorted(compareEvents);
    const sent = lines.filter(({ kind }) => kind === 'command_sent');
    // Each write that arrived had been recorded, and each that was recorded arrived.
    expect(sent).toHaveLength(this.model.sent.filter(({ method }) => method !== 'GET').length);
    const tries = sent.map(({ node, data }) => JSON.stringify([node, (data as { try: number }).try]));
    expect(new Set(tries).size).toBe(tries.length);
    const stopped = new Set<unknown>();
    for (const { kind, node } of lines) {
      if (kind === 'run_stopped') stopped.add(node);
      if (kind === 'command_sent' || kind === 'command_done') expect(stopped.has(node), 'after its end').toBe(false);
    }
    for (const { kind, data } of lines) {
      if (kind !== 'step_blocked') continue;
      const about = (data as { command?: { call: string; try?: number } }).command;
      if (about?.try === undefined) continue;
      expect(sent.some(({ data: one }) => JSON.stringify([about.call, about.try]) === callOf(one))).toBe(true);
    }
  }
}

const callOf = (data: unknown): string => {
  const { call, try: at } = data as { call: string; try: number };
  return JSON.stringify([call, at]);
};

test(
  'whatever the agent does and the server answers, runs with commands stand where a naive model says, and sent what it says',
  async () => {
    const met = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        steps,
        ways,
        fc.array(deed, { minLength: 4, maxLength: 16 }),
        async (seed, drawnSteps, drawnWays, deeds) => {
          const at = await makeRunnerWorld({ seed, lock: seed % 4 === 0 ? 'off' : 'on' });
          try {
            at.server.script(scripted(at, drawnWays));
            at.workflow(renderSteps(drawnSteps));
            const play = await Play.begin(at, new RunnerModel(drawnSteps, drawnWays));
            for (const one of deeds) await play.do(one);
            await play.end();
            for (const [what, count] of play.met) met.set(what, (met.get(what) ?? 0) + count);
          } finally {
            await at.close();
          }
        },
      ),
      runs(20),
    );
    console.log(`runs with commands: ${[...met].map(([what, count]) => `${what} ${count}`).join(', ')}`);
    for (const what of [
      'ok',
      'CONFIRMATION_REQUIRED',
      'COMMAND_OUTCOME_UNKNOWN',
      'failed',
      'complete',
      'fork',
      'replayed',
    ])
      expect(met.get(what) ?? 0, what).toBeGreaterThan(0);
  },
  patience,
);
