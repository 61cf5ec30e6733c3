import { useState } from 'react';
import type { NodesCompared, StepCompared } from '../../contract/http-api.js';
import { Button } from '../parts/button.js';
import { TimeTold } from '../parts/time-told.js';
import { Link } from '../router/link.js';
import { GapList } from '../step/gap-list.js';
import { ValueTold } from '../step/value-told.js';
import { Folded } from '../parts/folded.js';
import { DifferingArtifacts, DifferingNotes } from './differing.js';

type Row = NodesCompared['steps'][number];

/** As many as somebody reads before asking for more. */
const atOnce = 40;

/** What was done on each of the two tracks since they parted; a step that both did stands in one row. */
export function ComparedSteps({ compared, marks }: { readonly compared: NodesCompared; readonly marks: boolean }) {
  const [shown, setShown] = useState(atOnce);
  const { steps, sessionId, a, b } = compared;
  return (
    <ol className="compared-steps">
      {steps.slice(0, shown).map((row, index) => {
        const same = isSame(row);
        return (
          <li key={index} className={row.a === undefined ? 'compared-row on-b' : 'compared-row'}>
            <h3>
              {row.title}{' '}
              {same ? (
                <span className="tag">same on both</span>
              ) : row.a === undefined ? (
                <span className="tag">only on B</span>
              ) : row.b === undefined ? (
                <span className="tag">only on A</span>
              ) : null}
            </h3>
            <Side
              name="A"
              at={row.a}
              other={marks ? row.b : undefined}
              link={{ sessionId, runId: a.runId }}
              folded={same}
            />
            <div className="two-rails" aria-hidden="true">
              <span className={row.a === undefined ? 'rail' : 'rail stop'} />
              <span className={row.b === undefined ? 'rail' : 'rail stop'} />
            </div>
            <Side
              name="B"
              at={row.b}
              other={marks ? row.a : undefined}
              link={{ sessionId, runId: b.runId }}
              folded={same}
            />
          </li>
        );
      })}
      {steps.length > shown ? (
        <li className="more-steps">
          <Button
            onClick={() => setShown((now) => now + atOnce)}
          >{`Show ${Math.min(atOnce, steps.length - shown)} more of ${steps.length} steps`}</Button>
        </li>
      ) : null}
    </ol>
  );
}

const isSame = ({ a, b }: Row): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.nodeId !== b.nodeId &&
  JSON.stringify([a.output, a.context, gapWords(a)]) === JSON.stringify([b.output, b.context, gapWords(b)]);

/** Ids of gaps are drawn anew each time. */
const gapWords = ({ gaps }: StepCompared): readonly string[] =>
  gaps.map(({ reason, detail, severity }) => `${severity} ${reason} ${detail}`);

interface SideProps {
  readonly name: 'A' | 'B';
  readonly at: StepCompared | undefined;
  /** The same step on the other side, where what differs is to be marked. */
  readonly other: StepCompared | undefined;
  readonly link: { readonly sessionId: string; readonly runId: string };
  readonly folded: boolean;
}

function Side({ name, at, other, link, folded }: SideProps) {
  if (at === undefined) {
    return (
      <div className={`compared-side ${name.toLowerCase()}`}>
        <p className="quiet small">Not done on {name}</p>
      </div>
    );
  }
  const { output, gaps, context } = at;
  const patch = Object.keys(context);
  const body = (
    <>
      {output.notes === undefined ? (
        <p className="quiet">No notes.</p>
      ) : (
        <DifferingNotes value={output.notes} other={folded ? undefined : other?.output.notes} />
      )}
      <DifferingArtifacts artifacts={output.artifacts} others={folded ? undefined : other?.output.artifacts} />
      <GapList gaps={gaps} />
      {patch.length === 0 ? null : (
        <Folded kind="Context set" hint={patch.join(', ')}>
          <ValueTold value={context} />
        </Folded>
      )}
    </>
  );
  return (
    <div className={`compared-side ${name.toLowerCase()}`}>
      <p className="small quiet">
        <strong>{name}</strong>{' '}
        <Link to={{ view: 'session', ...link, nodeId: at.nodeId }} aria-label={`Done on ${name}, open the next step`}>
          done
        </Link>{' '}
        <TimeTold at={at.at} />
      </p>
      {folded ? <Folded kind="Output">{body}</Folded> : body}
    </div>
  );
}
