import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../base/plural.js';
import type { CatalogDetail } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { changes } from '../api/changes.js';
import { failureWords } from '../api/failure-words.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { InCode } from '../parts/in-code.js';
import { navigate } from '../router/navigate.js';
import { catalogsChanged } from './catalogs-changed.js';

export interface RemoveDialogProps {
  readonly detail: CatalogDetail;
  readonly onClose: () => void;
}

/** Asks before a catalog goes to the trash, and says who will miss it. */
export function RemoveDialog({ detail: { catalog, workflows }, onClose }: RemoveDialogProps) {
  const client = useQueryClient();
  const [whole, setWhole] = useState(true);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const { catalogId, title, path, revision } = catalog;
  const remove = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailed(undefined);
    try {
      await changes.removeCatalog(catalogId, { revision, document: whole });
      announce(`${title} was moved to the trash.`);
      onClose();
      navigate({ view: 'catalogs' });
      await catalogsChanged(client);
    } catch (cause) {
      setFailed(failureWords(cause));
      setBusy(false);
      await client.invalidateQueries({ queryKey: ['catalogs'] });
    }
  };
  return (
    <Dialog title={`Remove ${visibleTitle(title)}?`} onClose={onClose}>
      <p>
        <code>{path}</code> is moved to the trash of WorkRail.
      </p>
      {workflows.length === 0 ? (
        <p className="quiet">No workflow runs its commands.</p>
      ) : (
        <div className="aside warning">
          <p>{plural(workflows.length, 'workflow')} can no longer be started:</p>
          <ul className="told-list">
            {workflows.map(({ id, title: name }) => (
              <li key={id}>
                {visibleTitle(name)} <code className="quiet small">{id}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      <label className="check-line">
        <input type="checkbox" checked={whole} onChange={(event) => setWhole(event.target.checked)} />
        <span>Also remove its document; otherwise it stays for a later import</span>
      </label>
      {failed === undefined ? null : (
        <p className="grave" role="alert">
          <InCode text={failed} />
        </p>
      )}
      <div className="actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="grave" onClick={() => void remove()} disabled={busy}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
