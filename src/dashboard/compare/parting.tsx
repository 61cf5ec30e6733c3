import type { NodeRef, NodesCompared } from '../../contract/http-api.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Link } from '../router/link.js';
import { BranchSum } from './branch-sum.js';

const rails = ['M28 0V10C28 24 10 20 10 36V48', 'M28 0V10C28 24 46 20 46 36V48'];
const apart = ['M10 0V48', 'M46 0V48'];

/** Where the two branches diverged, drawn as the switch that it is, with what came of each; two lines that never met where they are of different runs. */
export function Parting({ compared }: { readonly compared: NodesCompared }) {
  const { sessionId, ancestor, a, b } = compared;
  const paths = ancestor === undefined ? apart : rails;
  return (
    <div className="parting">
      <p className="parting-from">
        {ancestor === undefined ? (
          'Two runs with no step in common.'
        ) : (
          <>
            Common step:{' '}
            <Link to={{ view: 'session', sessionId, runId: ancestor.runId, nodeId: ancestor.nodeId }}>
              {placeWords(ancestor)}
            </Link>
          </>
        )}
      </p>
      <BranchSum name="A" end={a} compared={compared} />
      <div className="fork" aria-hidden="true">
        <svg viewBox="0 0 56 48" width="56" height="48">
          {paths.map((path) => (
            <path
              key={`s${path}`}
              d={path}
              fill="none"
              stroke="var(--sleeper)"
              strokeWidth="12"
              strokeDasharray="2 4.5"
            />
          ))}
          {paths.map((path) => (
            <path
              key={`r${path}`}
              d={path}
              fill="none"
              stroke={path === paths[0] ? 'var(--accent)' : 'var(--side)'}
              strokeWidth="6"
            />
          ))}
          {paths.map((path) => (
            <path key={`g${path}`} d={path} fill="none" stroke="var(--paper)" strokeWidth="3" />
          ))}
          {ancestor === undefined ? null : (
            <path d="M28 6l5 6-5 6-5-6z" fill="var(--ink)" stroke="var(--paper)" strokeWidth="1.5" />
          )}
        </svg>
        <div className="two-rails">
          <span className="rail" />
          <span className="rail" />
        </div>
      </div>
      <BranchSum name="B" end={b} compared={compared} />
    </div>
  );
}

export const placeWords = ({ title }: NodeRef): string => visibleTitle(title ?? 'the end of the run');
