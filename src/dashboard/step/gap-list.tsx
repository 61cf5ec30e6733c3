import type { GapStory } from '../../contract/session-story.js';
import { wordsOf } from './json-told.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { own } from '../../base/own.js';

/** More than this are folded away. */
const atOnce = 4;

const tones: Readonly<Record<string, string>> = { critical: 'grave', warning: 'warning', info: 'waiting' };

/** What was assumed, skipped or missing. */
export function GapList({ gaps }: { readonly gaps: readonly GapStory[] }) {
  const [first, rest] = gaps.length > atOnce + 1 ? [gaps.slice(0, atOnce), gaps.slice(atOnce)] : [gaps, []];
  return (
    <>
      {first.map(gapTold)}
      {rest.length === 0 ? null : <Folded kind={`${rest.length} more gaps`}>{rest.map(gapTold)}</Folded>}
    </>
  );
}

function gapTold(gap: GapStory) {
  return (
    <div key={gap.id} className={gap.resolved ? 'aside' : `aside ${own(tones, gap.severity) ?? 'warning'}`}>
      <p>
        <strong>{gap.resolved ? 'Gap, resolved since' : 'Gap'}</strong>{' '}
        <span className="quiet">{[gap.severity, wordsOf(gap.reason).toLowerCase()].join(', ')}</span>
      </p>
      <p className="said">
        <InCode text={gap.detail} />
      </p>
      {gap.assumption === undefined ? null : (
        <p className="said">
          <span className="quiet">Assumed:</span> <InCode text={gap.assumption} />
        </p>
      )}
      {gap.settled === undefined ? null : (
        <p className="said">
          <span className="quiet">
            Settled by the {gap.settled.who}
            {gap.settled.path === '' ? '' : ` at ${gap.settled.path}`}:
          </span>{' '}
          <InCode text={gap.settled.how} />
        </p>
      )}
    </div>
  );
}
