import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { changes } from '../api/changes.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { failureWords } from '../api/failure-words.js';
import { InCode } from '../parts/in-code.js';

export interface NoteFormProps {
  readonly sessionId: string;
  /** The step it stands at; without one it is of the whole session. */
  readonly nodeId?: string;
  /** Why none can be written. */
  readonly closed: string | undefined;
  /** Called when what is shown has it. */
  readonly onWritten?: () => void;
}

/** What a person has to say, on a step or on the whole session. */
export function NoteForm({ sessionId, nodeId, closed, onWritten }: NoteFormProps) {
  const client = useQueryClient();
  const field = useId();
  const [text, setText] = useState('');
  const [state, setState] = useState<'ready' | 'sending' | { readonly failed: string }>('ready');
  const send = async (): Promise<void> => {
    if (text.trim() === '' || state === 'sending') return;
    setState('sending');
    try {
      await changes.addNote(sessionId, { text, ...(nodeId !== undefined && { node: nodeId }) });
      setText('');
      setState('ready');
      announce('Note added.');
      await client.invalidateQueries({ queryKey: ['session', sessionId] });
      onWritten?.();
    } catch (cause) {
      setState({ failed: failureWords(cause) });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  if (closed !== undefined) return <p className="quiet">{closed}</p>;
  return (
    <form className="note-form field" onSubmit={submit}>
      <label htmlFor={field}>{nodeId === undefined ? 'Add a note to the session' : 'Add a note to this step'}</label>
      <textarea
        id={field}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => (event.key === 'Enter' && (event.ctrlKey || event.metaKey) ? submit(event) : undefined)}
      />
      {text === '' ? null : (
        <div className="actions">
          <Button submit small disabled={state === 'sending'}>
            {state === 'sending' ? 'Saving …' : 'Add note'}
          </Button>
          <span className="quiet small">Markdown; Ctrl+Enter to add</span>
        </div>
      )}
      {typeof state === 'object' ? (
        <p className="grave" role="alert">
          <InCode text={state.failed} />
        </p>
      ) : null}
    </form>
  );
}
