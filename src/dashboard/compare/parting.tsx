import type { NodeRef, NodesCompared } from '../../contract/http-api.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Link } from '../router/link.js';

const rails = ['M150 4V24C150 46 36 34 36 62V96', 'M150 4V24C150 46 264 34 264 62V96'];
const apart = ['M36 4V96', 'M264 4V96'];

/** Where the two tracks part, drawn as the switch that it is; two lines that never met where they are of different runs. */
export function Parting({ compared }: { readonly compared: NodesCompared }) {
  const { sessionId, ancestor, steps } = compared;
  const [onA, onB] = [steps.filter(({ a }) => a !== undefined).length, steps.filter(({ b }) => b !== undefined).length];
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
      <p className="count-a">
        <strong>A</strong> {counted(onA)}
      </p>
      <svg viewBox="0 0 300 96" width="300" height="96" aria-hidden="true">
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
          <path d="M150 17l5 6-5 6-5-6z" fill="var(--ink)" stroke="var(--paper)" strokeWidth="1.5" />
        )}
      </svg>
      <p className="count-b">
        <strong>B</strong> {counted(onB)}
      </p>
    </div>
  );
}

const counted = (count: number): string =>
  count === 0 ? 'no steps since' : count === 1 ? '1 step since' : `${count} steps since`;

export const placeWords = ({ title }: NodeRef): string => visibleTitle(title ?? 'the end of the run');
