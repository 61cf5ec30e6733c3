import type { EventSum } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { secretGiven } from '../base/secret-given.js';
import { compareEvents, type Event } from '../events/event.js';
import { draftsOf, keysAsked, standingDraft, unlikeDraft } from './drafts.js';
import type { FoldedSession, RunNode } from './folded-session.js';

export type PersonAnswer = Event<'question_answered'>;
type Draft = Event<'step_blocked'>;
export type Question = Draft['data']['blockers'][number];

/** What people answered to the questions of a draft, each once: of several answers the least in order counts. */
export function answersTo(node: RunNode, draft: Draft): readonly PersonAnswer[] {
  const known = new Map<string, PersonAnswer>();
  for (const answer of answersAbout(node, draft))
    if (!known.has(answer.data.question)) known.set(answer.data.question, answer);
  return [...known.values()];
}

/** Changed work asks again. The same work that came once more, with what was asked for or under another mode, does not. */
function answersAbout(node: RunNode, draft: Draft): readonly PersonAnswer[] {
  return (node.answers ?? []).filter(({ data: { block, question } }) => {
    const about = node.blocks.find(({ sum }) => sum === block);
    const asked = about?.data.blockers.find(({ pointer }) => pointer === question);
    if (about === undefined || asked === undefined || !isSameWork(about, draft)) return false;
    // Whoever passed on a no asks for agreement in other words, and it is the same question.
    const isSame = ({ pointer, message }: Question): boolean =>
      pointer === question && (question === '/confirmed' || message === asked.message);
    return draft.data.blockers.some(isSame);
  });
}

/** The same work that came once more, with what was asked for or under another mode. */
export function isSameWork(one: Draft, other: Draft): boolean {
  if (one === other) return true;
  if (one.data.attempt !== other.data.attempt) return false;
  return unlikeDraft(one.data, other.data, [...keysAsked(one), ...keysAsked(other)]).length === 0;
}

/** The same question was answered elsewhere as well, and another answer counts. */
export function answersPassedOver(node: RunNode, draft: Draft): readonly PersonAnswer[] {
  const counted = new Set(answersTo(node, draft));
  return answersAbout(node, draft).filter((answer) => !counted.has(answer));
}

/** Those that a step went on with. */
export const answersBySum = (node: RunNode, sums: readonly EventSum[] = []): readonly PersonAnswer[] =>
  (node.answers ?? []).filter(({ sum }) => sums.includes(sum));

/** What of a draft nobody has answered yet. */
export function openQuestions(node: RunNode, draft: Draft): readonly Question[] {
  const answered = new Set(answersTo(node, draft).map(({ data }) => data.question));
  return draft.data.blockers.filter(({ pointer }) => !answered.has(pointer));
}

/** The reason of the first no among answers, empty where none was given; undefined where nobody said no. */
export const refusalOf = (answers: readonly PersonAnswer[]): string | undefined => {
  const refused = answers.find(({ data }) => data.answer === 'refused');
  return refused && (refused.data.reason ?? '');
};

/** The values that answers give to keys of the context. A secret is known to be given. */
export function contextGiven(answers: readonly PersonAnswer[]): JsonObject {
  const given = answers.flatMap(({ data: { question, answer, context } }): [string, JsonObject[string]][] => {
    if (answer === 'refused') return [];
    if (context !== undefined) return Object.entries(context);
    const key = keyOfQuestion(question);
    return key === undefined ? [] : [[key, secretGiven]];
  });
  return Object.fromEntries(given);
}

const inContext = '/context/';
const inGaps = /^\/output\/gaps\/(\d+)$/u;

/** The key of the context that a question asks for. */
export const keyOfQuestion = (pointer: string): string | undefined =>
  pointer.startsWith(inContext) ? pointer.slice(inContext.length) : undefined;

/** Which of the draft's gaps a question is about. */
export function gapOfQuestion(pointer: string): number | undefined {
  const index = inGaps.exec(pointer)?.[1];
  return index === undefined ? undefined : Number(index);
}

/** A person has answered all that a draft waits for, and said no to nothing: the agent's next call goes on. */
export function isSettled(node: RunNode, draft: Draft): boolean {
  const answers = answersTo(node, draft);
  return answers.length > 0 && refusalOf(answers) === undefined && openQuestions(node, draft).length === 0;
}

/** The answers after which a draft waited for nobody any more. */
export function settlingAnswers({ nodes }: Pick<FoldedSession, 'nodes'>): ReadonlySet<string> {
  const settling = new Set<string>();
  for (const node of nodes.values())
    for (const draft of node.answers === undefined ? [] : node.blocks) {
      const last = isSettled(node, draft) ? answersTo(node, draft).at(-1) : undefined;
      if (last !== undefined) settling.add(last.sum);
    }
  return settling;
}

/** The step was done another way after it was handed in. What is handed in for a step that was done before begins a branch. */
export const isLeft = (node: RunNode, draft: Draft): boolean => node.acks.some((ack) => compareEvents(ack, draft) > 0);

/** What a command waited for came by way of the agent. */
export function isAgreed(node: RunNode, draft: Draft): boolean {
  const { command } = draft.data;
  if (command?.try === undefined) return node.confirmed !== undefined && compareEvents(node.confirmed, draft) > 0;
  return node.settled?.some(({ data }) => data.call === command.call && data.try === command.try) === true;
}

/** The draft at a node that waits for a person: something is open, and nobody said no. Where the work went on since, nobody waits any more. */
export function waitingDraft(node: RunNode): Draft | undefined {
  if (node.pending === undefined || node.blocks.length === 0) return undefined;
  const draft = standingDraft(node);
  if (draft === undefined || draft.data.refused !== undefined || isLeft(node, draft)) return undefined;
  if (draft.data.command !== undefined && (node.stopped !== undefined || isAgreed(node, draft))) return undefined;
  const isRefused = refusalOf(answersTo(node, draft)) !== undefined;
  return !isRefused && openQuestions(node, draft).length > 0 ? draft : undefined;
}

/** Since when: what an attempt handed in first. */
export const waitedFrom = (node: RunNode, draft: Draft): string => (draftsOf(node, draft.data.attempt)[0] ?? draft).at;

/** What the user said no to by way of their agent, at a node that is open: their reason, until they agree to what was made of it. */
export const refusalAt = (node: RunNode): string | undefined =>
  node.blocks.findLast(
    ({ data }) => data.refused !== undefined && !node.acks.some((ack) => ack.data.attempt === data.attempt),
  )?.data.refused;

const saysNo = (node: RunNode, draft: Draft): PersonAnswer | undefined =>
  answersTo(node, draft).find(({ data }) => data.question === '/confirmed' && data.answer === 'refused');

/** Whether a person said no at their own door to what an open attempt handed in: then it is for them to say yes. */
export const isRefusedAt = (node: RunNode): boolean =>
  node.answers !== undefined &&
  node.blocks.some(
    (draft) => !node.acks.some((ack) => ack.data.attempt === draft.data.attempt) && saysNo(node, draft) !== undefined,
  );

/** Of what was handed in at a node, under any attempt, that to which a person said no at their own door. */
export const refusedDrafts = (node: RunNode): readonly { readonly draft: Draft; readonly reason: string }[] =>
  node.answers === undefined
    ? []
    : node.blocks.flatMap((draft) => {
        const no = saysNo(node, draft);
        return no === undefined ? [] : [{ draft, reason: no.data.reason ?? '' }];
      });
