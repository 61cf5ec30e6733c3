import type { SessionHead } from '../../contract/session-story.js';
import { Markdown } from '../parts/markdown.js';
import { TimeTold } from '../parts/time-told.js';
import { NoteForm } from './note-form.js';

/** What was written down beside the runs, by a person or an agent; the newest last, so that nothing moves when one comes. */
export function SessionNotes({
  session,
  closed,
}: {
  readonly session: SessionHead;
  readonly closed: string | undefined;
}) {
  const notes = [
    ...session.notes.map(({ event, at, text }) => ({ event, at, text })),
    ...session.checkpoints.map(({ event, at, output }) => ({ event, at, text: output.notes ?? '' })),
  ]
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.at.localeCompare(b.at));
  return (
    <section className="session-notes" aria-label="Session notes">
      <h2 className="kicker">Notes</h2>
      {notes.map(({ event, at, text }) => (
        <div key={event} className="person-note">
          <Markdown text={text} />
          <p className="quiet small">
            <TimeTold at={at} />
          </p>
        </div>
      ))}
      <NoteForm sessionId={session.sessionId} closed={closed} />
    </section>
  );
}
