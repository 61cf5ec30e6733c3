import { useEffect, useRef } from 'react';
import type { PersonAnswerTold } from '../../contract/draft-told.js';
import type { QuestionAnswered, WaitingTold } from '../../contract/question-told.js';
import { answeredWords } from '../../render/blocker-text.js';
import { TimeTold } from '../parts/time-told.js';
import { AnswerForm } from './answer-form.js';
import { HandedIn } from './handed-in.js';
import './waiting.css';
import { InCode } from '../parts/in-code.js';

/** What was answered in a panel, and to which draft. */
export interface AnsweredHere {
  readonly told: QuestionAnswered;
  readonly block: string;
}

export interface AnswerPanelProps {
  readonly sessionId: string;
  readonly work: WaitingTold;
  /** What was answered in this panel, the newest last. */
  readonly here: readonly AnsweredHere[];
  readonly onAnswered: (answered: AnsweredHere) => void;
  /** Why nothing can be answered. */
  readonly closed: string | undefined;
}

/** What is asked, and beside it what the answer is about. */
export function AnswerPanel({ sessionId, work, here, onAnswered, closed }: AnswerPanelProps) {
  const newest = here.findLast((answered) => isAbout(answered, work));
  return (
    <div className="answer-panel">
      <div className="questions">
        <AnswersGiven answers={work.answered} />
        {newest === undefined ? null : <WhatComesNext told={newest.told} goneOn={false} />}
        {work.questions.map((question) => (
          <AnswerForm
            key={`${question.block} ${question.question}`}
            sessionId={sessionId}
            question={question}
            closed={closed}
            sends={work.command !== undefined}
            onAnswered={(told) => onAnswered({ told, block: question.block })}
          />
        ))}
      </div>
      <HandedIn handedIn={work.handedIn} sends={work.command !== undefined} />
    </div>
  );
}

/** Other work asks again: an answer to the draft before says nothing of this one. */
const isAbout = ({ told, block }: AnsweredHere, { questions, answered }: WaitingTold): boolean =>
  questions.every((question) => question.block === block) ||
  answered.some(({ question, at }) => question === told.question && at === told.at);

/** What people answered, each with where and when. */
export function AnswersGiven({ answers }: { readonly answers: readonly PersonAnswerTold[] }) {
  return answers.map((answer) => (
    <p key={`${answer.question} ${answer.at} ${answer.says}`} className="answer-given said">
      <InCode text={answeredWords(answer, '')} />{' '}
      <span className="quiet small">
        <TimeTold at={answer.at} />
      </span>
    </p>
  ));
}

/** What WorkRail goes on with itself is told as far as it has come. */
function nextWords({ came, next }: QuestionAnswered, goneOn: boolean): string {
  if (came === undefined) return goneOn ? 'The agent has continued.' : next;
  return goneOn ? 'The run has continued.' : came.status === 'running' ? next : came.says;
}

interface WhatComesNextProps {
  readonly told: QuestionAnswered;
  /** The agent has heard it, and done the step. */
  readonly goneOn: boolean;
}

/** After an answer: what the agent hears. It takes the focus from the form that is gone. */
export function WhatComesNext({ told, goneOn }: WhatComesNextProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => line.current?.focus({ preventScroll: true }), [told.event]);
  return (
    <div ref={line} className="aside good what-next" tabIndex={-1}>
      <p className="said">
        <strong>{told.added ? 'Recorded.' : 'Already recorded.'}</strong> <InCode text={nextWords(told, goneOn)} />
      </p>
      {told.warnings.map(({ code, message }) => (
        <p key={code} className="warning said">
          <InCode text={message} />
        </p>
      ))}
    </div>
  );
}
