import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PreferencesTold } from '../../contract/people-answers.js';
import { changes } from '../api/changes.js';
import { queries } from '../api/queries.js';
import { Dialog } from '../parts/dialog.js';
import { NotYet } from '../parts/state-notice.js';
import { visibleTitle } from '../../render/visible-text.js';
import { PreferencesForm } from './preferences-form.js';
import { InCode } from '../parts/in-code.js';

export interface SessionPreferencesDialogProps {
  readonly sessionId: string;
  /** One step that waits: only from there on. */
  readonly nodeId?: string;
  /** What is shown elsewhere has followed. */
  readonly onChanged?: () => void;
  readonly onClose: () => void;
}

/** How the work of one session is to be done from the step that waits. */
export function SessionPreferencesDialog({ sessionId, nodeId, onChanged, onClose }: SessionPreferencesDialogProps) {
  const client = useQueryClient();
  const query = queries.preferencesIn(sessionId, nodeId);
  const asked = useQuery(query);
  const session = asked.data?.session;
  return (
    <Dialog title={nodeId === undefined ? 'Session preferences' : 'Mode from this step on'} onClose={onClose}>
      {asked.data === undefined || session === undefined ? (
        <NotYet asked={asked} what="the preferences" lines={4} place="here" />
      ) : (
        <>
          <p>{appliesTo(session, nodeId)}</p>
          {asked.data.warnings.map(({ message }) => (
            <p className="aside warning" key={message}>
              <InCode text={message} />
            </p>
          ))}
          <PreferencesForm
            key={JSON.stringify(session)}
            inForce={session.run?.preferences ?? session.preferences}
            modes={asked.data.modes}
            choose={(body) =>
              changes.chooseInSession(sessionId, { ...body, ...(nodeId !== undefined && { node: nodeId }) })
            }
            onChosen={(told) => {
              client.setQueryData(query.queryKey, told);
              void client.invalidateQueries({ queryKey: ['session', sessionId] }).then(onChanged);
            }}
          />
        </>
      )}
    </Dialog>
  );
}

function appliesTo({ run }: NonNullable<PreferencesTold['session']>, nodeId: string | undefined): string {
  const recorded = 'The log records that you changed it here.';
  if (run === undefined) return 'No run is open. This applies to new runs of this session.';
  if (nodeId === undefined)
    return `This applies from the next step of “${visibleTitle(run.title)}”, and to new runs of this session. ${recorded}`;
  return `This applies from “${visibleTitle(run.step)}” on, on this branch of “${visibleTitle(run.title)}”, and no other branch. New runs of this session keep its preferences. ${recorded}`;
}
