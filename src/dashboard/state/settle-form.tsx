import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useId, useState } from 'react';
import type { SettleBody } from '../../contract/state-routes.js';
import { ApiFailure } from '../api/api-failure.js';
import { changes } from '../api/changes.js';
import { failureWords } from '../api/failure-words.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { InCode } from '../parts/in-code.js';
import { visibleText } from '../../render/visible-text.js';

export interface SettleFormProps {
  readonly sessionId: string;
  readonly stateId: string;
  /** Etag of the version whose change it is. */
  readonly conflict: string;
  /** The state can only be read: nothing can be made any more. */
  readonly closed: boolean;
}

/** Whoever looks at a conflict says what becomes of the change. */
export function SettleForm({ sessionId, stateId, conflict, closed }: SettleFormProps) {
  const client = useQueryClient();
  const field = useId();
  const [reason, setReason] = useState('');
  const settling = useMutation({
    mutationFn: (how: SettleBody['how']) =>
      changes.settle(stateId, { conflict, how, ...(reason.trim() !== '' && { reason: reason.trim() }) }),
    onSuccess: async ({ version }, how) => {
      announce(how === 'apply' ? `The change was made. Version ${version}.` : 'The change was left out.');
      await client.invalidateQueries({ queryKey: ['session', sessionId] });
    },
  });
  const settle = (how: SettleBody['how']): void => {
    if (!settling.isPending) settling.mutate(how);
  };
  const leave = (event: SyntheticEvent): void => event.preventDefault();
  return (
    <form className="settle-form" onSubmit={leave}>
      <label htmlFor={field} className="small">
        Reason <span className="quiet">(optional)</span>
      </label>
      <input
        id={field}
        type="text"
        value={reason}
        maxLength={1000}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="actions">
        {closed ? null : (
          <Button onClick={() => settle('apply')} disabled={settling.isPending}>
            Make the change now
          </Button>
        )}
        <Button onClick={() => settle('leave')} disabled={settling.isPending}>
          Leave it out
        </Button>
      </div>
      {settling.error === null ? null : <Refused error={settling.error} />}
    </form>
  );
}

/** Why it was not taken, and where that is in the document. */
function Refused({ error }: { readonly error: Error }) {
  const violations = error instanceof ApiFailure ? (error.told?.violations ?? []) : [];
  return (
    <div role="alert" className="grave">
      <p>
        <InCode text={failureWords(error)} />
      </p>
      <ul>
        {violations.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{visibleText(path)}</code> <InCode text={message} />
          </li>
        ))}
      </ul>
    </div>
  );
}
