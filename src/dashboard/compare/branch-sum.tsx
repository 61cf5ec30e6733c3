import { plainWords, shortened } from '../../contract/plain-words.js';
import { plural } from '../../base/plural.js';
import type { NodeRef, NodesCompared, StepCompared } from '../../contract/http-api.js';
import { visibleText, visibleTitle } from '../../render/visible-text.js';
import { InCode } from '../parts/in-code.js';
import { wordsOf } from '../step/json-told.js';

export interface BranchSumProps {
  readonly name: 'A' | 'B';
  readonly end: NodeRef;
  readonly compared: NodesCompared;
}

/** Notes are told as far as this here. */
const longest = 280;

/** One branch in short: how far it came, what it left, what it said last. */
export function BranchSum({ name, end, compared }: BranchSumProps) {
  const side = name === 'A' ? 'a' : 'b';
  const done = compared.steps.flatMap((row): StepCompared | readonly StepCompared[] => row[side] ?? []);
  const kinds = [...new Set(done.flatMap(({ output }) => output.artifacts.map(({ kind }) => kindWords(kind))))];
  const gaps = done.flatMap((step) => step.gaps);
  const notes = done.findLast(({ output }) => output.notes !== undefined)?.output.notes;
  return (
    <div className={`branch-sum ${side}`}>
      <p>
        <strong>{name}</strong> {end.branch === undefined ? '' : `Branch ${end.branch}: `}
        {end.path === undefined ? 'Complete' : `At ${visibleTitle(end.title ?? end.path)}`}
        <span className="quiet">
          {', '}
          {done.length === 0 ? 'no steps since' : `${plural(done.length, 'step')} since`}
        </span>
      </p>
      {kinds.length === 0 ? null : (
        <p className="small">
          <span className="quiet">{kinds.length === 1 ? 'Artifact: ' : 'Artifacts: '}</span>
          {kinds.join(', ')}
        </p>
      )}
      {gaps.map(({ id, severity, detail, resolved }) => (
        <p key={id} className="small said">
          <span className={resolved ? 'quiet' : 'warning'}>
            {resolved ? 'Resolved gap' : `Gap (${wordsOf(severity).toLowerCase()})`}:{' '}
          </span>
          <InCode text={detail} />
        </p>
      ))}
      {notes === undefined ? null : (
        <p className="small said">
          <span className="quiet">Last notes: </span>
          {shortened(visibleText(plainWords(notes)), longest)}
        </p>
      )}
    </div>
  );
}

const kindWords = (kind: unknown): string => (typeof kind === 'string' ? visibleTitle(kind) : 'artifact');
