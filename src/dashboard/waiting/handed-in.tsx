import type { WaitingTold } from '../../contract/question-told.js';
import { visibleText } from '../../render/visible-text.js';
import { Folded } from '../parts/folded.js';
import { Markdown } from '../parts/markdown.js';
import { ArtifactList } from '../step/artifact-list.js';
import { ValueTold } from '../step/value-told.js';
import { InCode } from '../parts/in-code.js';

/** Notes longer than this are folded. */
const longNotes = 1200;

/** The draft that an answer is about. */
export function HandedIn({
  handedIn,
  sends,
}: Pick<WaitingTold, 'handedIn'> & {
  /** It is a request, and WorkRail sends it. */
  readonly sends: boolean;
}) {
  const { notes, artifacts = [], context, gaps = [] } = handedIn;
  const isLong = !sends && notes !== undefined && notes.length > longNotes;
  return (
    <section className="handed-in" aria-label={sends ? 'What WorkRail sends' : 'What the agent sent'}>
      <p className="kicker">{sends ? 'Request' : 'Handed in'}</p>
      {notes === undefined ? (
        sends ? null : (
          <p className="quiet">No notes.</p>
        )
      ) : isLong ? (
        <Folded kind="Notes" hint={visibleText(notes.slice(0, 200).replaceAll('\n', ' '))}>
          <Markdown text={notes} />
        </Folded>
      ) : (
        <Markdown text={notes} />
      )}
      <ArtifactList artifacts={artifacts} />
      {gaps.map((gap) => (
        <p key={gap} className="aside warning said">
          <strong>Gap</strong> <InCode text={gap} />
        </p>
      ))}
      {context === undefined ? null : (
        <Folded kind="Context" hint={Object.keys(context).join(', ')}>
          <ValueTold value={context} />
        </Folded>
      )}
    </section>
  );
}
