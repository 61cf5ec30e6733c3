import { useState } from 'react';
import type { SessionHead } from '../../contract/session-story.js';
import { address } from '../api/address.js';
import { ExportDialog } from '../bundles/export-dialog.js';
import { useKeys } from '../keys/use-keys.js';
import { Button } from '../parts/button.js';

/** What leads out of the page: the session as a document, and as a bundle. */
export function SessionActions({ session }: { readonly session: SessionHead }) {
  const [open, setOpen] = useState(false);
  useKeys('Session', [{ keys: 'e', says: 'Export', run: () => setOpen(true) }]);
  return (
    <>
      <a
        className="button"
        href={address(['sessions', session.sessionId, 'render'], { format: 'html' })}
        target="_blank"
        rel="noreferrer"
      >
        Report
      </a>
      <Button onClick={() => setOpen(true)}>Export</Button>
      {open ? <ExportDialog session={session} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
