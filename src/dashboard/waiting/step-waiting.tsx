import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { queries } from '../api/queries.js';
import { TimeTold } from '../parts/time-told.js';
import { type AnsweredHere, AnswerPanel, WhatComesNext } from './answer-panel.js';

export interface StepWaitingProps {
  readonly sessionId: string;
  readonly nodeId: string;
  /** The step is blocked. */
  readonly blocked: boolean;
  /** The agent has done the step. */
  readonly goneOn: boolean;
  readonly closed: string | undefined;
  /** What is shown of the step is no longer so. */
  readonly onChanged: () => void;
  /** What stands there where nothing waits for a person. */
  readonly children: ReactNode;
}

/** On a step's own page: what it asks of the person, in place of what only says that it is blocked. */
export function StepWaiting({ sessionId, nodeId, blocked, goneOn, closed, onChanged, children }: StepWaitingProps) {
  const { data } = useQuery({ ...queries.questions(sessionId), enabled: blocked });
  const [here, setHere] = useState<readonly AnsweredHere[]>([]);
  const work = blocked ? data?.waiting.find((one) => one.nodeId === nodeId) : undefined;
  const waits = work !== undefined;
  const [waited, setWaited] = useState(false);
  if (waits && !waited) setWaited(true);
  const changed = useEffectEvent(onChanged);
  useEffect(() => {
    if (waited && !waits) changed();
  }, [waited, waits]);
  const newest = here.at(-1);
  if (work === undefined)
    return (
      <>
        {newest === undefined ? null : <WhatComesNext told={newest.told} goneOn={goneOn} />}
        {children}
      </>
    );
  return (
    <section className="aside grave">
      <h3>
        Waiting for you <TimeTold at={work.since} />
      </h3>
      <AnswerPanel
        sessionId={sessionId}
        work={work}
        here={here}
        onAnswered={(answered) => setHere((now) => [...now, answered])}
        closed={closed}
      />
    </section>
  );
}
