import { useState } from 'react';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { WaysIn } from './ways-in.js';

/** For whoever has sessions to look at, and no agent here yet. */
export function ConnectAgent() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="bare" small onClick={() => setOpen(true)}>
        Connect an agent
      </Button>
      {open ? (
        <Dialog title="Connect an agent" onClose={() => setOpen(false)}>
          <WaysIn />
        </Dialog>
      ) : null}
    </>
  );
}
