import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useId, useMemo, useState } from 'react';
import { agentWords } from '../../base/agent-name.js';
import type { WaitingRow } from '../../contract/question-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import { closedBy } from '../session/closed-by.js';
import { type AnsweredHere, AnswerPanel, AnswersGiven, WhatComesNext } from './answer-panel.js';
import { rowKey, useWaiting } from './use-waiting.js';
import './waiting.css';
import { InCode } from '../parts/in-code.js';

/** A row that somebody has opened: it stays until they close it, also when nothing waits there any more. */
interface Opened {
  readonly row: WaitingRow;
  readonly answered: readonly AnsweredHere[];
}

interface PanelProps {
  /** As it waits now; absent where it does not any more. */
  readonly live: WaitingRow | undefined;
  readonly opened: Opened;
  readonly onAnswered: (answered: AnsweredHere) => void;
}

interface Kind {
  /** What is wanted of the person, in a line. */
  readonly asks: (row: WaitingRow) => string;
  readonly Panel: ComponentType<PanelProps>;
}

/** What can wait for a person. A kind more is a line more. */
const kinds: { readonly [K in WaitingRow['kind']]: Kind } = {
  question: {
    asks: ({ questions: [first, ...rest] }) =>
      `${first?.text ?? ''}${rest.length === 0 ? '' : `, and ${rest.length} more`}`,
    Panel: QuestionPanel,
  },
};

/** What waits for the person, above the sessions, where it can be answered. */
export function WaitingGroup() {
  const told = useWaiting();
  const id = useId();
  const [opened, setOpened] = useState<ReadonlyMap<string, Opened>>(new Map());
  const live = useMemo(() => new Map((told?.rows ?? []).map((row) => [rowKey(row), row])), [told]);
  const rows = [...new Map([...[...opened].map(([key, { row }]) => [key, row] as const), ...live])].toSorted(
    ([, a], [, b]) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0),
  );
  if (rows.length === 0 && (told?.unreadable ?? []).length === 0) return <div className="waiting-none" />;
  const count = live.size + (told?.more ?? 0);
  const put = (key: string, to: Opened | undefined): void =>
    setOpened((now) => {
      const next = new Map(now);
      if (to === undefined) next.delete(key);
      else next.set(key, to);
      return next;
    });
  return (
    <section className="waiting-group" aria-labelledby={id}>
      <h2 id={id}>Waiting for you {count === 0 ? null : <span className="figures quiet">{count}</span>}</h2>
      <ul>
        {rows.map(([key, row]) => (
          <Row
            key={key}
            row={row}
            live={live.get(key)}
            opened={opened.get(key)}
            onTurn={(open) => put(key, open ? { row, answered: [] } : undefined)}
            onAnswered={(answer) =>
              setOpened((now) => {
                const before = now.get(key);
                return before === undefined
                  ? now
                  : new Map([...now, [key, { ...before, answered: [...before.answered, answer] }]]);
              })
            }
          />
        ))}
      </ul>
      {told?.more === undefined ? null : (
        <p className="small">
          <Link to={{ view: 'sessions', query: 'is:waiting sort:waiting' }}>
            {told.more === 1 ? '1 more session is waiting' : `${told.more} more sessions are waiting`}
          </Link>
        </p>
      )}
      {told?.unreadable.map(({ sessionId, message }) => (
        <p key={sessionId} className="small grave said">
          {sessionId} is waiting for you but cannot be shown: <InCode text={message} />
        </p>
      ))}
    </section>
  );
}

interface RowProps {
  readonly row: WaitingRow;
  readonly live: WaitingRow | undefined;
  readonly opened: Opened | undefined;
  readonly onTurn: (open: boolean) => void;
  readonly onAnswered: (answered: AnsweredHere) => void;
}

function Row({ row, live, opened, onTurn, onAnswered }: RowProps) {
  const id = useId();
  const { sessionId, runId, nodeId, name, workflow, step, since, agent, kind } = live ?? row;
  const { asks, Panel } = kinds[kind];
  return (
    <li className={live === undefined ? 'waiting-item done' : 'waiting-item'}>
      <div className="waiting-line">
        <div className="waiting-work">
          <Link to={{ view: 'session', sessionId, runId, nodeId }} className="one-line" title={visibleTitle(name)}>
            {visibleTitle(name)}
          </Link>
          <span className="quiet small one-line">
            {visibleTitle(step.title)} · {visibleTitle(workflow)}
          </span>
        </div>
        <button
          type="button"
          className="waiting-asks"
          aria-expanded={opened !== undefined}
          aria-controls={opened === undefined ? undefined : id}
          onClick={() => onTurn(opened === undefined)}
        >
          <span className="said">
            <InCode text={visibleTitle(asks(live ?? row))} />
          </span>
        </button>
        <span className="waiting-since quiet small">
          {agent === undefined ? null : (
            <span className="one-line asking-agent">{visibleTitle(agentWords(agent))}</span>
          )}
          <TimeTold at={since} />
        </span>
      </div>
      {opened === undefined ? null : (
        <div id={id}>
          <Panel live={live} opened={opened} onAnswered={onAnswered} />
        </div>
      )}
    </li>
  );
}

function QuestionPanel({ live, opened: { row, answered }, onAnswered }: PanelProps) {
  if (live === undefined) return <NoLonger row={row} here={answered.at(-1)} />;
  return (
    <>
      <OfWhat row={live} />
      <AnswerPanel
        sessionId={live.sessionId}
        work={live}
        here={answered}
        onAnswered={onAnswered}
        closed={closedBy(live)}
      />
    </>
  );
}

/** Which question it is, where several read alike. */
function OfWhat({ row: { sessionId, runId, nodeId, name, step, branch } }: { readonly row: WaitingRow }) {
  return (
    <p className="waiting-of quiet small">
      <span>
        Session <Link to={{ view: 'session', sessionId }}>{visibleTitle(name)}</Link>
        {name === sessionId ? '' : ` (${visibleTitle(sessionId)})`}
      </span>
      <span>
        Step <Link to={{ view: 'session', sessionId, runId, nodeId }}>{visibleTitle(step.title)}</Link>
      </span>
      <span>{branch === undefined ? 'Only branch' : `Branch ${branch}${branch === 1 ? ' (preferred)' : ''}`}</span>
    </p>
  );
}

/** It was answered, here or elsewhere, or the work has gone another way. */
function NoLonger({ row, here }: { readonly row: WaitingRow; readonly here: AnsweredHere | undefined }) {
  const { sessionId, nodeId } = row;
  const { data } = useQuery(queries.step(sessionId, nodeId));
  const answers = data?.node.blocks.at(-1)?.answers ?? [];
  return (
    <div className="answer-panel">
      <div className="questions" role="status">
        {here === undefined ? (
          <p>{answers.length === 0 ? 'No longer waiting: the work has continued.' : 'This was answered elsewhere.'}</p>
        ) : null}
        <AnswersGiven answers={answers} />
        {here === undefined ? null : <WhatComesNext told={here.told} goneOn={(data?.done.length ?? 0) > 0} />}
      </div>
    </div>
  );
}
