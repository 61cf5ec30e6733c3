import { useQuery, useQueryClient } from '@tanstack/react-query';
import { changes } from '../api/changes.js';
import { queries } from '../api/queries.js';
import { Dialog } from '../parts/dialog.js';
import { NotYet } from '../parts/state-notice.js';
import { visibleTitle } from '../../render/visible-text.js';
import { PreferencesForm } from './preferences-form.js';
import { InCode } from '../parts/in-code.js';

/** How the work of one session is to be done from the step that waits. */
export function SessionPreferencesDialog({
  sessionId,
  onClose,
}: {
  readonly sessionId: string;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const query = queries.preferences(sessionId);
  const asked = useQuery(query);
  const session = asked.data?.session;
  return (
    <Dialog title="Session preferences" onClose={onClose}>
      {asked.data === undefined || session === undefined ? (
        <NotYet asked={asked} what="the preferences" lines={4} place="here" />
      ) : (
        <>
          <p>
            {session.run === undefined
              ? 'No run is open. This applies to new runs of this session.'
              : `This applies from the next step of “${visibleTitle(session.run.title)}”, and to new runs of this session. The log records that you changed it here.`}
          </p>
          {asked.data.warnings.map(({ message }) => (
            <p className="aside warning" key={message}>
              <InCode text={message} />
            </p>
          ))}
          <PreferencesForm
            key={JSON.stringify(session)}
            inForce={session.run?.preferences ?? session.preferences}
            modes={asked.data.modes}
            choose={(body) => changes.choosePreferences(body, sessionId)}
            onChosen={(told) => {
              client.setQueryData(query.queryKey, told);
              void client.invalidateQueries({ queryKey: ['session', sessionId] });
            }}
          />
        </>
      )}
    </Dialog>
  );
}
