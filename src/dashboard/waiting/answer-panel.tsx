import { useEffect, useRef } from 'react';
import type { PersonAnswerTold } from '../../contract/draft-told.js';
import type { QuestionAnswered, WaitingTold } from '../../contract/question-told.js';
import { answeredWords } from '../../render/blocker-text.js';
import { TimeTold } from '../parts/time-told.js';
import { AnswerForm } from './answer-form.js';
import { HandedIn } from './handed-in.js';
import './waiting.css';
import { InCode } from '../parts/in-code.js';

export interface AnswerPanelProps {
  readonly sessionId: string;
  readonly work: WaitingTold;
  /** What was answered in this panel, the newest last. */
  readonly here: readonly QuestionAnswered[];
  readonly onAnswered: (told: QuestionAnswered) => void;
  /** Why nothing can be answered. */
  readonly closed: string | undefined;
}

/** What is asked, and beside it what the answer is about. */
export function AnswerPanel({ sessionId, work, here, onAnswered, closed }: AnswerPanelProps) {
  const newest = here.at(-1);
  return (
    <div className="answer-panel">
      <div className="questions">
        <AnswersGiven answers={work.answered} />
        {newest === undefined ? null : <WhatComesNext told={newest} />}
        {work.questions.map((question) => (
          <AnswerForm
            key={`${question.block} ${question.question}`}
            sessionId={sessionId}
            question={question}
            closed={closed}
            onAnswered={onAnswered}
          />
        ))}
      </div>
      <HandedIn handedIn={work.handedIn} />
    </div>
  );
}

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

/** After an answer: what the agent hears. It takes the focus from the form that is gone. */
export function WhatComesNext({ told }: { readonly told: QuestionAnswered }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => line.current?.focus({ preventScroll: true }), [told.event]);
  return (
    <div ref={line} className="aside good what-next" tabIndex={-1}>
      <p className="said">
        <strong>{told.added ? 'Recorded.' : 'Already recorded.'}</strong> <InCode text={told.next} />
      </p>
      {told.warnings.map(({ code, message }) => (
        <p key={code} className="warning said">
          <InCode text={message} />
        </p>
      ))}
    </div>
  );
}
