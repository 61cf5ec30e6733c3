import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AboutServer } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { Button } from '../parts/button.js';
import { CopyButton } from '../parts/copy-button.js';
import { Dialog } from '../parts/dialog.js';
import { Link } from '../router/link.js';

/** How to connect an agent, and what to say to it first. */
export function WaysIn() {
  const { data } = useQuery(queries.about());
  return (
    <>
      <h2>1. Connect your agent</h2>
      {data === undefined ? (
        <p className="quiet">Run workrail init --client with the name of your agent’s program.</p>
      ) : (
        <dl className="ways-in">
          <dt>Over stdio: the agent starts WorkRail itself</dt>
          <dd>
            <pre>{data.connect.stdio}</pre>
            <CopyButton text={data.connect.stdio} label="Copy the stdio command" />
          </dd>
          <dt>Over HTTP: the agent uses this server</dt>
          <dd>
            <pre>{data.connect.http}</pre>
            <CopyButton text={data.connect.http} label="Copy the HTTP address" />
          </dd>
        </dl>
      )}
      <h2>2. Ask it for work</h2>
      <dl className="ways-in">
        <dt className="for-readers-only">Prompt for your agent</dt>
        <dd>
          <pre>{firstWords}</pre>
          <CopyButton text={firstWords} label="Copy the prompt for your agent" />
        </dd>
      </dl>
      <p className="quiet">
        See what it can do: <Link to={{ view: 'workflows' }}>all workflows</Link>.{' '}
        {data === undefined ? null : <LookedInto {...data} />}
      </p>
    </>
  );
}

/** With a data folder that was named, that one alone is looked into. */
function LookedInto({ workspace, where }: Pick<AboutServer, 'workspace' | 'where'>) {
  const named = where.indexOf('--data-dir');
  return named < 0 ? (
    <>This page shows the sessions of {workspace} and those in your own data folder.</>
  ) : (
    <>This page shows only the sessions in {where[named + 1]}.</>
  );
}

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

const firstWords = 'List the WorkRail workflows, start the one that fits best, and follow its steps.';
