import { sha256Hex } from '../../src/base/digest.js';

/** Runs with commands, as naively as they can be thought of: nothing of the program is used here but its words. */

export interface CommandStep {
  readonly kind: 'read' | 'once' | 'again';
  readonly id: string;
  readonly goesOn: boolean;
  readonly confirm: boolean;
}
export type ModelStep =
  | { readonly kind: 'say'; readonly id: string }
  | CommandStep
  | { readonly kind: 'each'; readonly id: string; readonly step: CommandStep }
  /** Ends the run where a command before it failed. */
  | { readonly kind: 'fail'; readonly id: string; readonly of: string };

const rounds = 2;
const number = ({ id }: { readonly id: string }): number => Number(id.slice(1));

/** What comes of a request: `lost` was done and its answer lost, `dropped` was not done. */
export type Way = 'ok' | 'no' | 'broken' | 'lost' | 'dropped' | 'busy' | 'busier';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The same request gets the same answers one after the other, whatever is sent between. */
export function wayOf(ways: readonly Way[], { method, path, body }: Request, times: number): Way {
  const from = Number.parseInt(sha256Hex(`${method} ${path} ${body}`).slice(0, 6), 16);
  const way = ways[(from + times) % ways.length]!;
  // What only reads is tried again within one call, after pauses: it gets a plain answer.
  return method === 'GET' && way !== 'no' ? 'ok' : way;
}

export function renderSteps(steps: readonly ModelStep[]): string {
  const command = (step: CommandStep, indent: string, round: string): string => {
    const line = (text: string): string => `${indent}  ${text}\n`;
    const title = line(`body: { title: "${step.id} \${{ context.word }}${round}" }`);
    const at = line(`with: { id: ${number(step)} }`);
    const head = `${indent}- id: ${step.id}\n`;
    const more = `${step.goesOn ? line('on_error: continue') : ''}${step.confirm && step.kind !== 'read' ? line('confirm: true') : ''}`;
    if (step.kind === 'read')
      return `${head}${line('run: tracker issues/get')}${at}${line('retry: { max: 0 }')}${more}`;
    if (step.kind === 'once') return `${head}${line('run: tracker issues/create')}${title}${more}`;
    return `${head}${line('run: tracker issues/replace')}${at}${title}${more}`;
  };
  return steps
    .map((step) => {
      if (step.kind === 'say')
        return `  - id: ${step.id}\n    prompt: Say a word.\n    notes: optional\n    sets: { word: { type: string } }\n`;
      if (step.kind === 'fail')
        return `  - id: ${step.id}\n    if: "!outputs.${step.of}.ok"\n    fail: It did not work.\n`;
      if (step.kind !== 'each') return command(step, '  ', '');
      const { id, step: inner } = step;
      return `  - id: ${id}\n    repeat: ${rounds}\n    steps:\n${command(inner, '      ', ' ${{ iteration }}')}`;
    })
    .join('');
}

interface Place {
  readonly step: Exclude<ModelStep, { readonly kind: 'each' }>;
  readonly round: string;
}

type Question = 'plan' | 'request' | 'outcome';
export type Choice = 'repeat' | 'done' | 'failed';

interface Intent {
  readonly digest: string;
  /** Of all that was sent, in order. */
  readonly number: number;
  outcome: 'unknown' | 'ok' | 'failed';
}

export interface ModelNode {
  readonly at: number;
  readonly word: string;
  readonly ok: ReadonlyMap<string, boolean>;
  readonly madeBy: 'agent' | 'runner';
  readonly parent: ModelNode | undefined;
  readonly children: ModelNode[];
  readonly intents: Intent[];
  readonly said: Map<Intent, Choice>;
  readonly asked: Set<Intent>;
  tried: number;
  /** How often in a row it was told to come back. */
  waited: number;
  again: boolean;
  question: { readonly kind: Question; readonly about?: Intent } | undefined;
  failed: boolean;
}

export type Standing = 'ok' | 'CONFIRMATION_REQUIRED' | 'COMMAND_OUTCOME_UNKNOWN' | 'complete' | 'failed';

/** A run and what was sent for it. */
export class RunnerModel {
  readonly sent: Request[] = [];
  readonly nodes: ModelNode[] = [];
  readonly places: readonly Place[];
  #tips: ModelNode[] = [];
  readonly #confirmed = new Set<string>();
  readonly #times = new Map<string, number>();

  constructor(
    steps: readonly ModelStep[],
    readonly ways: readonly Way[],
  ) {
    this.places = steps.flatMap((step): readonly Place[] =>
      step.kind === 'each'
        ? Array.from({ length: rounds }, (_, at) => ({ step: step.step, round: ` ${at + 1}` }))
        : [{ step, round: '' }],
    );
  }

  start(): ModelNode {
    const first = this.#made(undefined, 0, '', new Map(), 'agent');
    this.#drive();
    return first;
  }

  /** The agent does the step of a node; where it was done before, on a new branch. */
  ack(node: ModelNode, word: string): ModelNode {
    const child = this.#next(node, word, node.ok, 'agent');
    this.#drive();
    return child;
  }

  agree(node: ModelNode): void {
    const { question } = node;
    if (question === undefined || question.kind === 'outcome') throw new Error('nothing to agree to');
    this.#confirmed.add(question.kind === 'plan' ? 'plan' : this.#digest(node));
    this.#drive();
  }

  settle(node: ModelNode, choice: Choice): void {
    if (node.question?.about === undefined) throw new Error('nothing to settle');
    node.said.set(node.question.about, choice);
    this.#drive();
  }

  /** Along the runner's own steps: what an answer to a step tells of. */
  below(node: ModelNode): ModelNode {
    const next = node.children.find(({ madeBy }) => madeBy === 'runner');
    return next === undefined ? node : this.below(next);
  }

  standing(node: ModelNode): Standing {
    if (node.failed) return 'failed';
    const place = this.places[node.at];
    if (place === undefined) return 'complete';
    if (place.step.kind === 'say') return 'ok';
    return node.question?.kind === 'outcome' ? 'COMMAND_OUTCOME_UNKNOWN' : 'CONFIRMATION_REQUIRED';
  }

  #made(
    parent: ModelNode | undefined,
    at: number,
    word: string,
    ok: ReadonlyMap<string, boolean>,
    madeBy: ModelNode['madeBy'],
  ): ModelNode {
    const rest = {
      intents: [],
      said: new Map(),
      asked: new Set<Intent>(),
      tried: 0,
      waited: 0,
      again: false,
      question: undefined,
      failed: false,
    };
    const node: ModelNode = { at, word, ok, madeBy, parent, children: [], ...rest };
    this.nodes.push(node);
    parent?.children.push(node);
    this.#tips = [...this.#tips.filter((tip) => tip !== parent), node];
    return node;
  }

  #next(node: ModelNode, word: string, ok: ReadonlyMap<string, boolean>, madeBy: ModelNode['madeBy']): ModelNode {
    let at = node.at + 1;
    for (;;) {
      const step = this.places[at]?.step;
      if (step?.kind !== 'fail' || ok.get(step.of) !== true) break;
      at += 1;
    }
    return this.#made(node, at, word, ok, madeBy);
  }

  #advance(node: ModelNode, isOk: boolean): void {
    const { step } = this.places[node.at]!;
    if (!isOk && (step as CommandStep).goesOn !== true) node.failed = true;
    else this.#next(node, node.word, new Map(node.ok).set(step.id, isOk), 'runner');
  }

  #request({ at, word }: ModelNode): Request {
    const { step, round } = this.places[at]!;
    const title = JSON.stringify({ title: `${step.id} ${word}${round}` });
    if (step.kind === 'read') return { method: 'GET', path: `/issues/${number(step)}`, body: '' };
    if (step.kind === 'once') return { method: 'POST', path: '/issues', body: title };
    return { method: 'PUT', path: `/issues/${number(step)}`, body: title };
  }

  #digest(node: ModelNode): string {
    return JSON.stringify(this.#request(node));
  }

  /** What the runner does until somebody else is next on every branch. */
  #drive(): void {
    for (let isGoing = true; isGoing;) {
      isGoing = false;
      let sends: ModelNode | undefined;
      for (const node of this.#tips) {
        const decided = this.#decide(node);
        if (decided === 'recorded') {
          isGoing = true;
          break;
        }
        if (decided === 'send') sends ??= node;
      }
      if (isGoing || sends === undefined) continue;
      this.#send(sends);
      isGoing = true;
    }
  }

  #decide(node: ModelNode): 'settled' | 'recorded' | 'send' {
    const place = this.places[node.at];
    if (node.failed || place === undefined || place.step.kind === 'say') return 'settled';
    if (place.step.kind === 'fail') {
      node.failed = true;
      return 'settled';
    }
    return place.step.kind === 'read' ? 'send' : this.#decideWrite(node, place.step);
  }

  #decideWrite(node: ModelNode, step: CommandStep): 'settled' | 'recorded' | 'send' {
    const last = node.intents.at(-1);
    if (last?.outcome === 'unknown') {
      if (step.kind === 'again' && node.tried < 3) return 'send';
      return this.#ofUnknown(node, node, last) ?? 'send';
    }
    if (node.again) return 'send';
    const digest = this.#digest(node);
    const others = this.nodes.filter((one) => one !== node && one.at === node.at && one.intents.length > 0);
    if (this.#isRefused(node)) {
      this.#advance(node, false);
      return 'recorded';
    }
    const same = this.#sameAs(digest, others);
    const before = same?.intents.at(-1);
    if (same !== undefined && before?.outcome === 'unknown') {
      const decided = this.#ofUnknown(node, same, before);
      if (decided !== undefined) return decided;
    }
    if (before?.outcome === 'ok') {
      this.#advance(node, true);
      return 'recorded';
    }
    const isChanged = others.some((other) => other !== same && this.#effect(other) !== 'none');
    if (this.#confirmed.has(digest)) return 'send';
    if (isChanged || step.confirm) node.question = { kind: 'request' };
    else if (this.#confirmed.has('plan')) return 'send';
    else node.question = { kind: 'plan' };
    return 'settled';
  }

  /** What was asked here, and is not to be done. */
  #isRefused({ asked }: ModelNode): boolean {
    const about = [...asked].at(-1);
    return about !== undefined && this.#lastOf(about).intent === about && this.#said(about).includes('failed');
  }

  #sameAs(digest: string, others: readonly ModelNode[]): ModelNode | undefined {
    const alike = others.filter(({ intents }) => intents.some((one) => one.digest === digest));
    return (
      alike.find((one) => this.#effect(one) === 'done') ??
      alike.findLast((one) => this.#effect(one) !== 'none') ??
      alike.at(-1)
    );
  }

  #effect({ intents }: ModelNode): 'done' | 'maybe' | 'none' {
    const intent = intents.at(-1)!;
    if (intent.outcome !== 'unknown') return intent.outcome === 'ok' ? 'done' : 'none';
    const said = this.#said(intent);
    return said.includes('done') ? 'done' : said.includes('failed') ? 'none' : 'maybe';
  }

  /** On whatever branch. */
  #said(about: Intent): readonly Choice[] {
    return this.nodes.flatMap(({ said }) => said.get(about) ?? []);
  }

  /** When the same request was sent last, and where. */
  #lastOf({ digest }: Intent): { readonly intent: Intent; readonly at: ModelNode } {
    return this.nodes
      .flatMap((at) => at.intents.map((intent) => ({ intent, at })))
      .filter(({ intent }) => intent.digest === digest)
      .toSorted((a, b) => b.intent.number - a.intent.number)[0]!;
  }

  /** Undefined where it is to be sent. */
  #ofUnknown(node: ModelNode, at: ModelNode, about: Intent): 'settled' | 'recorded' | undefined {
    const later = this.#lastOf(about);
    if (later.at === at || later.intent.outcome === 'failed') return this.#ask(node, at, about);
    if (later.intent.outcome === 'unknown') {
      const isSentOn = this.places[node.at]!.step.kind === 'again' && later.at.tried < 3 && !later.at.failed;
      return isSentOn ? 'settled' : this.#ask(node, later.at, later.intent);
    }
    // Another branch had it sent again, and it was done.
    if (at === node) about.outcome = 'ok';
    this.#advance(node, true);
    return 'recorded';
  }

  /** What was said of it counts, on both branches; but who said that it is to be sent again does that. */
  #ask(node: ModelNode, at: ModelNode, about: Intent): 'settled' | 'recorded' | undefined {
    const all = this.#said(about).filter((one) => one !== 'repeat');
    const choice = node.said.get(about) ?? at.said.get(about) ?? all[0];
    if (choice === 'repeat' || (choice === 'failed' && node.intents.length === 0)) return undefined;
    if (choice === undefined) {
      node.question = { kind: 'outcome', about };
      node.asked.add(about);
      return 'settled';
    }
    if (node.intents.length > 0) node.intents.at(-1)!.outcome = choice === 'done' ? 'ok' : 'failed';
    this.#advance(node, choice === 'done');
    return 'recorded';
  }

  #send(node: ModelNode): void {
    const { step } = this.places[node.at]!;
    const request = this.#request(node);
    const key = JSON.stringify(request);
    const times = this.#times.get(key) ?? 0;
    this.#times.set(key, times + 1);
    this.sent.push(request);
    const way = wayOf(this.ways, request, times);
    const intent: Intent = { digest: key, number: this.sent.length, outcome: 'failed' };
    if (step.kind !== 'read') node.intents.push(intent);
    node.tried += 1;
    node.again = false;
    if (way === 'ok') intent.outcome = 'ok';
    const isLost = way === 'lost' || way === 'dropped' || (way === 'broken' && step.kind === 'once');
    if (way === 'busy' && node.waited < 2) {
      node.waited += 1;
      node.again = true;
      return;
    }
    node.waited = 0;
    if (isLost) intent.outcome = 'unknown';
    else this.#advance(node, way === 'ok');
  }
}
