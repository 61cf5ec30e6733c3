import type { JsonObject, JsonValue } from '../../src/base/json-value.js';
import type { AckAsked, GapAsked, ModelNode, OutputAsked } from './naive-model.js';

/** What a person answered to one question of what was handed in. */
export interface ModelAnswer {
  readonly question: string;
  readonly says: 'agreed' | 'refused' | 'value';
  readonly value: string;
  readonly tick: number;
}
export type ModelBlock = ModelNode['blocks'][number];

/** What was used is no work, and takes the place of what was told of it before. */
export const isUsage = ({ kind }: JsonObject): boolean => kind === 'wr.usage';
export function withUsage(came: OutputAsked = {}, stood: OutputAsked = {}): readonly JsonObject[] {
  const [now, before] = [came.artifacts ?? [], stood.artifacts ?? []];
  if (now.length === 0) return before;
  if (now.every(isUsage)) return [...before.filter((artifact) => !isUsage(artifact)), ...now];
  return now.some(isUsage) ? now : [...now, ...before.filter(isUsage)];
}

const placeOf = (blocker: string): string => blocker.split(' ')[1]!;
const keyOf = (question: string): string | undefined =>
  question.startsWith('/context/') ? question.slice('/context/'.length) : undefined;
const keysAsked = ({ blockers }: ModelBlock): readonly string[] =>
  blockers
    .filter((blocker) => blocker.startsWith('USER_ONLY_DEPENDENCY'))
    .flatMap((blocker) => keyOf(placeOf(blocker)) ?? []);

/** Equal for equal values, whatever the order of keys. */
const same = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
const notesOf = ({ output }: AckAsked): string | null =>
  output?.notesMarkdown === undefined || output.notesMarkdown.trim() === '' ? null : output.notesMarkdown;
const workOf = (asked: AckAsked, without: readonly string[] = []): unknown => [
  notesOf(asked),
  (asked.output?.artifacts ?? []).filter((artifact) => !isUsage(artifact)),
  asked.output?.gaps ?? [],
  Object.fromEntries(Object.entries(asked.context ?? {}).filter(([key]) => !without.includes(key))),
];

/** The answers to a draft: to it, or to the same work of the same attempt; of several to one question the first. */
export function answersTo(node: ModelNode, block: ModelBlock): readonly ModelAnswer[] {
  const all = node.blocks
    .filter((other) => {
      const asked = [...keysAsked(block), ...keysAsked(other)];
      return other.attempt === block.attempt && same(workOf(other.asked, asked), workOf(block.asked, asked));
    })
    .flatMap(({ answers }) => answers)
    .filter(({ question }) => block.blockers.some((blocker) => placeOf(blocker) === question))
    .toSorted((a, b) => a.tick - b.tick);
  return all.filter((answer, index) => all.findIndex(({ question }) => question === answer.question) === index);
}

/** What of a draft still stands in the way. */
export function standing(node: ModelNode, block: ModelBlock): readonly string[] {
  const answers = answersTo(node, block);
  return block.blockers.filter((blocker) => {
    const answer = answers.find(({ question }) => question === placeOf(blocker));
    return answer === undefined || answer.says === 'refused';
  });
}

/** A call that brings the draft again, nothing, or what was asked for besides. */
function isTheDraft(sent: AckAsked, block: ModelBlock): boolean {
  if (same(workOf(sent), workOf(block.asked))) return true;
  const others = ({ output }: AckAsked): readonly JsonObject[] =>
    (output?.artifacts ?? []).filter((artifact) => !isUsage(artifact));
  const { gaps = [] } = sent.output ?? {};
  const before: JsonObject = block.asked.context ?? {};
  return (
    gaps.length === 0 &&
    (notesOf(sent) === null || notesOf(sent) === notesOf(block.asked)) &&
    (others(sent).length === 0 || same(others(sent), others(block.asked))) &&
    Object.entries(sent.context ?? {}).every(
      ([key, value]) => keysAsked(block).includes(key) || same(value, before[key]),
    )
  );
}

export type WithAnswers =
  | { readonly stays: ModelBlock }
  | { readonly asked: AckAsked; readonly block: ModelBlock; readonly answers: readonly ModelAnswer[] };

/** What a call comes to where a person answered what its attempt had handed in; undefined where it is as without them. */
export function withAnswers(
  node: ModelNode,
  token: string,
  sent: AckAsked,
  known?: { readonly block: ModelBlock; readonly answers: readonly ModelAnswer[] },
): WithAnswers | undefined {
  const handedIn = node.blocks.filter(({ attempt }) => attempt === token);
  const block = known?.block ?? handedIn.findLast(({ asked }) => same(workOf(sent), workOf(asked))) ?? handedIn.at(-1);
  if (block === undefined) return undefined;
  const answers = known?.answers ?? answersTo(node, block);
  if (answers.length === 0 || sent.confirmed === false || !isTheDraft(sent, block)) return undefined;
  if (answers.some(({ says }) => says === 'refused')) return { stays: block };
  const { gaps, whole } = leftOf(node, block, answers, sent);
  const brings = sent.confirmed !== undefined || Object.keys(sent.context ?? {}).length > 0;
  if (!whole && !brings) return { stays: block };
  const context = { ...block.asked.context, ...sent.context, ...givenBy(answers) };
  const agreed = answers.some(({ question, says }) => question === '/confirmed' && says === 'agreed');
  const artifacts = withUsage(sent.output, block.asked.output);
  return {
    block,
    answers,
    asked: {
      output: { ...block.asked.output, ...(artifacts.length > 0 && { artifacts }), gaps },
      ...(Object.keys(context).length > 0 && { context }),
      ...((agreed || sent.confirmed === true) && { confirmed: true }),
      ...(sent.preferences !== undefined && { preferences: sent.preferences }),
    },
  };
}

/** The gaps that stay gaps, and whether nothing is open any more. */
function leftOf(
  { preferences }: ModelNode,
  { asked, blockers }: ModelBlock,
  answers: readonly ModelAnswer[],
  sent: AckAsked,
): { readonly gaps: readonly GapAsked[]; readonly whole: boolean } {
  const settled = (question: string): boolean => {
    const key = keyOf(question);
    if (answers.some((answer) => answer.question === question)) return true;
    return key === undefined ? sent.confirmed === true : (sent.context?.[key] ?? null) !== null;
  };
  const places = blockers.map(placeOf);
  const whole = preferences.autonomy === 'full_auto_never_stop' || places.every(settled);
  const gaps = (asked.output?.gaps ?? []).filter((_, index) => {
    const question = `/output/gaps/${index}`;
    return !whole || !places.includes(question) || !settled(question);
  });
  return { gaps, whole };
}

const givenBy = (answers: readonly ModelAnswer[]): { readonly [key: string]: JsonValue } =>
  Object.fromEntries(
    answers.flatMap(({ question, value }) => {
      const key = keyOf(question);
      return key === undefined ? [] : [[key, value]];
    }),
  );

const saysNo = (node: ModelNode, block: ModelBlock): boolean =>
  answersTo(node, block).some(({ question, says }) => question === '/confirmed' && says === 'refused');

/** After a person's own no an agent's word for them counts for nothing; the very work that they refused is refused. */
export function afterOwnNo(node: ModelNode, asked: AckAsked): 'refused' | 'asks anew' | undefined {
  if (node.blocks.some((block) => saysNo(node, block) && same(workOf(asked), workOf(block.asked)))) return 'refused';
  const isOpen = (block: ModelBlock): boolean => node.attempts.get(block.attempt)?.used === undefined;
  return node.blocks.some((block) => isOpen(block) && saysNo(node, block)) ? 'asks anew' : undefined;
}
