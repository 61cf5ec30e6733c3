import { useState } from 'react';
import type { SessionHead } from '../../contract/session-story.js';
import { address } from '../api/address.js';
import { ApiFailure, asFailure } from '../api/api-failure.js';
import { failureMark } from '../api/failure-words.js';
import { download } from '../api/download.js';
import { readJson } from '../api/read-json.js';
import { useCommandLine } from '../api/use-command-line.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { CopyButton } from '../parts/copy-button.js';
import { Dialog } from '../parts/dialog.js';
import { saveFile } from './save-file.js';
import './bundles.css';
import { InCode } from '../parts/in-code.js';

/** The ways in which a session leaves the page: whole, as a bundle; or to be read, as a document. */
export function ExportDialog({ session, onClose }: { readonly session: SessionHead; readonly onClose: () => void }) {
  const { sessionId } = session;
  const [state, setState] = useState<'ready' | 'making' | 'saved' | ApiFailure>('ready');
  const make = async (allowSecrets: boolean): Promise<void> => {
    if (state === 'making') return;
    setState('making');
    try {
      const path = address(['sessions', sessionId, 'export'], allowSecrets ? { allowSecrets: 'true' } : {});
      saveFile(await download(path), `${encodeURIComponent(sessionId)}.workrail`);
      setState('saved');
      announce('Bundle saved.');
    } catch (cause) {
      setState(asFailure(cause));
    }
  };
  const render = (format: 'md' | 'html'): string => address(['sessions', sessionId, 'render'], { format });
  return (
    <Dialog title="Export" onClose={onClose}>
      <section className="way-out">
        <h3>Send to somebody who has WorkRail</h3>
        <p>
          One file with the whole session, and the workflows as they were. They drop it on their page, or run{' '}
          <code>{`workrail import ${sessionId}.workrail`}</code>, and go on where it stands. It contains no keys or
          tokens.
        </p>
        <div className="way-actions">
          <Button look="main" onClick={() => void make(false)} disabled={state === 'making'}>
            {state === 'making' ? 'Checking and packing …' : 'Save file'}
          </Button>
          {state === 'saved' ? <span className="good">Saved. Send them the file.</span> : null}
        </div>
        {state instanceof ApiFailure ? (
          <NotExported sessionId={sessionId} failure={state} onAnyway={() => void make(true)} />
        ) : null}
      </section>
      <section className="way-out">
        <h3>Send to somebody who only reads</h3>
        <p>The session report: runs, branches, steps, notes, documents and gaps.</p>
        <div className="way-actions">
          <a className="button" href={render('html')} target="_blank" rel="noreferrer">
            Open as HTML
          </a>
          <a className="button" href={render('html')} download={`${encodeURIComponent(sessionId)}.html`}>
            Save as HTML
          </a>
          <PrintButton address={render('html')} />
          <a className="button" href={render('md')} download={`${encodeURIComponent(sessionId)}.md`}>
            Save as Markdown
          </a>
        </div>
      </section>
    </Dialog>
  );
}

/** The document has a style for paper; the browser makes the PDF. */
function PrintButton({ address: from }: { readonly address: string }) {
  const [asked, setAsked] = useState(0);
  return (
    <>
      <Button onClick={() => setAsked((now) => now + 1)}>Print, or save as PDF</Button>
      {asked === 0 ? null : (
        <iframe
          key={asked}
          className="to-print"
          title="Report for printing"
          src={from}
          onLoad={(event) => event.currentTarget.contentWindow?.print()}
        />
      )}
    </>
  );
}

interface NotExportedProps {
  readonly sessionId: string;
  readonly failure: ApiFailure;
  readonly onAnyway: () => void;
}

function NotExported({ sessionId, failure, onAnyway }: NotExportedProps) {
  const inShell = useCommandLine();
  const found = readJson.objects(failure.told?.context, 'secrets');
  return (
    <div className="aside grave" role="alert">
      <p>
        <strong>Not exported.</strong> <InCode text={failure.message} />
      </p>
      {failure.code === 'SECRETS_FOUND' ? (
        <>
          <ul className="told-list">
            {found.slice(0, 5).map((secret, index) => {
              const command = inShell(['redact', sessionId, readJson.text(secret, 'event') ?? '<event>']);
              return (
                <li key={index}>
                  {readJson.text(secret, 'name')} <code>{readJson.text(secret, 'sample')}</code> in{' '}
                  <code>{`${readJson.text(secret, 'file') ?? ''}:${readJson.number(secret, 'line') ?? ''}`}</code>{' '}
                  <CopyButton text={command} label={`Copy ${command}`}>
                    Copy redact command
                  </CopyButton>
                </li>
              );
            })}
            {found.length > 5 ? <li className="quiet">and {found.length - 5} more</li> : null}
          </ul>
          <Button look="grave" onClick={onAnyway}>
            Export anyway
          </Button>
        </>
      ) : (
        <>
          <p className="quiet">{failure.told?.suggested_action}</p>
          <p className="small quiet">{failureMark(failure)}</p>
        </>
      )}
    </div>
  );
}
