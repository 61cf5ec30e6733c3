import { settlements } from '../base/closed-sets.js';
import type { AgentName } from '../base/agent-name.js';
import type { QuestionTold, WaitingTold } from '../contract/question-told.js';
import { describeAsked } from '../definitions/check/known-values.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { promptStep } from '../definitions/compiled/place.js';
import { aboutKey, kindOfReason, type QuestionAbout } from '../definitions/contracts/question-about.js';
import type { Event } from '../events/event.js';
import type { RunNode } from '../sessions/folded-session.js';
import { withoutUsage } from '../sessions/usage.js';
import { tellPersonAnswer } from './person-answer-words.js';
import { gapWords } from '../sessions/gap-words.js';
import {
  answersTo,
  gapOfQuestion,
  keyOfQuestion,
  openQuestions,
  type Question,
  waitedFrom,
} from '../sessions/person-answers.js';

type Draft = Event<'step_blocked'>;

export function aboutQuestion(workflow: CompiledWorkflow, { data }: Draft, pointer: string): QuestionAbout {
  if (pointer === '/confirmed') return { asks: 'agreement' };
  const key = keyOfQuestion(pointer);
  if (data.command !== undefined) return { asks: 'value', key: 'outcome', spec: outcomeSpec };
  if (key !== undefined) return aboutKey(promptStep(workflow, data.step.id), key);
  return { asks: kindOfReason(data.gaps?.[gapOfQuestion(pointer) ?? -1]?.reason) };
}

/** What may be said of a command whose outcome nobody knows. */
const outcomeSpec = { type: 'string', enum: [...settlements] } as const;

export function tellQuestion(workflow: CompiledWorkflow, draft: Draft, { pointer, message }: Question): QuestionTold {
  const { asks, key, spec } = aboutQuestion(workflow, draft, pointer);
  return {
    block: draft.sum,
    question: pointer,
    asks,
    text: askedOf(pointer, message),
    ...(key !== undefined && { key }),
    ...(key !== undefined &&
      spec !== undefined && {
        wanted: describeAsked(workflow, key, spec),
        type: spec.add === true ? 'any' : spec.type,
      }),
    ...(spec?.enum !== undefined && { values: spec.enum }),
  };
}

/** What waits at a node for a person, told to them. */
export function tellWaitingFor(
  workflow: CompiledWorkflow,
  node: RunNode,
  draft: Draft,
  agent: AgentName | undefined,
): WaitingTold {
  const { step, context, gaps } = draft.data;
  const { notes, artifacts } = withoutUsage(draft.data.output ?? {});
  return {
    runId: node.run,
    nodeId: node.id,
    workflow: workflow.title,
    step: { path: step.path, title: step.title },
    since: waitedFrom(node, draft),
    ...(agent !== undefined && { agent }),
    questions: openQuestions(node, draft).map((question) => tellQuestion(workflow, draft, question)),
    answered: answersTo(node, draft).map((answer) => tellPersonAnswer(answer, false)),
    handedIn: {
      ...(notes !== undefined && { notes }),
      ...(artifacts !== undefined && { artifacts }),
      ...(context !== undefined && { context }),
      ...(gaps !== undefined && { gaps: gaps.map((gap) => gapWords(gap)) }),
    },
  };
}

/** Agents are told what is missing and why; a person is asked. */
function askedOf(pointer: string, message: string): string {
  if (pointer === '/confirmed') return 'Do you agree to this step as the agent sent it?';
  return message.replace(/^needs_user_[a-z_]+: /u, '');
}
