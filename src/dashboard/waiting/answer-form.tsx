import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { AnswerBody } from '../../contract/api-bodies.js';
import type { QuestionAnswered, QuestionTold } from '../../contract/question-told.js';
import { changes } from '../api/changes.js';
import { failureWords } from '../api/failure-words.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { OutcomeChoices } from './outcome-choices.js';
import { ValueField } from './value-field.js';
import { readValue, type ValueGiven } from './read-value.js';
import { InCode } from '../parts/in-code.js';

export interface AnswerFormProps {
  readonly sessionId: string;
  readonly question: QuestionTold;
  /** Why nothing can be answered. */
  readonly closed: string | undefined;
  /** It is about a request that WorkRail sends. */
  readonly sends: boolean;
  readonly onAnswered: (told: QuestionAnswered) => void;
}

type Given = Pick<AnswerBody, 'answer' | 'value' | 'reason'>;
type Open = 'answer' | 'refuse';

const yesWords = { agreement: 'Agree', secret: 'I handed it over', action: 'Done', value: 'Answer' } as const;

/** One question with the ways to answer it. */
export function AnswerForm({ sessionId, question, closed, sends, onAnswered }: AnswerFormProps) {
  const { asks, key, choices } = question;
  const client = useQueryClient();
  const id = useId();
  const [open, setOpen] = useState<Open>('answer');
  const [value, setValue] = useState<ValueGiven>({ as: 'value', text: '' });
  const [reason, setReason] = useState('');
  const [state, setState] = useState<'ready' | 'sending' | { readonly failed: string }>('ready');
  const reasonField = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (open === 'refuse') reasonField.current?.focus();
  }, [open]);
  const send = async (given: Given): Promise<void> => {
    if (state === 'sending') return;
    setState('sending');
    try {
      const { block, question: pointer } = question;
      const told = await changes.answer(sessionId, { block, question: pointer, ...given });
      announce(`${told.says}. ${told.next}`);
      onAnswered(told);
      setState('ready');
    } catch (cause) {
      setState({ failed: failureWords(cause) });
    }
    await client.invalidateQueries({ queryKey: ['waiting'] });
    await client.invalidateQueries({ queryKey: ['session', sessionId] });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (open === 'refuse') {
      void send({ answer: 'refused', ...(reason.trim() !== '' && { reason }) });
      return;
    }
    if (asks !== 'value') {
      void send({ answer: asks === 'secret' ? 'value' : 'agreed' });
      return;
    }
    const read = readValue(value, question);
    if (read.ok) void send(read.value);
    else setState({ failed: read.error });
  };
  const turn = (to: Open): void => {
    setOpen(to);
    setState('ready');
  };
  return (
    <form className="answer-form" onSubmit={submit} aria-labelledby={id}>
      <Asked id={id} question={question} />
      {closed === undefined ? (
        <>
          {open === 'refuse' ? (
            <div className="field">
              <label htmlFor={`${id}-reason`}>
                Why not? {sends ? 'It is recorded with the run.' : 'The agent will see this.'}
              </label>
              <textarea
                ref={reasonField}
                id={`${id}-reason`}
                rows={3}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
                onKeyDown={(event) => (event.key === 'Escape' ? turn('answer') : undefined)}
              />
            </div>
          ) : choices !== undefined ? (
            <OutcomeChoices
              choices={choices}
              chosen={value.text}
              onChoose={(chosen) => setValue({ as: 'value', text: chosen })}
            />
          ) : asks === 'value' ? (
            <ValueField question={question} given={value} onChange={setValue} />
          ) : null}
          <div className="actions">
            {open === 'refuse' ? (
              <>
                <Button submit look="grave" disabled={state === 'sending'}>
                  Refuse
                </Button>
                <Button onClick={() => turn('answer')}>Back</Button>
              </>
            ) : (
              <>
                <Button submit look="main" disabled={state === 'sending'}>
                  {sends && asks === 'agreement' ? 'Agree and send' : yesWords[asks]}
                </Button>
                {choices === undefined ? <Button onClick={() => turn('refuse')}>Refuse …</Button> : null}
              </>
            )}
            {key === undefined || sends ? null : <span className="quiet small">for {key}</span>}
          </div>
        </>
      ) : (
        <p className="quiet">{closed}</p>
      )}
      {typeof state === 'object' ? (
        <p className="grave said" role="alert">
          <InCode text={state.failed} />
        </p>
      ) : null}
    </form>
  );
}

/** The question, and what is valid. */
function Asked({
  id,
  question: { asks, text, wanted },
}: Pick<AnswerFormProps, 'question'> & {
  readonly id: string;
}) {
  return (
    <>
      <p id={id} className="asked said">
        <InCode text={text} />
      </p>
      {wanted === undefined ? null : (
        <p className="quiet small said">
          <InCode text={wanted} />
        </p>
      )}
      {asks === 'secret' ? (
        <p className="quiet small">
          Don’t enter the secret here. Put it where the agent can read it, such as its environment, then confirm.
        </p>
      ) : null}
    </>
  );
}
