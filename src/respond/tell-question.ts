import { settlements } from '../base/closed-sets.js';
import type { AgentName } from '../base/agent-name.js';
import type { QuestionTold, WaitingTold } from '../contract/question-told.js';
import { sentenceText } from '../base/sentence.js';
import { describeAsked } from '../definitions/check/known-values.js';
import { commandKey } from '../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../definitions/compiled/compiled-workflow.js';
import { placesOf, promptStep } from '../definitions/compiled/place.js';
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
  const { command } = draft.data;
  return {
    block: draft.sum,
    question: pointer,
    asks,
    text: command === undefined ? askedOf(pointer, message) : commandAsks(command, message),
    ...(key !== undefined && { key }),
    ...(key !== undefined &&
      spec !== undefined &&
      command === undefined && {
        wanted: describeAsked(workflow, key, spec),
        type: spec.add === true ? 'any' : spec.type,
      }),
    ...(spec?.enum !== undefined && { values: spec.enum }),
    ...(command?.try !== undefined && { choices: outcomeChoices(workflow, draft) }),
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
  const command = commandOf(workflow, draft);
  const { notes, artifacts } = withoutUsage(draft.data.output ?? {});
  return {
    runId: node.run,
    nodeId: node.id,
    workflow: workflow.title,
    step: { path: step.path, title: step.title },
    since: waitedFrom(node, draft),
    ...(agent !== undefined && { agent }),
    ...(command !== undefined && { command }),
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

function stepOf(workflow: CompiledWorkflow, { data }: Draft): RunStep | undefined {
  const step = data.command && placesOf(workflow).get(data.step.id)?.step;
  return step?.kind === 'run' ? step : undefined;
}

function commandOf(workflow: CompiledWorkflow, draft: Draft): string | undefined {
  const step = stepOf(workflow, draft);
  return step && commandKey(step);
}

/** No agent sends it: what is agreed to is what WorkRail sends. */
function commandAsks(command: NonNullable<Draft['data']['command']>, message: string): string {
  const said = sentenceText(message).replace(/[.…]$/u, '');
  if (command.try !== undefined) return `${said}. What happened?`;
  const why = / to this very request: (.+)$/u.exec(said)?.[1];
  return why === undefined
    ? `Do you agree to what this run sends? WorkRail sends it exactly as shown, and nothing before you agree.${elsewhere(said)}`
    : `Do you agree that WorkRail sends this request, exactly as shown? You are asked because ${why}.`;
}

/** What was agreed to in another place does not count in this one. */
const elsewhere = (said: string): string => {
  const [, note] = /\((what was agreed to .+)\)$/u.exec(said) ?? [];
  return note === undefined ? '' : ` ${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
};

function outcomeChoices(workflow: CompiledWorkflow, draft: Draft): NonNullable<QuestionTold['choices']> {
  const goesOn = stepOf(workflow, draft)?.onError === 'continue';
  return [
    {
      value: 'repeat',
      label: 'Send it again',
      says: 'WorkRail sends the request once more. If the server did it the first time, it is done twice.',
    },
    {
      value: 'done',
      label: 'It was done',
      says: 'WorkRail sends nothing and continues. Later steps find no answer to read, since none came.',
    },
    {
      value: 'failed',
      label: 'It was not done',
      says: goesOn
        ? 'WorkRail sends nothing and continues; the step counts as failed.'
        : 'WorkRail sends nothing, and the run fails at this step.',
    },
  ];
}
