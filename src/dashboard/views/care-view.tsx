import { useQuery } from '@tanstack/react-query';
import type { DoctorReport } from '../../contract/doctor-answers.js';
import { queries } from '../api/queries.js';
import { useCommandLine } from '../api/use-command-line.js';
import { ImportButton } from '../bundles/import-button.js';
import { FindingsTold } from '../care/findings-told.js';
import { PruneForm } from '../care/prune-form.js';
import { Button } from '../parts/button.js';
import { retentionWords } from '../../render/retention-words.js';
import { NotYet } from '../parts/state-notice.js';
import { useTimeWords } from '../parts/time-told.js';
import '../step/step.css';
import '../care/care.css';

/** Whether all that lies on disk is sound, what comes in, and what may go. */
export function CareView() {
  return (
    <div className="care-view">
      <h1>Maintenance</h1>
      <section aria-labelledby="care-doctor">
        <h2 id="care-doctor">Health check</h2>
        <Doctor />
      </section>
      <section aria-labelledby="care-import">
        <h2 id="care-import">Import a session</h2>
        <p>
          Drop a bundle from <code>workrail export</code> anywhere on this page, or choose a file. It is checked in full
          before anything is imported.
        </p>
        <ImportButton />
      </section>
      <section aria-labelledby="care-prune">
        <h2 id="care-prune">Prune old sessions</h2>
        <RetentionTold />
        <PruneForm />
      </section>
    </div>
  );
}

/** What goes by itself, where somebody has switched that on. */
function RetentionTold() {
  const when = useTimeWords();
  const inShell = useCommandLine();
  const { data } = useQuery(queries.doctor());
  const words = data === undefined ? [] : retentionWords(data.retention, when);
  return words.length === 0 ? null : (
    <p>
      {words.join(' ')} <code>{inShell(['retention'])}</code> shows details.
    </p>
  );
}

const counted = new Intl.NumberFormat('en-GB');

function Doctor() {
  const asked = useQuery(queries.doctor());
  const { data, isFetching } = asked;
  if (data === undefined)
    return asked.error === null ? (
      <p className="aside checking" role="status">
        Checking every session …
      </p>
    ) : (
      <NotYet asked={asked} what="the health check" lines={3} place="here" />
    );
  return (
    <>
      <p className={data.sound ? 'aside good' : 'aside grave'} role="status">
        <strong>{verdict(data)}</strong>{' '}
        {data.sessions === 1 ? '1 session was' : `${counted.format(data.sessions)} sessions were`} read,{' '}
        {counted.format(data.events)} events, in {data.roots.map(({ folder }) => folder).join(' and ')}.
      </p>
      {data.findings.length === 0 ? null : <FindingsTold report={data} />}
      <div className="actions">
        <Button onClick={() => void asked.refetch()} disabled={isFetching}>
          {isFetching ? 'Checking …' : 'Check again'}
        </Button>
      </div>
    </>
  );
}

function verdict({ sound, findings }: DoctorReport): string {
  if (!sound) return 'Problems found on disk. Everything readable is still shown; nothing was changed.';
  return findings.length === 0 ? 'No problems found.' : 'No session is damaged; see the notes below.';
}
