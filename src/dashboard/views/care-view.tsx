import { useQuery } from '@tanstack/react-query';
import type { DoctorReport } from '../../contract/doctor-answers.js';
import { queries } from '../api/queries.js';
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
      <h1>Care</h1>
      <section aria-labelledby="care-doctor">
        <h2 id="care-doctor">Is everything sound?</h2>
        <Doctor />
      </section>
      <section aria-labelledby="care-import">
        <h2 id="care-import">Bring in a session</h2>
        <p>
          Drop a bundle that <code>workrail export</code> wrote anywhere on this page, or choose it. All of it is
          checked before anything is kept.
        </p>
        <ImportButton />
      </section>
      <section aria-labelledby="care-prune">
        <h2 id="care-prune">Let old sessions go</h2>
        <RetentionTold />
        <PruneForm />
      </section>
    </div>
  );
}

/** What goes by itself, where somebody has switched that on. */
function RetentionTold() {
  const when = useTimeWords();
  const { data } = useQuery(queries.doctor());
  const words = data === undefined ? [] : retentionWords(data.retention, when);
  return words.length === 0 ? null : (
    <p>
      {words.join(' ')} <code>workrail retention</code> says more.
    </p>
  );
}

const counted = new Intl.NumberFormat('en-GB');

function Doctor() {
  const asked = useQuery(queries.doctor());
  const { data, isFetching } = asked;
  if (data === undefined) return <NotYet asked={asked} what="what the doctor says" lines={3} place="here" />;
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
          {isFetching ? 'Reading everything …' : 'Look again'}
        </Button>
      </div>
    </>
  );
}

function verdict({ sound, findings }: DoctorReport): string {
  if (!sound) return 'Something is wrong on disk. What can be read is shown as ever; nothing was changed.';
  return findings.length === 0 ? 'Everything is sound.' : 'No session is damaged. There is something to know.';
}
