import { firstWords } from '../../src/base/byte-budget.js';
import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import { modes, type Preferences } from '../../src/base/preferences.js';
import {
  afterOwnNo,
  answersTo,
  isUsage,
  type ModelAnswer,
  type ModelBlock,
  standing,
  type WithAnswers,
  withAnswers,
  withUsage,
} from './naive-answers.js';
import { findStep, type Found, type Moment, type Pending } from './tiny-interpreter.js';
import { keyNames, rightValues, type TinyPrompt, type TinyWorkflow } from './tiny-workflow.js';

/**
 * What the product ought to do, said a second time in the plainest way: nodes hold everything they inherit, nothing is
 * shared, nothing is cut short, and every question is answered by walking the whole tree.
 */
export interface Model {
  readonly sessions: Map<string, ModelSession>;
  readonly library: Map<string, TinyWorkflow>;
  /** One tick an append: what came later is newer. */
  ticks: number;
}
export interface ModelSession {
  readonly id: string;
  readonly runs: ModelRun[];
}
export interface ModelRun {
  readonly session: ModelSession;
  readonly workflow: TinyWorkflow;
  readonly request: string;
  readonly root: ModelNode;
  active: number;
}
export interface ModelNode {
  run: ModelRun;
  readonly parent: ModelNode | undefined;
  readonly children: ModelNode[];
  readonly pending: Pending | undefined;
  readonly moments: readonly Moment[];
  readonly context: JsonObject;
  readonly preferences: Preferences;
  readonly did:
    | {
        readonly path: string;
        readonly title: string;
        readonly output: OutputAsked;
        readonly patch: JsonObject;
        readonly confirmed: boolean;
      }
    | undefined;
  readonly gaps: ModelGap[];
  readonly checkpoints: ModelCheckpoint[];
  readonly blocks: {
    readonly attempt: string;
    readonly request: string;
    readonly blockers: readonly string[];
    readonly asked: AckAsked;
    readonly answers: ModelAnswer[];
    /** Of its event. */
    sum: string;
  }[];
  /** Ack tokens that were given out for it, and what became of them. */
  readonly attempts: Map<
    string,
    {
      used?: {
        readonly child: ModelNode;
        readonly brought: string;
        readonly answer: string;
        /** What a person had answered, which it went on with. */
        readonly answered?: AnsweredDraft;
      };
      /** What was kept beside the step: the attempt takes it where nothing else comes with it. */
      readonly takes?: AckAsked;
    }
  >;
  token: string;
  touched: number;
}
export interface ModelGap {
  id: string;
  /** What it says, which of the engine's own only its event tells. */
  detail: string;
  readonly category: string;
  readonly severity: string;
  readonly resolves: string | undefined;
}
export interface ModelCheckpoint {
  readonly brought: string;
  readonly late: boolean;
  readonly output: OutputAsked;
  readonly gaps: ModelGap[];
  answer: string;
}
export interface OutputAsked {
  readonly notesMarkdown?: string;
  readonly artifacts?: readonly JsonObject[];
  readonly gaps?: readonly GapAsked[];
}
export type GapAsked = {
  readonly category: string;
  readonly reason: string;
  readonly detail: string;
  readonly severity: string;
  readonly resolves?: string;
};
export type Asked = Partial<Preferences> & { readonly mode?: keyof typeof modes };
export interface AckAsked {
  readonly context?: JsonObject;
  readonly output?: OutputAsked;
  readonly confirmed?: boolean;
  readonly preferences?: Asked;
}

/** What must come back, and what must have been written. Fields that are absent are not spoken of. */
export interface Foreseen {
  readonly writes: readonly string[];
  readonly code?: string;
  readonly same?: string;
  /** It begins with the word that what was sent is not what is recorded. */
  readonly other?: true;
  readonly kind?: string;
  readonly happened?: string;
  readonly node?: ModelNode;
  readonly child?: ModelNode;
  readonly status?: readonly string[];
  readonly preferences?: Preferences;
  readonly blockers?: readonly string[];
  /** What was handed in and waits. */
  readonly draft?: AckAsked;
  readonly block?: ModelBlock;
  /** What a person had answered, which it goes on with. */
  readonly answered?: AnsweredDraft;
  readonly skipped?: readonly string[];
  readonly entered?: number;
  readonly gaps?: readonly ModelGap[];
  readonly branches?: readonly ModelNode[];
  readonly preferred?: ModelNode;
  /** Tips of the run besides the one that is looked at and the preferred one, the newest first. */
  readonly others?: readonly ModelNode[];
  readonly recap?: readonly ModelEntry[];
  /** Of a look, which tells some of it in the lines of rounds. */
  readonly recapBeside?: (ledgers: readonly Ledger[]) => readonly ModelEntry[];
  /** The notes of the newest checkpoint of the step that waits. */
  readonly begun?: string | undefined;
  /** Of the branch that went on, for who looks back. */
  readonly ahead?: readonly ModelEntry[];
  /** Gaps of the event that was written, in its order: the model learns their ids from it. */
  readonly written?: readonly ModelGap[];
  readonly late?: ModelCheckpoint;
  readonly attempt?: { used?: { readonly child: ModelNode; readonly brought: string; readonly answer: string } };
  /** Digest of what a new attempt brought. */
  readonly brought?: string;
}
export interface ModelEntry {
  readonly path: string;
  readonly title: string;
  readonly kind: string;
  readonly confirmed?: true;
  readonly notes?: string;
  readonly artifacts?: readonly string[];
  readonly gaps?: readonly string[];
}

export const newModel = (): Model => ({ sessions: new Map(), library: new Map(), ticks: 0 });

// Looking

export function nodesOf(model: Model): readonly ModelNode[] {
  return [...model.sessions.values()].flatMap((session) => session.runs.flatMap((run) => below(run.root)));
}

const below = (node: ModelNode): readonly ModelNode[] => [node, ...node.children.flatMap(below)];
export const upwards = (node: ModelNode): readonly ModelNode[] => [
  node,
  ...(node.parent === undefined ? [] : upwards(node.parent)),
];
const newestLeaf = (node: ModelNode): ModelNode =>
  below(node)
    .filter(({ children }) => children.length === 0)
    .toSorted((a, b) => b.touched - a.touched)[0]!;
export const preferredTip = (run: ModelRun): ModelNode => newestLeaf(run.root);

export function openGaps(node: ModelNode): readonly ModelGap[] {
  const met: { readonly gap: ModelGap; open: boolean }[] = [];
  for (const one of upwards(node).toReversed()) {
    for (const gap of [...one.gaps, ...one.checkpoints.flatMap(({ late, gaps }) => (late ? [] : gaps))]) {
      for (const earlier of met) if (earlier.gap.id === gap.resolves) earlier.open = false;
      met.push({ gap, open: gap.resolves === undefined });
    }
  }
  return met.filter(({ open }) => open).map(({ gap }) => gap);
}

function statusOf(node: ModelNode): readonly string[] {
  if (node.pending === undefined)
    return [openGaps(node).some(({ severity }) => severity === 'critical') ? 'complete_with_gaps' : 'complete'];
  if (node.blocks.length === 0) return ['in_progress'];
  // Where the run has gone on from a step that was once blocked, either word is true of something.
  if (node.children.length > 0) return ['blocked', 'in_progress'];
  return [standing(node, node.blocks.at(-1)!).length > 0 ? 'blocked' : 'in_progress'];
}

/** One that says nothing but what was used is remembered by nobody. */
const tells = ({ late, output }: ModelCheckpoint): boolean => !late && !isEmpty({ output: workOf(output) });

/** Checkpoints are of the step that waits where one looks from: those of steps that are done have served. */
function entriesUp(from: ModelNode, stopAt?: ModelNode): readonly ModelEntry[] {
  const way = upwards(from);
  const met = gapsMet(way);
  return way.slice(0, stopAt === undefined ? way.length : way.indexOf(stopAt)).flatMap((node) => [
    ...node.checkpoints
      .filter((checkpoint) => tells(checkpoint) && node === from)
      .toReversed()
      .map(({ output, gaps }) =>
        entry(node.pending ?? { path: '', title: 'the finished run' }, 'checkpoint', output, gapLines(gaps, met)),
      ),
    ...(node.did === undefined ? [] : [entry(node.did, 'step', node.did.output, gapLines(node.gaps, met))]),
  ]);
}

type Met = { readonly gap: ModelGap; readonly path: string };

/** Every gap on a way, the newest first. */
const gapsMet = (way: readonly ModelNode[]): readonly Met[] =>
  way.flatMap((node) => [
    ...node.checkpoints
      .filter(({ late }) => !late)
      .toReversed()
      .flatMap(({ gaps }) => gaps.toReversed().map((gap) => ({ gap, path: node.pending?.path ?? '' }))),
    ...node.gaps.toReversed().map((gap) => ({ gap, path: node.did?.path ?? '' })),
  ]);

/** What a gap says, what it settles, and how it ended; a kilobyte of it for all gaps of a step. */
function gapLines(gaps: readonly ModelGap[], met: readonly Met[]): readonly string[] {
  let left = 1024;
  return gaps.slice(0, 20).map((gap) => {
    const ends = met
      .slice(
        0,
        met.findIndex((one) => one.gap === gap),
      )
      .findLast((one) => one.gap.resolves === gap.id);
    const old = met.find((one) => one.gap.id === gap.resolves)?.gap.detail ?? '';
    const about = gap.resolves === undefined ? '' : `settles ${gap.resolves} (“${firstWords(old, 60)}”): `;
    const how =
      ends === undefined ? '' : `${ends.path === '' ? '' : ` at ${ends.path}`}: ${firstWords(ends.gap.detail, 160)}`;
    const said = `: ${about}${firstWords(gap.detail, 160)}${ends === undefined ? '' : `; settled by the agent${how}`}`;
    left -= Buffer.byteLength(said);
    const name = `${gap.severity} ${gap.category} ${gap.id}`;
    return left < 0 ? `${name}${ends === undefined ? '' : ', settled'}` : name + said;
  });
}

/** The artifacts of tiny workflows are short enough to be told whole. */
function previewOf({ kind, ...rest }: JsonObject): string {
  return `${typeof kind === 'string' ? kind : '?'} ${JSON.stringify(rest)}`;
}

function entry(
  { path, title, confirmed = false }: { readonly path: string; readonly title: string; readonly confirmed?: boolean },
  kind: string,
  { notesMarkdown, artifacts }: OutputAsked,
  gaps: readonly string[],
): ModelEntry {
  const others = artifacts?.filter((artifact) => !isUsage(artifact)) ?? [];
  return {
    path,
    title,
    kind,
    ...(confirmed && { confirmed }),
    ...(hasText(notesMarkdown) && { notes: notesMarkdown }),
    ...(others.length > 0 && { artifacts: others.map(previewOf) }),
    ...(gaps.length > 0 && { gaps }),
  };
}

/** The newest that fit into four kilobytes, shown oldest first. None of ours is so long that it would have to be cut. */
function recapOf(
  newestFirst: readonly ModelEntry[],
  most = 4096,
  run: readonly ModelEntry[] = [],
): readonly ModelEntry[] {
  const all = fittingInto(newestFirst, most);
  const first = run.slice(-4).findLast(({ kind, notes }) => kind === 'step' && notes !== undefined);
  if (first === undefined || !newestFirst.includes(first)) return all;
  if (all.length === newestFirst.length || all.includes(first)) return all;
  const bytes = (one: object): number => Buffer.byteLength(JSON.stringify(one));
  const characters = Array.from(first.notes ?? '');
  // Its gaps are told where they are open.
  const bare = Object.fromEntries(Object.entries(first).filter(([key]) => key !== 'gaps'));
  const cut = (kept: number): object => ({
    ...bare,
    notes: characters.slice(0, kept).join(''),
    cut: { before: 0, after: Buffer.byteLength(characters.slice(kept).join('')) },
  });
  const share = Math.min(Math.floor(most / 4), most - bytes(all.at(-1)!));
  if (share < 250) return all;
  const kept = characters.map((_, at) => characters.length - 1 - at).find((count) => bytes(cut(count)) <= share);
  const pinned = [first, bare].find((one) => bytes(one) <= share) ?? cut(kept ?? 1);
  return fittingInto(newestFirst, most - bytes(pinned));
}

function fittingInto(newestFirst: readonly ModelEntry[], most: number): readonly ModelEntry[] {
  const sizes = newestFirst.map((one) => Buffer.byteLength(JSON.stringify(one)));
  const fitting = newestFirst.filter((_, at) => sizes.slice(0, at + 1).reduce((a, b) => a + b) <= most);
  return fitting.toReversed();
}

// Asking

export function foreseeStart(
  model: Model,
  session: ModelSession,
  name: string,
  asked: { readonly context: JsonObject; readonly preferences: Asked; readonly fresh: boolean },
): Foreseen {
  const workflow = model.library.get(name);
  if (workflow === undefined) return { writes: [], code: 'NOT_FOUND' };
  const context = patched({}, asked.context);
  if (workflow.asksGoal && typeof context['goal'] !== 'string') return { writes: [], code: 'VALIDATION_ERROR' };
  const preferences = chosen(modes.guided, asked.preferences);
  const request = sameText([workflow as never, context, preferences]);
  const standing = session.runs.findLast(
    (run) =>
      run.request === request &&
      run.root.pending !== undefined &&
      run.root.children.length === 0 &&
      run.root.touched === run.active &&
      run.root.checkpoints.length + run.root.blocks.length === 0,
  );
  if (standing !== undefined && !asked.fresh) {
    return {
      writes: [],
      kind: 'ok',
      happened: 'started',
      node: standing.root,
      status: ['in_progress'],
      preferences,
      gaps: standing.root.gaps,
    };
  }
  const assume = preferences.autonomy === 'full_auto_never_stop';
  const moment = { context, assume };
  const found = findStep(workflow, [moment]);
  if (!assume && found.unknown.length > 0) return { writes: [], code: 'PRECONDITION_FAILED' };
  model.ticks += 1;
  const gaps = gapsOnTheWay(found);
  const root = newNode(
    undefined,
    undefined,
    { pending: found.next, moments: [moment], context, preferences, gaps },
    model.ticks,
  );
  const run: ModelRun = { session, workflow, request, root, active: model.ticks };
  root.run = run;
  const writes = [...(session.runs.length === 0 ? ['session_started'] : []), 'run_started'];
  session.runs.push(run);
  const complete = found.next === undefined;
  // The one word a start that ends at once should have is told in its own test.
  return {
    writes,
    kind: complete ? 'complete' : 'ok',
    happened: 'started',
    child: root,
    node: root,
    status: complete ? ['complete', ...statusOf(root)] : ['in_progress'],
    preferences,
    gaps,
    written: gaps,
    skipped: found.skipped,
  };
}

/** The start chose how far to go alone; nobody else is there to allow more. */
function isTooBold(node: ModelNode, next: Preferences): boolean {
  const { preferences: allowed } = upwards(node).at(-1)!;
  const bolder = (order: readonly string[], name: 'autonomy' | 'gateHandling'): boolean =>
    order.indexOf(next[name]) > Math.max(order.indexOf(node.preferences[name]), order.indexOf(allowed[name]));
  return (
    bolder(['guided', 'full_auto_stop_on_user_deps', 'full_auto_never_stop'], 'autonomy') ||
    bolder(['block', 'risk_signal'], 'gateHandling')
  );
}

/** A key that was not handed in and has its value from before; in a loop that value is another round's. */
function standsFromBefore(node: ModelNode, { context = {} }: AckAsked, blocker: string): boolean {
  const key = /^MISSING_CONTEXT_KEY \/context\/(.*)$/u.exec(blocker)?.[1];
  if (key === undefined || Object.hasOwn(context, key)) return false;
  return (node.context[key] ?? undefined) !== undefined && roundsOf(node.pending?.path ?? '').length === 0;
}

/** Keys that decide what comes next and that nobody set, without those that are told to be wrong anyway. */
function keysMissing({ unknown }: Found, mend: readonly string[]): readonly string[] {
  const pointers = mend.map((blocker) => blocker.split(' ')[1]!);
  return unknown
    .map((key) => `/context${key === undefined ? '' : `/${key}`}`)
    .filter(
      (one) => one === '/context' || !pointers.some((pointer) => pointer === one || pointer.startsWith(`${one}/`)),
    )
    .map((one) => `MISSING_CONTEXT_KEY ${one}`);
}

/** Who went past an agreement that nobody gave does not settle it by their own word. */
const settlesAgreement = (node: ModelNode, { gaps = [] }: OutputAsked): boolean =>
  gaps.some(({ resolves }) =>
    gapsMet(upwards(node)).some(({ gap }) => gap.id === resolves && gap.category === 'confirmation'),
  );

export function foreseeAck(model: Model, node: ModelNode, token: string, sent: AckAsked): Foreseen {
  const attempt = node.attempts.get(token);
  if (attempt === undefined || node.pending === undefined)
    throw new Error('only attempts that were given out are asked about');
  const completed = completedBy(node, token, sent);
  if (attempt.used !== undefined) {
    const { answered, brought } = attempt.used;
    const again = answered && withAnswers(node, token, sent, answered);
    const tried = [...(again !== undefined && 'asked' in again ? [again.asked] : []), completed];
    const taken = bringsNothing(sent) ? sent : (tried.find((one) => broughtOf(one) === brought) ?? sent);
    return foreseeReplay(model, attempt.used, sent, broughtOf(taken));
  }
  const answered = withAnswers(node, token, sent);
  if (answered !== undefined && 'stays' in answered) return foreseeStays(node, answered.stays);
  const taken = bringsNothing(sent) ? { ...sent, ...waitingFor(node, token, sent.output) } : completed;
  const ownNo = answered === undefined ? afterOwnNo(node, taken) : undefined;
  const foreseen = foreseeFresh(model, node as ModelNode & { readonly pending: Pending }, {
    token,
    attempt,
    asked: answered?.asked ?? (ownNo === undefined ? taken : { ...taken, confirmed: false }),
    ownNo,
  });
  return answered === undefined ? foreseen : { ...foreseen, answered };
}

/** A person said no, or has not answered all of it: the call is answered from what was handed in. */
const foreseeStays = (node: ModelNode, block: ModelBlock): Foreseen => ({
  writes: [],
  kind: 'blocked',
  happened: 'blocked',
  node,
  status: ['blocked'],
  preferences: node.preferences,
  blockers: standing(node, block),
  draft: block.asked,
});

type AnsweredDraft = Pick<Extract<WithAnswers, { readonly asked: AckAsked }>, 'block' | 'answers'>;

/** A person answers what waits at a tip. */
export function foreseeAnswer(
  model: Model,
  node: ModelNode,
  block: ModelBlock,
  said: Omit<ModelAnswer, 'tick'>,
): readonly string[] {
  if (answersTo(node, block).some(({ question }) => question === said.question)) return [];
  model.ticks += 1;
  block.answers.push({ ...said, tick: model.ticks });
  node.touched = model.ticks;
  node.run.active = model.ticks;
  return ['question_answered'];
}

interface Fresh {
  readonly token: string;
  readonly attempt: NonNullable<Foreseen['attempt']>;
  readonly asked: AckAsked;
  /** What a person said no to at their own door. */
  readonly ownNo?: 'refused' | 'asks anew' | undefined;
}

const agreement = 'CONFIRMATION_REQUIRED /confirmed';
const agreementMissing = (
  unconfirmed: boolean,
  asksAgain: Fresh['ownNo'],
  { gateHandling }: Preferences,
): readonly string[] => (asksAgain !== undefined || (unconfirmed && gateHandling === 'block') ? [agreement] : []);

function foreseeFresh(
  model: Model,
  node: ModelNode & { readonly pending: Pending },
  { token, attempt, asked, ownNo }: Fresh,
): Foreseen {
  const { workflow } = node.run;
  const next = chosen(node.preferences, asked.preferences);
  if (isTooBold(node, next) || settlesAgreement(node, asked.output ?? {}))
    return { writes: [], code: 'PRECONDITION_FAILED' };
  const { preferences } = node;
  const assume = preferences.autonomy === 'full_auto_never_stop';
  const context = patched(node.context, asked.context ?? {});
  const moments = [...node.moments, { context, assume }];
  const found = findStep(workflow, moments);
  const { mend, user } = lacking(node.pending.step, asked, { ...knownInRound(node), ...asked.context });
  const unconfirmed = node.pending.step.confirm && asked.confirmed !== true;
  const asksAgain = unconfirmed ? ownNo : undefined;
  if (asksAgain === 'refused' || (asksAgain !== undefined && assume)) {
    const isRefused = asksAgain === 'refused';
    const blockers = [...(isRefused ? user : []), agreement];
    return foreseeBlock(model, node, { token, asked, preferences, blockers, isRefused });
  }
  if (!assume) {
    const missing = keysMissing(found, mend);
    const stopped = [...user, ...agreementMissing(unconfirmed, asksAgain, preferences)];
    if (mend.length + missing.length > 0)
      return { writes: [], code: 'STEP_INCOMPLETE', blockers: [...mend, ...missing, ...stopped] };
    if (stopped.length > 0) return foreseeBlock(model, node, { token, asked, preferences, blockers: stopped });
  }
  const gaps = [
    ...(asked.output?.gaps ?? []).map(gapOf),
    ...(assume
      ? mend.map((blocker) =>
          newGap('contract_violation', standsFromBefore(node, asked, blocker) ? 'warning' : 'critical'),
        )
      : []),
    ...(assume
      ? user
          .filter((blocker) => !blocker.includes('/output/gaps/'))
          .map(() => newGap('user_only_dependency', 'critical'))
      : []),
    ...(unconfirmed ? [newGap('confirmation', 'critical')] : []),
    ...gapsOnTheWay(found),
  ];
  return {
    ...foreseeAdvance(model, node, asked, {
      found,
      state: { pending: found.next, moments, context, preferences: next, gaps },
    }),
    attempt,
    brought: broughtOf(asked),
  };
}

/** What is taken where nothing comes with an attempt: its draft, or other work that was kept. */
function waitingFor({ blocks, attempts }: ModelNode, token: string, used: OutputAsked | undefined): AckAsked {
  const draft = blocks.findLast((block) => block.attempt === token)?.asked;
  const { output, context } = draft ?? attempts.get(token)?.takes ?? {};
  if (draft === undefined && attempts.get(token)?.takes === undefined) return {};
  const artifacts = withUsage(used, output);
  const all = { ...output, ...(artifacts.length > 0 && { artifacts }) };
  return { ...(Object.keys(all).length > 0 && { output: all }), ...(context && { context }) };
}

/** Gaps that come alone, where the draft waits for one. */
const isAssumption = (blockers: readonly string[], { output = {} }: AckAsked): boolean =>
  blockers.some((blocker) => blocker.includes('/output/gaps/')) &&
  (output.gaps ?? []).length > 0 &&
  isEmpty({ output: workOf({ ...output, gaps: [] }) });

/** A value that only the user could give, where it was asked for. */
const isAnswer = (blockers: readonly string[], { context = {} }: AckAsked): boolean =>
  Object.entries(context).some(
    ([key, value]) => value !== null && blockers.includes(`USER_ONLY_DEPENDENCY /context/${key}`),
  );

function gapsWith(others: readonly GapAsked[], gaps: readonly GapAsked[], assumes: boolean): readonly GapAsked[] {
  if (gaps.length === 0) return others;
  return assumes ? [...others.filter(({ detail }) => gaps.every((gap) => gap.detail !== detail)), ...gaps] : gaps;
}

/** Whoever agrees, or brings what only the user could give, says only what is otherwise than in the draft. */
function completedBy({ blocks }: ModelNode, token: string, sent: AckAsked): AckAsked {
  const drafts = blocks.filter((block) => block.attempt === token);
  const draft = drafts.at(-1)?.asked;
  const answers = drafts.some(({ blockers }) => isAnswer(blockers, sent));
  const { notesMarkdown, gaps = [] } = sent.output ?? {};
  const artifacts = withUsage(sent.output, draft?.output);
  const assumes = isAssumption(drafts.at(-1)?.blockers ?? [], sent);
  const settles = sent.confirmed === true || answers || assumes;
  if (!settles || draft === undefined || bringsNothing(sent)) return sent;
  const settled = sent.confirmed === true || !isEmpty({ output: workOf(sent.output ?? {}) });
  const others = (draft.output?.gaps ?? []).filter(({ category }) => !settled || category !== 'user_only_dependency');
  const context = { ...draft.context, ...sent.context };
  return {
    ...sent,
    output: {
      ...draft.output,
      ...(hasText(notesMarkdown) && { notesMarkdown }),
      ...(artifacts.length > 0 && { artifacts }),
      gaps: gapsWith(others, gaps, assumes),
    },
    ...(Object.keys(context).length > 0 && { context }),
  };
}

function foreseeAdvance(
  model: Model,
  node: ModelNode,
  asked: AckAsked,
  { found, state }: { readonly found: Found; readonly state: NodeState },
): Foreseen {
  model.ticks += 1;
  const before = node.children.length === 0 ? undefined : newestLeafOf(node.children);
  const knownThere = before === undefined ? [] : recapOf(entriesUp(before, node));
  const branches = node.children.toSorted((a, b) => newestLeaf(b).touched - newestLeaf(a).touched);
  const child = newNode(
    node,
    {
      path: node.pending!.path,
      title: node.pending!.title,
      output: asked.output ?? {},
      patch: asked.context ?? {},
      confirmed: asked.confirmed === true,
    },
    state,
    model.ticks,
  );
  node.children.push(child);
  node.run.active = model.ticks;
  const complete = found.next === undefined;
  return {
    writes: ['step_acked'],
    kind: complete ? 'complete' : 'ok',
    happened: before === undefined ? 'advanced' : 'forked',
    node: child,
    child,
    status: complete ? statusOf(child) : ['in_progress'],
    preferences: state.preferences,
    gaps: complete ? openGaps(child) : state.gaps,
    written: state.gaps,
    skipped: found.skipped,
    ...(before !== undefined && { branches, preferred: before }),
    ...(knownThere.length > 0 && { recap: knownThere }),
  };
}

function foreseeReplay(
  model: Model,
  used: { readonly child: ModelNode; readonly brought: string; readonly answer: string },
  asked: AckAsked,
  brought: string,
): Foreseen {
  if (used.brought === brought || bringsNothing(asked)) return { writes: [], same: used.answer };
  const known = used.child.checkpoints.some((checkpoint) => checkpoint.late && checkpoint.brought === brought);
  if (known) return { writes: [], same: used.answer, other: true };
  model.ticks += 1;
  const late: ModelCheckpoint = {
    brought,
    late: true,
    output: asked.output ?? {},
    gaps: (asked.output?.gaps ?? []).map(gapOf),
    answer: '',
  };
  used.child.checkpoints.push(late);
  return { writes: ['checkpoint'], same: used.answer, other: true, written: late.gaps, late };
}

function foreseeBlock(
  model: Model,
  node: ModelNode,
  {
    token,
    asked,
    preferences,
    blockers,
    isRefused = false,
  }: {
    readonly isRefused?: boolean;
    readonly token: string;
    readonly asked: AckAsked;
    readonly preferences: Preferences;
    readonly blockers: readonly string[];
  },
): Foreseen {
  const request = sameText([broughtOf(asked), asked.confirmed ?? false, preferences, isRefused]);
  const known = node.blocks.findLast((block) => block.attempt === token)?.request === request;
  if (!known) {
    model.ticks += 1;
    node.blocks.push({ attempt: token, request, blockers, asked, answers: [], sum: '' });
    node.touched = model.ticks;
    node.run.active = model.ticks;
  }
  const block = node.blocks.findLast((one) => one.attempt === token)!;
  return {
    writes: known ? [] : ['step_blocked'],
    kind: 'blocked',
    happened: 'blocked',
    node,
    status: ['blocked'],
    preferences,
    block,
    blockers: standing(node, block),
    draft: asked,
    written: (asked.output?.gaps ?? []).map(gapOf),
  };
}

export function foreseeCheckpoint(model: Model, node: ModelNode, output: OutputAsked): Foreseen {
  const brought = broughtOf({ output });
  if (isEmpty({ output })) return { writes: [], code: 'VALIDATION_ERROR' };
  if (settlesAgreement(node, output)) return { writes: [], code: 'PRECONDITION_FAILED' };
  const known = node.checkpoints.find((checkpoint) => !checkpoint.late && checkpoint.brought === brought);
  if (known !== undefined) return { writes: [], same: known.answer, late: known };
  model.ticks += 1;
  const checkpoint: ModelCheckpoint = {
    brought,
    late: false,
    output,
    gaps: (output.gaps ?? []).map(gapOf),
    answer: '',
  };
  node.checkpoints.push(checkpoint);
  node.touched = model.ticks;
  node.run.active = model.ticks;
  return { writes: ['checkpoint'], kind: 'ok', written: checkpoint.gaps, late: checkpoint };
}

interface Ledger {
  readonly loop: string;
  readonly lines: readonly string[];
}

/** `3. bl (done): What was noted.` says all of a step of round 3 that left these notes and nothing else. */
function saysAll({ loop, lines }: Ledger, { path, kind, notes, artifacts, gaps, confirmed }: ModelEntry): boolean {
  if (kind !== 'step' || artifacts !== undefined || gaps !== undefined || confirmed === true) return false;
  return lines.some((line) => {
    const [, round, said] = /^(\d+)\..*? \((?:done|now)\): ([^]*)$/u.exec(line) ?? [];
    return round !== undefined && said === notes && `${path}/`.startsWith(`${loop}@${round}/`);
  });
}

export function foreseeLook(node: ModelNode): Foreseen {
  const tip = preferredTip(node.run);
  const atTip = node.children.length === 0;
  const ahead = atTip ? [] : recapOf(entriesUp(newestLeafOf(node.children), node));
  // How far the step that waits had come is told with it.
  const begun = node.pending === undefined ? undefined : node.checkpoints.findLast(tells);
  const before = begun === undefined ? entriesUp(node) : entriesUp(node).slice(1);
  const recapBeside = (ledgers: readonly Ledger[]): readonly ModelEntry[] =>
    recapOf(
      before.filter((one) => !ledgers.some((ledger) => saysAll(ledger, one))),
      ahead.length > 0 ? 2048 : undefined,
      before,
    );
  return {
    writes: [],
    kind: node.pending === undefined ? 'complete' : 'ok',
    happened: atTip ? 'looked_at_tip' : 'looked_back',
    node,
    status: statusOf(node),
    preferences: node.preferences,
    gaps: openGaps(node),
    recapBeside,
    begun: hasText(begun?.output.notesMarkdown) ? begun.output.notesMarkdown : undefined,
    ahead,
    ...(atTip &&
      node.blocks.length > 0 && {
        blockers: standing(node, node.blocks.at(-1)!),
        draft: node.blocks.at(-1)!.asked,
      }),
    ...(!atTip && { branches: node.children.toSorted((a, b) => newestLeaf(b).touched - newestLeaf(a).touched) }),
    ...(tip !== node && { preferred: tip }),
    others: atTip ? leavesOf(node.run.root).filter((leaf) => leaf !== node && leaf !== tip) : [],
  };
}

const leavesOf = (node: ModelNode): readonly ModelNode[] =>
  node.children.length === 0 ? [node] : node.children.flatMap(leavesOf).toSorted((a, b) => b.touched - a.touched);

/** Where work stands: what can be gone on with before what has ended, the newest first. */
export function foreseeResume(model: Model): readonly ModelNode[] {
  const standing = [...model.sessions.values()]
    .flatMap(({ runs }) => runs)
    .toSorted((a, b) => b.active - a.active)
    .map(preferredTip);
  return [true, false].flatMap((isOpen) => standing.filter(({ pending }) => (pending !== undefined) === isOpen));
}

// Parts

type NodeState = Pick<ModelNode, 'pending' | 'moments' | 'context' | 'preferences' | 'gaps'>;

function newNode(parent: ModelNode | undefined, did: ModelNode['did'], of: NodeState, tick: number): ModelNode {
  // A root gets its run right after: the two name each other.
  return {
    ...of,
    run: parent?.run as ModelRun,
    parent,
    did,
    children: [],
    checkpoints: [],
    blocks: [],
    attempts: new Map(),
    token: '',
    touched: tick,
  };
}

export const newestLeafOf = (nodes: readonly ModelNode[]): ModelNode =>
  nodes.map(newestLeaf).toSorted((a, b) => b.touched - a.touched)[0]!;

function lacking(
  step: TinyPrompt,
  { output, context: patch = {} }: AckAsked,
  known: JsonObject,
): { readonly mend: readonly string[]; readonly user: readonly string[] } {
  const mend: string[] = [];
  const notes = output?.notesMarkdown;
  if (!hasText(notes)) {
    if (step.notes === 'required' || step.minLength !== undefined)
      mend.push('MISSING_REQUIRED_OUTPUT /output/notesMarkdown');
  } else if (Array.from(notes).length < (step.minLength ?? 0)) mend.push('RULE_FAILED /output/notesMarkdown');
  if (step.artifact) {
    const handed = (output?.artifacts ?? [])
      .map((artifact, at) => ({ artifact, at }))
      .filter(({ artifact }) => artifact['kind'] === 'tiny.result');
    if (handed.length === 0) mend.push('MISSING_REQUIRED_OUTPUT /output/artifacts');
    for (const { artifact, at } of handed)
      if (!Number.isInteger(artifact['size'])) mend.push(`INVALID_REQUIRED_OUTPUT /output/artifacts/${at}/size`);
  }
  // A run follows its pin, whose keys are in order.
  for (const key of keyNames.filter((name) => step.sets.includes(name)).toSorted()) {
    const value = patch[key] ?? undefined;
    if (value === undefined) mend.push(`MISSING_CONTEXT_KEY /context/${key}`);
    else if (!isRight(key, value)) mend.push(`INVALID_REQUIRED_OUTPUT /context/${key}`);
  }
  const user = [
    ...step.needs
      .filter((key) => (known[key] ?? undefined) === undefined)
      .map((key) => `USER_ONLY_DEPENDENCY /context/${key}`),
    ...(output?.gaps ?? []).flatMap(({ category, resolves }, at) =>
      category === 'user_only_dependency' && resolves === undefined ? [`USER_ONLY_DEPENDENCY /output/gaps/${at}`] : [],
    ),
  ];
  return { mend, user };
}

/** The rounds that a path lies in: `a@1/b@2/look` in `a@1` and `b@2`. */
const roundsOf = (path: string): readonly string[] => path.split('/').filter((part) => part.includes('@'));

/** Of the context what the user need not be asked for again: it was handed back in this round, or before its loop. */
function knownInRound(node: ModelNode): JsonObject {
  const here = roundsOf(node.pending?.path ?? '');
  return Object.fromEntries(
    Object.entries(node.context).filter(([key]) => {
      const writer = upwards(node).find(({ did }) => did !== undefined && Object.hasOwn(did.patch, key));
      const written = roundsOf(writer?.did?.path ?? '');
      return here.length === 0 || written.every((round, at) => here[at] === round);
    }),
  );
}

function isRight(key: (typeof keyNames)[number], value: JsonValue): boolean {
  return key === 'items' ? Array.isArray(value) : rightValues[key].includes(value);
}

const gapsOnTheWay = (found: Found): ModelGap[] => [
  ...found.limited.map(() => newGap('limit', 'warning')),
  ...found.unknown.map(() => newGap('contract_violation', 'critical')),
];
const newGap = (category: string, severity: string, resolves?: string): ModelGap => ({
  id: '',
  detail: '',
  category,
  severity,
  resolves,
});
const gapOf = ({ category, severity, resolves }: GapAsked): ModelGap =>
  newGap(category, category === 'user_only_dependency' && resolves === undefined ? 'critical' : severity, resolves);

function patched(context: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...context, ...patch }).filter(([, value]) => value !== null));
}

function chosen(standing: Preferences, asked: Asked | undefined): Preferences {
  const { mode, ...single } = asked ?? {};
  return { ...(mode === undefined ? standing : modes[mode]), ...single };
}

const hasText = (notes: string | undefined): notes is string => notes !== undefined && notes.trim() !== '';
const isEmpty = ({ output, context }: AckAsked): boolean =>
  !hasText(output?.notesMarkdown) &&
  (output?.artifacts ?? []).length === 0 &&
  (output?.gaps ?? []).length === 0 &&
  Object.keys(context ?? {}).length === 0;

/** What was used is no work. */
const workOf = (output: OutputAsked): OutputAsked => ({
  ...output,
  artifacts: (output.artifacts ?? []).filter((artifact) => !isUsage(artifact)),
});
const bringsNothing = (sent: AckAsked): boolean => isEmpty({ ...sent, output: workOf(sent.output ?? {}) });

function broughtOf({ output, context }: AckAsked): string {
  return sameText([
    hasText(output?.notesMarkdown) ? output.notesMarkdown : null,
    output?.artifacts ?? [],
    (output?.gaps ?? []) as never,
    context ?? {},
  ]);
}

/** Equal for equal values, whatever the order of keys. */
function sameText(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
