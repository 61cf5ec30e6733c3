import type { EdgeStory } from '../../contract/session-story.js';
import { sourceWords } from '../../render/command-words.js';
import { Markdown } from '../parts/markdown.js';
import { ArtifactList } from './artifact-list.js';
import { GapList } from './gap-list.js';
import { ValueTold } from './value-told.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** What was handed in for a step, and what followed from it on the way to the next. */
export function EdgeTold({ edge }: { readonly edge: EdgeStory }) {
  const { output, gaps, warnings, skipped, context, added = {}, confirmed, changedSinceDraft, command } = edge;
  const patch = Object.keys(context).length > 0;
  return (
    <>
      {changedSinceDraft === undefined ? null : (
        <p className="aside warning">
          <strong>Changed after it had waited for the user:</strong> {changedSinceDraft.join(', ')}
        </p>
      )}
      {command === undefined ? null : <p className="quiet">{sentence(sourceWords(command))}</p>}
      {output.notes !== undefined ? (
        <Markdown text={output.notes} />
      ) : command === undefined ? (
        <p className="quiet">No notes.</p>
      ) : null}
      <ArtifactList artifacts={output.artifacts} />
      <GapList gaps={gaps} />
      {warnings.map(({ code, message }) => (
        <p key={`${code} ${message}`} className="aside warning">
          <strong>Warning</strong> <InCode text={message} />
        </p>
      ))}
      {patch ? (
        <Folded kind="Context sent" hint={Object.keys(context).join(', ')}>
          <ValueTold value={context} />
        </Folded>
      ) : null}
      {Object.keys(added).length === 0 ? null : (
        <Folded kind="Added to lists" hint={Object.keys(added).join(', ')}>
          <ValueTold value={added} />
        </Folded>
      )}
      {skipped.length === 0 ? null : (
        <Folded kind={skipped.length === 1 ? '1 step skipped' : `${skipped.length} steps skipped`}>
          <ul className="told-list">
            {skipped.map(({ path, title, reason }) => (
              <li key={path}>
                {title}{' '}
                <span className="quiet">
                  <InCode text={reason} />
                </span>
              </li>
            ))}
          </ul>
        </Folded>
      )}
      {confirmed ? <p className="quiet small">Confirmed by the user.</p> : null}
    </>
  );
}
