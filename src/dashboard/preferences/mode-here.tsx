import { useState } from 'react';
import { spokenMode } from '../../base/mode-words.js';
import type { Preferences } from '../../base/preferences.js';
import { Button } from '../parts/button.js';
import { SessionPreferencesDialog } from './session-preferences-dialog.js';

export interface ModeHereProps {
  readonly sessionId: string;
  readonly nodeId: string;
  readonly preferences: Preferences;
  /** Why nothing can be changed. */
  readonly closed: string | undefined;
  /** What else is shown of the step is no longer so. */
  readonly onChanged: () => void;
}

/** At the step that waits: the mode that it is to be done in, and how to change it from there on. */
export function ModeHere({ sessionId, nodeId, preferences, closed, onChanged }: ModeHereProps) {
  const [open, setOpen] = useState(false);
  const { label, says } = spokenMode(preferences);
  return (
    <section className="mode-here">
      <h3>
        Mode
        {closed === undefined ? (
          <Button small onClick={() => setOpen(true)} label="Change the mode from this step on">
            Change
          </Button>
        ) : null}
      </h3>
      <p>
        <strong>{label}</strong> <span className="quiet">{says}</span>
      </p>
      {open ? (
        <SessionPreferencesDialog
          sessionId={sessionId}
          nodeId={nodeId}
          onChanged={onChanged}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  );
}
