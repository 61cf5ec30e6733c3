import { useQuery, useQueryClient } from '@tanstack/react-query';
import { changes } from '../api/changes.js';
import { queries } from '../api/queries.js';
import { useCommandLine } from '../api/use-command-line.js';
import { NotYet } from '../parts/state-notice.js';
import { PreferencesForm } from '../preferences/preferences-form.js';

/** What new sessions begin with. */
export function PreferencesView() {
  const client = useQueryClient();
  const query = queries.preferences();
  const asked = useQuery(query);
  const inShell = useCommandLine();
  return (
    <div className="preferences-view">
      <h1>Preferences</h1>
      <section aria-labelledby="preferences-new">
        <h2 id="preferences-new">New sessions</h2>
        <p>
          These apply to every session you start from now on, in any project. Sessions in progress keep their own; to
          change those, use <strong>Preferences</strong> next to the title of the session.
        </p>
        {asked.data === undefined ? (
          <NotYet asked={asked} what="the preferences" lines={4} place="here" />
        ) : (
          <>
            <PreferencesForm
              key={JSON.stringify(asked.data.global)}
              inForce={asked.data.global}
              modes={asked.data.modes}
              choose={(body) => changes.choosePreferences(body)}
              onChosen={(told) => void client.setQueryData(query.queryKey, told)}
            />
            <p className="quiet small">
              Saved in <code>{asked.data.file}</code>; <code>{inShell(['prefs', '--global'])}</code> shows the same.
            </p>
          </>
        )}
      </section>
    </div>
  );
}
