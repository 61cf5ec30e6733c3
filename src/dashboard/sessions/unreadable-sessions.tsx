import { useCommandLine } from '../api/use-command-line.js';
import type { SessionsPage } from '../../contract/session-list.js';
import { InCode } from '../parts/in-code.js';

/** Sessions of which nothing can be told: never left out in silence. */
export function UnreadableSessions({ unreadable }: { readonly unreadable: SessionsPage['unreadable'] }) {
  const inShell = useCommandLine();
  if (unreadable.length === 0) return null;
  return (
    <details className="unreadable aside grave">
      <summary>
        <strong>
          {unreadable.length === 1 ? 'One session cannot be read.' : `${unreadable.length} sessions cannot be read.`}
        </strong>{' '}
        Nothing was changed or removed; <code>{inShell(['doctor'])}</code> says what to do.
      </summary>
      <ul>
        {unreadable.map(({ sessionId, folder, message }) => (
          <li key={`${folder} ${sessionId ?? ''}`}>
            {sessionId === undefined ? 'Something' : <code>{sessionId}</code>} in <code>{folder}</code>:{' '}
            <InCode text={message} />
          </li>
        ))}
      </ul>
    </details>
  );
}
