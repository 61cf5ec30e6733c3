import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogHere } from '../../contract/catalogs-told.js';
import { changes } from '../api/changes.js';
import { failureWords } from '../api/failure-words.js';
import { announce } from '../parts/announcer.js';
import { InCode } from '../parts/in-code.js';
import { catalogsChanged } from './catalogs-changed.js';

/** Whether workflows may use the commands of a catalog. */
export function EnabledSwitch({ catalog }: { readonly catalog: CatalogHere }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly text: string; readonly tone: 'grave' | 'warning' }>();
  const { catalogId, title, enabled, problem } = catalog;
  const turn = async (): Promise<void> => {
    if (busy || problem !== undefined) return;
    setBusy(true);
    setSaid(undefined);
    try {
      const { warnings } = await changes.enableCatalog(catalogId, !enabled);
      await catalogsChanged(client);
      announce(enabled ? `${title} is disabled.` : `${title} is enabled.`);
      if (warnings.length > 0) setSaid({ text: `${warnings.join('; ')}.`, tone: 'warning' });
    } catch (cause) {
      setSaid({ text: failureWords(cause), tone: 'grave' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="enabled-switch">
      <button
        type="button"
        role="switch"
        aria-checked={enabled}
        aria-disabled={busy || problem !== undefined || undefined}
        aria-label={`${title} enabled`}
        title={
          problem === undefined
            ? enabled
              ? 'Workflows may use its commands'
              : 'Workflows cannot use its commands'
            : 'It cannot be used as it is'
        }
        onClick={() => void turn()}
      >
        <span className="knob" aria-hidden="true" />
        <span aria-hidden="true">{enabled ? 'Enabled' : 'Disabled'}</span>
      </button>
      {said === undefined ? null : (
        <p className={`small ${said.tone}`} role="alert">
          <InCode text={said.text} />
        </p>
      )}
    </div>
  );
}
