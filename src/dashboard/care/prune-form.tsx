import { useQueryClient } from '@tanstack/react-query';
import { plural } from '../../base/plural.js';
import { type FormEvent, useId, useState } from 'react';
import type { PruneAnswer } from '../../contract/prune-answers.js';
import { changes } from '../api/changes.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { PrunePlan } from './prune-plan.js';
import { failureWords } from '../api/failure-words.js';
import { InCode } from '../parts/in-code.js';

/** As `workrail prune` has it where no age is given. */
const usual = 90;

/** Old sessions: first only shown, then moved to the trash where somebody says so. */
export function PruneForm() {
  const field = useId();
  const client = useQueryClient();
  const [days, setDays] = useState(String(usual));
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const [told, setTold] = useState<PruneAnswer>();
  const [asked, setAsked] = useState(usual);
  const run = async (ask: () => Promise<PruneAnswer>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailed(undefined);
    try {
      const answer = await ask();
      setTold(answer);
      announce(
        answer.dryRun
          ? `${plural(answer.pruned.length, 'session')} would be pruned. Nothing was moved.`
          : `${plural(answer.pruned.length, 'session')} moved to the trash.`,
      );
      if (!answer.dryRun) await client.invalidateQueries();
    } catch (cause) {
      setFailed(failureWords(cause));
    } finally {
      setBusy(false);
    }
  };
  const look = (event: FormEvent): void => {
    event.preventDefault();
    const olderThanDays = Number(days);
    if (!Number.isInteger(olderThanDays) || olderThanDays < 0) {
      setFailed('Enter a whole number of days.');
      return;
    }
    setAsked(olderThanDays);
    void run(() => changes.prune({ dryRun: true, olderThanDays }));
  };
  return (
    <>
      <form className="prune-form" onSubmit={look}>
        <label htmlFor={field}>Inactive for</label>
        <input
          id={field}
          type="number"
          min={0}
          max={36_500}
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
        <span>days</span>
        <Button submit look="main" disabled={busy}>
          Preview
        </Button>
        <span className="quiet small">Nothing is moved yet.</span>
      </form>
      {failed === undefined ? null : (
        <p className="grave" role="alert">
          <InCode text={failed} />
        </p>
      )}
      {told === undefined ? null : (
        <PrunePlan
          key={`${told.before} ${String(told.dryRun)}`}
          told={told}
          busy={busy}
          onMove={(only) => void run(() => changes.prune({ dryRun: false, olderThanDays: asked, only }))}
        />
      )}
    </>
  );
}
