import { isDeepStrictEqual } from 'node:util';
import { firstWords } from '../../src/base/byte-budget.js';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { Event } from '../../src/events/event.js';
import type { Requests } from '../../src/requests/requests.js';
import {
  type AckAsked,
  type Foreseen,
  foreseeAck,
  foreseeAnswer,
  foreseeCheckpoint,
  foreseeLook,
  foreseeResume,
  foreseeStart,
  type Model,
  type ModelNode,
  type ModelSession,
  newestLeafOf,
  newModel,
  nodesOf,
  preferredTip,
  upwards,
} from './naive-model.js';
import { isUsage } from './naive-answers.js';
import { type Action, type ActionName, at, handedBack, keysOf, outputOf } from './random-actions.js';
import {
  call,
  type Called,
  type Fields,
  fieldsOf,
  listOf,
  makeRequestsWorld,
  type RequestsWorld,
  type WorldOptions,
  textOf,
  wholeAnswer,
  withoutOtherWork,
} from './requests-world.js';
import { idOf, renderWorkflow, straightWorkflow, type TinyWorkflow } from './tiny-workflow.js';

const sessionKeys = ['ALPHA-1', 'beta', undefined];

/** Does what the actions say on the real thing and on the model, and compares after every call. */
export class Play {
  readonly model: Model = newModel();
  readonly trace: string[] = [];
  /** How often each kind of outcome came about. */
  readonly met = new Map<string, number>();
  #processes: Requests[];
  #turn = 0;
  readonly #known = new Set<string>();
  readonly #names: readonly string[];

  constructor(
    readonly world: RequestsWorld,
    workflows: readonly TinyWorkflow[],
    readonly data = world.data,
  ) {
    for (const workflow of workflows) this.#shelve(workflow);
    this.#names = workflows.map(({ name }) => name);
    this.#processes = [world.open(data)];
  }

  static in(workflows: readonly TinyWorkflow[], options: WorldOptions): Play {
    return new Play(makeRequestsWorld(options), workflows);
  }

  get requests(): Requests {
    return this.#processes[this.#turn]!;
  }

  async run(actions: readonly Action[], between?: () => Promise<void>): Promise<void> {
    try {
      for (const action of actions) {
        await this.#perform(action);
        await between?.();
      }
      await this.#lookAtEverything();
    } catch (cause) {
      throw new Error(
        `${cause instanceof Error ? cause.message : String(cause)}\nafter\n${this.trace.slice(-12).join('\n')}\nworkflows\n${[...this.model.library.values()].map(renderWorkflow).join('---\n')}`,
        { cause },
      );
    }
  }

  async #perform(action: Action): Promise<void> {
    const nodes = nodesOf(this.model);
    const { pick } = action;
    const onNodes: { readonly [name in ActionName]?: () => Promise<void> } = {
      ack: () => this.#ack(this.#likely(action, nodes), action),
      replay: () => this.#replay(action, nodes),
      redo: () => this.#redo(pick, action.intent),
      look: () => this.#look(at(nodes, pick)),
      checkpoint: () => this.#checkpoint(this.#likely(action, nodes), action),
      answer: () => this.#answer(action),
      cross: () => this.#cross(action, nodes),
      stray: () => this.#stray(at(nodes, pick), action),
    };
    const anywhere: { readonly [name in ActionName]?: () => Promise<void> | void } = {
      start: () => this.#start(action),
      resume: () => this.#resume(),
      crash: () => this.#crash(),
      other_process: () => this.#takeTurn(pick % 2),
      edit: () => this.#edit(at(this.#names, pick)),
      remove_file: () => this.#remove(at(this.#names, pick)),
    };
    await (anywhere[action.do] ?? (nodes.length === 0 ? anywhere.start : onNodes[action.do]))?.();
  }

  /** Nothing is closed: what the old process held is left as it lies. */
  #crash(): void {
    this.#processes[this.#turn] = this.world.open(this.data);
    this.trace.push('crash');
  }

  #takeTurn(turn: number): void {
    this.#turn = turn;
    this.#processes[turn] ??= this.world.open(this.data);
    this.trace.push(`process ${turn}`);
  }

  /** Mostly where the work stands, sometimes anywhere. */
  #likely({ pick, which }: Action, nodes: readonly ModelNode[]): ModelNode {
    const runs = [...this.model.sessions.values()].flatMap((session) => session.runs);
    return which % 4 === 0 ? at(nodes, pick) : preferredTip(at(runs, pick));
  }

  async #start({ pick, which, intent }: Action): Promise<void> {
    const name = at(this.#names, pick);
    const key = at(sessionKeys, which);
    const context = {
      ...keysOf({ ...intent, keys: which % 3 === 0 ? intent.keys : 'all' }),
      ...(intent.number % 5 !== 0 && { goal: 'done' }),
    };
    const fresh = intent.number % 4 === 0;
    const session: ModelSession = (key === undefined ? undefined : this.model.sessions.get(key)) ?? {
      id: key ?? '',
      runs: [],
    };
    const foreseen = foreseeStart(this.model, session, name, { context, preferences: intent.preferences ?? {}, fresh });
    const { mode, ...single } = intent.preferences ?? {};
    const called = await this.#call(
      'start_workflow',
      {
        workflowId: idOf({ name }),
        context,
        ...(key !== undefined && { session: key }),
        ...(mode !== undefined && { mode }),
        ...(Object.keys(single).length > 0 && { preferences: single }),
        ...(fresh && { fresh }),
      },
      foreseen,
    );
    if (foreseen.child === undefined) return;
    const id = textOf(fieldsOf(called.answer['session'])['sessionId']);
    this.model.sessions.set(key ?? id, session);
  }

  async #ack(node: ModelNode, { which, intent }: Pick<Action, 'which' | 'intent'>): Promise<void> {
    if (node.pending === undefined) return this.#redo(which, intent);
    if (node.attempts.size === 0) await this.#look(node);
    // The newest token that was given out is the likeliest to be used.
    const tokens = [...node.attempts.keys()];
    const token = which % 3 === 0 ? at(tokens, which) : tokens.at(-1)!;
    const used = node.attempts.get(token)?.used !== undefined;
    await this.#present(node, token, handedBack(node, intent));
    // What waits for the user is agreed to with nothing else.
    if (!used && which % 4 < 2 && node.blocks.some(({ attempt }) => attempt === token))
      await this.#present(node, token, { confirmed: true });
    // Every so often the answer is lost and the agent asks again at once.
    if (!used && which % 5 === 0) await this.#present(node, token, handedBack(node, intent));
  }

  /** Goes back to a step that was done, looks, and does it anew. */
  async #redo(pick: number, intent: Action['intent']): Promise<void> {
    const done = nodesOf(this.model).filter(({ pending, children }) => pending !== undefined && children.length > 0);
    if (done.length === 0) return this.#resume();
    const node = at(done, pick);
    await this.#look(node);
    await this.#present(node, [...node.attempts.keys()].at(-1)!, handedBack(node, intent));
  }

  async #replay(action: Action, nodes: readonly ModelNode[]): Promise<void> {
    const used = nodes.flatMap((node) =>
      [...node.attempts].flatMap(([token, { used: of }]) => (of === undefined ? [] : [{ node, token }])),
    );
    if (used.length === 0) return this.#ack(at(nodes, action.pick), action);
    const { node, token } = at(used, action.pick);
    const asked = this.#asked.get(token);
    const again = action.which % 2 === 0 && asked !== undefined ? asked : handedBack(node, action.intent);
    const [first, second] = [await this.#present(node, token, again), await this.#present(node, token, again)];
    expectSame(second, first, 'the ackToken of the branch');
    if (first === undefined) return;
    const { output, context } = again;
    if (!node.attempts.has(first))
      node.attempts.set(first, { takes: { ...(output && { output }), ...(context && { context }) } });
    if (action.pick % 3 > 0)
      await this.#present(node, first, node.pending?.step.confirm === true ? { confirmed: true } : {});
  }

  readonly #asked = new Map<string, AckAsked>();

  /** The ackToken under which other work may become a branch, where it came too late. */
  async #present(node: ModelNode, token: string, asked: AckAsked): Promise<string | undefined> {
    const attempt = node.attempts.get(token);
    const foreseen = foreseeAck(this.model, node, token, asked);
    const called = await this.#call(
      'continue_workflow',
      { stateToken: node.token, ackToken: token, ...(asked as JsonObject) },
      foreseen,
    );
    if (foreseen.child !== undefined && attempt !== undefined && attempt.used === undefined) {
      attempt.used = {
        child: foreseen.child,
        brought: foreseen.brought ?? '',
        answer: wholeAnswer(called),
        ...(foreseen.answered !== undefined && { answered: foreseen.answered }),
      };
      this.#asked.set(token, asked);
    }
    if (foreseen.other !== true) return undefined;
    return textOf(fieldsOf(fieldsOf(fieldsOf(called.answer['otherWork'])['branch'])['arguments'])['ackToken']);
  }

  async #look(node: ModelNode): Promise<void> {
    await this.#call('continue_workflow', { stateToken: node.token }, foreseeLook(node));
  }

  async #checkpoint(node: ModelNode, { intent }: Action): Promise<void> {
    const output = outputOf(intent, false, []);
    const foreseen = foreseeCheckpoint(this.model, node, output);
    const called = await this.#call(
      'checkpoint_workflow',
      { stateToken: node.token, output: output as JsonObject },
      foreseen,
    );
    if (foreseen.late !== undefined && foreseen.same === undefined) foreseen.late.answer = wholeAnswer(called);
  }

  /** A person answers at their own door what waits for them; one question twice every so often. */
  async #answer(action: Action): Promise<void> {
    const { pick, which, intent } = action;
    if (pick % 4 > 0) await this.#blockSomewhere(action);
    const waiting = nodesOf(this.model).filter(
      ({ blocks, children, pending }) => blocks.length > 0 && children.length === 0 && pending !== undefined,
    );
    const node = waiting.length === 0 ? undefined : at(waiting, pick);
    const block = node?.blocks.at(-1);
    if (node === undefined || block === undefined) return;
    const question = at(block.blockers, which).split(' ')[1]!;
    const says = intent.number % 5 === 0 ? 'refused' : question === '/confirmed' ? 'agreed' : 'value';
    const value = `given ${intent.number % 3}`;
    const [session] = [...this.model.sessions].find(([, one]) => one === node.run.session)!;
    const writes = foreseeAnswer(this.model, node, block, { question, says, value });
    this.trace.push(`answer ${question} ${says} ${value}`);
    this.met.set(`answered ${says}`, (this.met.get(`answered ${says}`) ?? 0) + 1);
    await this.requests.people.answerQuestion({
      session,
      block: block.sum,
      question,
      answer: says,
      ...(says === 'value' && { value }),
    });
    const written = this.world.lines(this.data).filter(({ sum }) => !this.#known.has(sum));
    for (const { sum } of written) this.#known.add(sum);
    expectSame(
      written.map(({ kind }) => kind),
      writes,
      'events written',
    );
    // Whoever waits looks, or calls again with nothing, or with all of it.
    if (which % 3 === 0) await this.#look(node);
    if (which % 3 === 1 && node.attempts.has(block.attempt)) await this.#present(node, block.attempt, {});
  }

  /** Hands in what only a person can complete. */
  async #blockSomewhere({ pick, intent }: Action): Promise<void> {
    const asking = nodesOf(this.model).filter(
      ({ pending, children }) =>
        children.length === 0 && (pending?.step.confirm === true || (pending?.step.needs ?? []).length > 0),
    );
    if (asking.length === 0) return;
    const node = at(asking, pick);
    const lack = node.pending?.step.confirm === true ? 'confirmation' : 'needs';
    await this.#ack(node, {
      which: 7,
      intent: { ...intent, lack, notes: 'short', keys: 'none', preferences: undefined },
    });
  }

  /** An ack of one node presented on another. */
  async #cross({ pick, which, intent }: Action, nodes: readonly ModelNode[]): Promise<void> {
    const from = at(
      nodes.filter(({ attempts }) => attempts.size > 0),
      pick,
    );
    const to = at(nodes, which);
    if (from === undefined || from === to || from.attempts.size === 0) return;
    const token = at([...from.attempts.keys()], which);
    const called = await this.#call(
      'continue_workflow',
      { stateToken: to.token, ackToken: token, ...(handedBack(to, intent) as JsonObject) },
      { writes: [], code: 'TOKEN_SCOPE_MISMATCH' },
    );
    const offered = fieldsOf(fieldsOf(called.answer['nextCall'])['arguments']);
    expectSame(offered, { stateToken: to.token }, 'a look at the step of the state token');
    const isNamed = called.reply.text.includes(`stateToken ${from.token} alone`);
    expectSame(isNamed, from.run.session === to.run.session, 'whether the step of the ack token is named');
  }

  async #stray(node: ModelNode, { intent }: Action): Promise<void> {
    const asked = handedBack(node, { ...intent, lack: 'nothing', notes: 'short' });
    await this.#call(
      'continue_workflow',
      { stateToken: node.token, ...(asked as JsonObject) },
      { writes: [], code: node.pending === undefined ? 'PRECONDITION_FAILED' : 'VALIDATION_ERROR' },
    );
  }

  async #resume(): Promise<void> {
    const standing = foreseeResume(this.model);
    const called = await this.#call('resume_session', {}, { writes: [] });
    expectSame(called.answer['found'], standing.length, 'how many were found');
    expectSame(
      listOf(called.answer['candidates']).map(({ stateToken }) => stateToken),
      standing.slice(0, 5).map(({ token }) => token),
      'where work stands, the newest first',
    );
    expectSame(
      listOf(called.answer['candidates']).map(({ pending }) => pending),
      standing.slice(0, 5).map(({ pending }) => pending?.title ?? null),
      'what is pending there',
    );
  }

  #edit(name: string): void {
    const before = this.model.library.get(name) ?? straightWorkflow(name, 1);
    // Another step in front, under a new version: runs that stand must not notice.
    const step = straightWorkflow(name, 1).steps[0]!;
    this.#versions += 1;
    this.#shelve({
      ...before,
      version: 1 + this.#versions,
      steps: [{ ...step, id: `e${this.#versions}` }, ...before.steps],
    });
    this.trace.push(`edit ${name}`);
  }
  #versions = 0;

  #remove(name: string): void {
    this.model.library.delete(name);
    this.world.removeWorkflow(name);
    this.trace.push(`remove ${name}`);
  }

  #shelve(workflow: TinyWorkflow): void {
    this.model.library.set(workflow.name, workflow);
    this.world.writeWorkflow(workflow.name, renderWorkflow(workflow));
  }

  /** At the end: every node as it stands, every attempt once more, and what a new chat would find. */
  async #lookAtEverything(): Promise<void> {
    this.#processes.push(this.world.open(this.data));
    this.#turn = this.#processes.length - 1;
    for (const node of nodesOf(this.model).slice(-12)) {
      await this.#look(node);
      for (const [token, { used }] of node.attempts)
        if (used !== undefined) await this.#present(node, token, this.#asked.get(token) ?? {});
    }
    await this.#resume();
  }

  async #call(name: Parameters<Requests['call']>[0], raw: JsonObject, foreseen: Foreseen): Promise<Called> {
    const outcome =
      foreseen.code ??
      (foreseen.same === undefined
        ? (foreseen.happened ?? name)
        : foreseen.writes.length > 0
          ? 'replayed otherwise'
          : foreseen.other === true
            ? 'other work again'
            : 'given again');
    this.met.set(outcome, (this.met.get(outcome) ?? 0) + 1);
    if ((foreseen.skipped ?? []).length > 0) this.met.set('with skips', (this.met.get('with skips') ?? 0) + 1);
    this.trace.push(`${name} ${JSON.stringify(raw)}`);
    const called = await call(this.requests, name, raw);
    const lines = this.world.lines(this.data);
    const written = lines.filter(({ sum }) => !this.#known.has(sum)).toSorted((a, b) => a.seq - b.seq);
    for (const { sum } of lines) this.#known.add(sum);
    compare(foreseen, called, written);
    const blocked = written.find(({ kind }) => kind === 'step_blocked');
    if (blocked !== undefined && foreseen.block !== undefined) foreseen.block.sum = blocked.sum;
    return called;
  }
}

function compare(foreseen: Foreseen, called: Called, written: readonly Event[]): void {
  const { reply, answer } = called;
  if (foreseen.code === undefined && reply.failed) throw new Error(`refused: ${reply.text}`);
  expectSame(
    written.map(({ kind }) => kind),
    foreseen.writes,
    'events written',
  );
  if (foreseen.code !== undefined) {
    expectSame(answer['error_code'], foreseen.code, 'the rejection');
    if (foreseen.blockers !== undefined) compareBlockers(answer, foreseen.blockers);
    return;
  }
  learnGaps(foreseen, written);
  if (foreseen.same !== undefined) {
    const whole = foreseen.other === true ? withoutOtherWork(called) : wholeAnswer(called);
    expectSame(whole, foreseen.same, 'the answer given again');
    return;
  }
  const { node } = foreseen;
  if (foreseen.kind !== undefined) expectSame(answer['kind'], foreseen.kind, 'kind');
  if (node === undefined) return;
  expectSame(answer['happened'], foreseen.happened, 'what happened');
  comparePlace(node, foreseen, answer);
  if (foreseen.preferences !== undefined) expectSame(answer['preferences'], { ...foreseen.preferences }, 'preferences');
  if (foreseen.status !== undefined && !foreseen.status.includes(textOf(answer['status'])))
    expectSame(answer['status'], foreseen.status[0], 'status');
  if (foreseen.skipped !== undefined) expectSame(skippedIn(written), foreseen.skipped, 'steps that were skipped');
  if (foreseen.blockers !== undefined) compareBlockers(answer, foreseen.blockers);
  if (foreseen.draft !== undefined) compareDraft(foreseen, answer);
  compareGaps(foreseen, answer);
  compareBranches(foreseen, answer);
  compareRecaps(foreseen, answer);
}

function compareRecaps(foreseen: Foreseen, answer: Fields): void {
  const entries = listOf(fieldsOf(answer['recap'])['entries']);
  const ledgers = listOf(answer['ledgers']).map(({ loop, lines }) => ({
    loop: textOf(loop),
    lines: lines as readonly string[],
  }));
  const recap = foreseen.recapBeside?.(ledgers) ?? foreseen.recap;
  if (recap !== undefined || foreseen.happened === 'advanced') expectSame(entries, recap ?? [], 'the recap');
  if (foreseen.others !== undefined) compareOthers(foreseen.others, answer);
  if (foreseen.ahead === undefined) return;
  expectSame(listOf(fieldsOf(answer['ahead'])['entries']), foreseen.ahead, 'what was done ahead');
  expectSame(fieldsOf(answer['begun'])['notes'] ?? null, foreseen.begun ?? null, 'what is begun');
}

function compareOthers(others: readonly ModelNode[], answer: Fields): void {
  const told = listOf(answer['otherBranches']).map(({ look }) => fieldsOf(fieldsOf(look)['arguments'])['stateToken']);
  expectSame(
    told,
    others.slice(0, 4).map(({ token }) => token),
    'the other branches',
  );
  expectSame(answer['otherBranchesOmitted'] ?? 0, Math.max(0, others.length - 4), 'how many of them are left out');
}

function comparePlace(node: ModelNode, foreseen: Foreseen, answer: Fields): void {
  const pending = answer['pending'] === null ? null : fieldsOf(answer['pending']);
  expectSame(
    pending && { id: pending['stepId'], path: pending['path'], title: pending['title'] },
    node.pending === undefined
      ? null
      : { id: node.pending.step.id, path: node.pending.path, title: node.pending.title },
    'the pending step',
  );
  expectSame(answer['isComplete'], node.pending === undefined, 'isComplete');
  expectSame(answer['stepsDone'], upwards(node).length - 1, 'steps done');
  const [stateToken, ackToken] = [textOf(answer['stateToken']), textOf(answer['ackToken'])];
  if (node.token !== '') expectSame(stateToken, node.token, 'the token of the node');
  if (node.token === '' && stateToken === '') throw new Error('no stateToken');
  node.token = stateToken;
  expectSame(ackToken === '', node.pending === undefined, 'an ackToken where something is pending, and nowhere else');
  if (ackToken === '') return;
  const fresh = foreseen.happened === 'looked_back' || (node.attempts.size === 0 && foreseen.happened !== 'blocked');
  expectSame(node.attempts.has(ackToken), !fresh, 'a token that was given out before');
  if (!node.attempts.has(ackToken)) node.attempts.set(ackToken, {});
}

function compareBlockers(answer: Fields, foreseen: readonly string[]): void {
  const told = listOf(answer['blockers']).map(({ code, pointer }) => `${textOf(code)} ${textOf(pointer)}`);
  if (foreseen.length <= 10) expectSame(told.toSorted(), foreseen.toSorted(), 'blockers');
  else expectSame(told.length, 10, 'blockers');
}

/** Who sent it is shown how it begins, who looks all of it. */
function compareDraft({ draft: { output, context } = {}, happened }: Foreseen, answer: Fields): void {
  const { notes, artifacts, context: told } = fieldsOf(answer['draft']);
  const said = output?.notesMarkdown?.trim() === '' ? undefined : output?.notesMarkdown;
  const whole = happened === 'looked_at_tip' || said === undefined;
  expectSame(notes, whole ? said : firstWords(said, 96), 'the notes of the draft');
  const work = (output?.artifacts ?? []).filter((artifact) => !isUsage(artifact));
  expectSame(listLength(artifacts), work.length, 'the artifacts of the draft');
  expectSame(listLength(told), Math.min(9, Object.keys(context ?? {}).length), 'the context of the draft');
}

const listLength = (value: JsonValue | undefined): number => (Array.isArray(value) ? value.length : 0);

function learnGaps({ written: gaps = [] }: Foreseen, written: readonly Event[]): void {
  if (written.length === 0) return;
  const last = fieldsOf(written.at(-1)!.data as JsonValue);
  const recorded = listOf(last['gaps']);
  expectSame(
    recorded.map(({ category, severity }) => `${textOf(category)} ${textOf(severity)}`),
    gaps.map(({ category, severity }) => `${category} ${severity}`),
    'gaps recorded',
  );
  gaps.forEach((gap, index) => {
    gap.id = textOf(recorded[index]?.['id']);
    gap.detail = textOf(recorded[index]?.['detail']);
  });
}

function compareGaps({ gaps, node, happened }: Foreseen, answer: Fields): void {
  if (gaps === undefined) return;
  const all = gaps.map(({ id }) => id);
  const newestFirst = node?.pending === undefined || happened?.startsWith('looked') === true;
  expectSame(
    listOf(answer['gaps']).map(({ id }) => id),
    newestFirst && happened !== 'started' ? all.slice(-10) : all.slice(0, 10),
    'gaps told',
  );
  expectSame(answer['gapsOmitted'] ?? 0, Math.max(0, all.length - 10), 'gaps left out');
}

function compareBranches({ branches, preferred, happened }: Foreseen, answer: Fields): void {
  if (preferred !== undefined || happened?.startsWith('looked') === true)
    expectSame(fieldsOf(answer['preferredTip'])['stateToken'], preferred?.token, 'the preferred tip');
  const told = listOf(answer['branches']);
  const omitted = Number(answer['branchesOmitted'] ?? 0);
  expectSame(told.length + omitted, branches?.length ?? 0, 'how many branches');
  expectSame(
    told.map(({ stateToken }) => stateToken),
    (branches ?? []).slice(0, told.length).map((branch) => newestLeafOf([branch]).token),
    'the tips of the branches',
  );
}

const skippedIn = (written: readonly Event[]): readonly string[] =>
  listOf(fieldsOf(written.at(-1)?.data as JsonValue)['skipped']).map(({ path }) => textOf(path));

function expectSame(actual: unknown, foreseen: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, foreseen))
    throw new Error(
      `${what}: the model foresaw\n  ${JSON.stringify(foreseen)}\nand what came was\n  ${JSON.stringify(actual)}`,
    );
}
