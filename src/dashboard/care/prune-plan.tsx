import { useState } from 'react';
import { plural } from '../../base/plural.js';
import type { PruneAnswer, PruneEntry } from '../../contract/prune-answers.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Button } from '../parts/button.js';
import { TimeTold } from '../parts/time-told.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { sizeWords } from '../parts/size-words.js';

export interface PrunePlanProps {
  readonly told: PruneAnswer;
  readonly busy: boolean;
  readonly onMove: (only: readonly { readonly sessionId: string; readonly folder: string }[]) => void;
}

const keyOf = ({ folder, sessionId }: PruneEntry): string => `${folder}\n${sessionId}`;
const counted = (count: number): string => plural(count, 'session');
const places = { given: 'named folder', project: 'this project', user: 'your own folder' } as const;
/** Only what has been shown is moved; the rest waits for its turn. */
const shownAtOnce = 500;

/** What would go, or went: each can be left out before anything is moved. */
export function PrunePlan({ told, busy, onMove }: PrunePlanProps) {
  const { pruned, spared, trash, dryRun, inGit } = told;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const shown = pruned.slice(0, shownAtOnce);
  const chosen = shown.filter((entry) => !left.has(keyOf(entry)));
  const size = chosen.reduce((sum, { bytes }) => sum + bytes, 0);
  const toggle = (key: string): void =>
    setLeft((now) => (now.has(key) ? new Set([...now].filter((one) => one !== key)) : new Set([...now, key])));
  return (
    <div className="prune-plan" role="region" aria-label={dryRun ? 'To prune' : 'Pruned'}>
      <p>
        <strong>
          {dryRun
            ? pruned.length === 0
              ? 'Nothing to prune.'
              : `${counted(pruned.length)} to prune.`
            : `${counted(pruned.length)} moved to the trash.`}
        </strong>{' '}
        {dryRun ? 'Nothing was moved.' : 'They stay in local/trash of their folder until the next prune deletes them.'}
      </p>
      {pruned.length === 0 ? null : <PruneTable entries={shown} dryRun={dryRun} left={left} onToggle={toggle} />}
      {pruned.length > shownAtOnce ? (
        <p className="quiet">And {pruned.length - shownAtOnce} more; prune these first.</p>
      ) : null}
      {spared.length === 0 ? null : (
        <Folded kind={`${counted(spared.length)} old enough, but kept`}>
          <ul className="told-list">
            {spared.slice(0, shownAtOnce).map((entry) => (
              <li key={keyOf(entry)}>
                {visibleTitle(entry.about)}{' '}
                <span className="quiet">
                  <InCode text={entry.message} />
                </span>
              </li>
            ))}
          </ul>
        </Folded>
      )}
      {trash.sessions === 0 ? null : (
        <p className="quiet">
          {counted(trash.sessions)} in the trash ({sizeWords(trash.bytes)}) {dryRun ? 'would be' : 'were'} deleted
          permanently.
        </p>
      )}
      {inGit ? <p className="quiet">Committed files stay in git’s history.</p> : null}
      {dryRun && pruned.length > 0 ? (
        <div className="actions">
          <Button
            look="grave"
            disabled={busy || chosen.length === 0}
            onClick={() => onMove(chosen.map(({ sessionId, folder }) => ({ sessionId, folder })))}
          >
            {`Move ${counted(chosen.length)} to the trash (${sizeWords(size)})`}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

interface PruneTableProps {
  readonly entries: readonly PruneEntry[];
  readonly dryRun: boolean;
  /** Keys of those that somebody wants to stay. */
  readonly left: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
}

function PruneTable({ entries, dryRun, left, onToggle }: PruneTableProps) {
  return (
    <div className="table-frame">
      <table className="prune-table">
        <caption className="for-readers-only">{dryRun ? 'Sessions to prune' : 'Pruned sessions'}</caption>
        <thead>
          <tr>
            {dryRun ? <th scope="col">Prune</th> : null}
            <th scope="col">Session</th>
            <th scope="col">Last activity</th>
            <th scope="col">Size</th>
            <th scope="col">In</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={keyOf(entry)}>
              {dryRun ? (
                <td>
                  <input
                    type="checkbox"
                    checked={!left.has(keyOf(entry))}
                    aria-label={`Prune ${entry.sessionId}`}
                    onChange={() => onToggle(keyOf(entry))}
                  />
                </td>
              ) : null}
              <th scope="row">
                {visibleTitle(entry.about)} <span className="quiet small">{entry.sessionId}</span>
              </th>
              <td>
                <TimeTold at={entry.lastAt} />
              </td>
              <td className="figures">{sizeWords(entry.bytes)}</td>
              <td className="small quiet" title={entry.folder}>
                {places[entry.place]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
