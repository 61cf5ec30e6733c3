import { useEffect, useState, useSyncExternalStore } from 'react';
import { importDesk } from './import-desk.js';
import { ImportOutcome } from './import-outcome.js';
import './bundles.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** A bundle may be dropped anywhere on the page; what came of it is told in words. */
export function ImportDrop() {
  const handed = useSyncExternalStore(importDesk.listen, importDesk.handed);
  const [over, setOver] = useState<'no' | 'import' | 'merge'>('no');
  useEffect(() => {
    const stop = new AbortController();
    const on = (kind: 'dragenter' | 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void): void =>
      window.addEventListener(kind, listener, { signal: stop.signal });
    const zone = (event: DragEvent): 'import' | 'merge' =>
      event.target instanceof Element && event.target.closest('[data-drop="merge"]') !== null ? 'merge' : 'import';
    for (const kind of ['dragenter', 'dragover'] as const)
      on(kind, (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(zone(event));
      });
    on('dragleave', (event) => {
      // Out of the window, and not into something within it.
      if (event.relatedTarget === null) setOver('no');
    });
    on('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver('no');
      importDesk.bringIn([...(event.dataTransfer?.files ?? [])], zone(event) === 'merge');
    });
    return () => stop.abort();
  }, []);
  return (
    <>
      {over === 'no' ? null : (
        <div className="drop-over" aria-hidden="true">
          <div className={over === 'import' ? 'drop-zone main chosen' : 'drop-zone main'}>
            <strong>Drop to import the session</strong>
            <span>
              Checked in full before anything is imported. If its id is taken by another session, it gets a new one.
            </span>
          </div>
          <div data-drop="merge" className={over === 'merge' ? 'drop-zone chosen' : 'drop-zone'}>
            <strong>Or drop here to merge</strong>
            <span>Merge into the local session, if both share a history.</span>
          </div>
        </div>
      )}
      {handed.length === 0 ? null : <ImportOutcome handed={handed} />}
    </>
  );
}
