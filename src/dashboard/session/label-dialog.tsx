import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { SessionHead } from '../../contract/session-story.js';
import { changes } from '../api/changes.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { failureWords } from '../api/failure-words.js';
import { InCode } from '../parts/in-code.js';

/** A session's title, its tags, and whether it is kept for ever. */
export function LabelDialog({ session, onClose }: { readonly session: SessionHead; readonly onClose: () => void }) {
  const client = useQueryClient();
  const id = useId();
  const [title, setTitle] = useState(session.title ?? '');
  const [tags, setTags] = useState(session.tags.join(', '));
  const [keep, setKeep] = useState(session.keep);
  const [failed, setFailed] = useState<string>();
  const send = async (): Promise<void> => {
    try {
      await changes.label(session.sessionId, {
        ...(title.trim() !== (session.title ?? '') && { title: title.trim() }),
        tags: tagsOf(tags),
        keep,
      });
      announce('Labels saved.');
      onClose();
      await client.invalidateQueries({ queryKey: ['session', session.sessionId] });
    } catch (cause) {
      setFailed(failureWords(cause));
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <Dialog title="Labels" onClose={onClose}>
      <form onSubmit={submit} className="label-form">
        <div className="field">
          <label htmlFor={`${id}-title`}>Title</label>
          <input id={`${id}-title`} type="text" value={title} onChange={(event) => setTitle(event.target.value)} />
        </div>
        <div className="field">
          <label htmlFor={`${id}-tags`}>Tags, separated by commas</label>
          <input id={`${id}-tags`} type="text" value={tags} onChange={(event) => setTags(event.target.value)} />
        </div>
        <label className="choice" htmlFor={`${id}-keep`}>
          <input id={`${id}-keep`} type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} />{' '}
          Never prune
        </label>
        {failed === undefined ? null : (
          <p className="grave" role="alert">
            <InCode text={failed} />
          </p>
        )}
        <div className="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="main" submit>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const tagsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
