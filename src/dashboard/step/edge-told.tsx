import type { EdgeStory } from '../../contract/session-story.js';
import { Markdown } from '../parts/markdown.js';
import { ArtifactList } from './artifact-list.js';
import { GapList } from './gap-list.js';
import { ValueTold } from './value-told.js';

/** What was handed in for a step, and what followed from it on the way to the next. */
export function EdgeTold({ edge }: { readonly edge: EdgeStory }) {
  const { output, gaps, warnings, skipped, context, confirmed } = edge;
  const patch = Object.keys(context).length > 0;
  return (
    <>
      {output.notes === undefined ? <p className="quiet">No notes were left.</p> : <Markdown text={output.notes} />}
      <ArtifactList artifacts={output.artifacts} />
      <GapList gaps={gaps} />
      {warnings.map(({ code, message }) => (
        <p key={`${code} ${message}`} className="aside warning">
          <strong>Warning</strong> {message}
        </p>
      ))}
      {patch ? (
        <details className="artifact">
          <summary>
            <span className="kind">Context handed in</span>
            <span className="quiet small one-line">{Object.keys(context).join(', ')}</span>
          </summary>
          <ValueTold value={context} />
        </details>
      ) : null}
      {skipped.length === 0 ? null : (
        <details className="artifact">
          <summary>
            <span className="kind">
              {skipped.length === 1 ? 'One step was passed over' : `${skipped.length} steps were passed over`}
            </span>
          </summary>
          <ul className="told-list">
            {skipped.map(({ path, title, reason }) => (
              <li key={path}>
                {title} <span className="quiet">{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {confirmed ? <p className="quiet small">Confirmed by the user.</p> : null}
    </>
  );
}
