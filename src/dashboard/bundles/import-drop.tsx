import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { documentDesk, isDocument } from '../catalogs/document-desk.js';
import { useRoute } from '../router/navigate.js';
import { importDesk } from './import-desk.js';
import { ImportOutcome } from './import-outcome.js';
import './bundles.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

const ImportDocument = lazy(async () => ({
  default: (await import('../catalogs/import-document.js')).ImportDocument,
}));

/** Where API documents are at home, what falls on the page is one, unless it is called a bundle. */
function bringIn(files: readonly File[], amongCatalogs: boolean, merge: boolean): void {
  const document = (file: File): boolean => (amongCatalogs ? !file.name.endsWith('.workrail') : isDocument(file));
  documentDesk.bringIn(files.filter(document));
  importDesk.bringIn(
    files.filter((file) => !document(file)),
    merge,
  );
}

/** A bundle or an API document may be dropped anywhere on the page; what came of it is told in words. */
export function ImportDrop() {
  const handed = useSyncExternalStore(importDesk.listen, importDesk.handed);
  const [document] = useSyncExternalStore(documentDesk.listen, documentDesk.handed);
  const { view } = useRoute();
  const amongCatalogs = view === 'catalogs' || view === 'catalog' || view === 'command';
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
      bringIn([...(event.dataTransfer?.files ?? [])], amongCatalogs, zone(event) === 'merge');
    });
    return () => stop.abort();
  }, [amongCatalogs]);
  return (
    <>
      {over === 'no' ? null : amongCatalogs ? (
        <div className="drop-over whole" aria-hidden="true">
          <div className="drop-zone main chosen">
            <strong>Drop to import the OpenAPI document</strong>
            <span>You see what it holds before anything is imported.</span>
          </div>
        </div>
      ) : (
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
      {document === undefined ? null : (
        <Suspense>
          <ImportDocument key={document.id} handed={document} />
        </Suspense>
      )}
    </>
  );
}
