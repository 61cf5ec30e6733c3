import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { CatalogsPage, DocumentPreview } from '../../contract/catalogs-told.js';
import { plural } from '../../base/plural.js';
import { visibleTitle } from '../../render/visible-text.js';
import { ApiFailure } from '../api/api-failure.js';
import { changes } from '../api/changes.js';
import { failureWords } from '../api/failure-words.js';
import { announce } from '../parts/announcer.js';
import { Button } from '../parts/button.js';
import { InCode } from '../parts/in-code.js';
import { navigate } from '../router/navigate.js';
import { catalogsChanged } from './catalogs-changed.js';
import { documentDesk } from './document-desk.js';

export interface DocumentFormProps {
  readonly bytes: Blob;
  readonly name: string;
  readonly preview: DocumentPreview;
  readonly here: CatalogsPage;
}

/** What the catalog is called, where its commands are sent, whose it is; then it is imported. */
export function DocumentForm({ bytes, name, preview, here }: DocumentFormProps) {
  const field = useId();
  const client = useQueryClient();
  const known = here.catalogs.find(({ catalogId }) => catalogId === preview.catalogId);
  const [id, setId] = useState(preview.catalogId ?? '');
  const [baseUrl, setBaseUrl] = useState(preview.baseUrl ?? '');
  const [to, setTo] = useState<'project' | 'user'>(known?.source ?? (here.project ? 'project' : 'user'));
  const [replace, setReplace] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<string>();
  const idField = useRef<HTMLInputElement>(null);
  // The dialog was there before there was anything to fill in.
  useEffect(() => idField.current?.focus(), []);
  const standing = here.catalogs.find(({ catalogId, source }) => catalogId === id.trim() && source === to);
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailed(undefined);
    try {
      const { catalogId, happened, commandCount } = await changes.importDocument(bytes, {
        name,
        catalogId: id.trim(),
        to,
        ...(baseUrl.trim() !== (preview.baseUrl ?? '') && { baseUrl: baseUrl.trim() }),
        ...(standing !== undefined && replace && { overwrite: 'true' as const }),
        ...(preview.document !== undefined && { expectedDocument: preview.document }),
      });
      announce(
        happened === 'unchanged'
          ? `${catalogId} is here already, and the same.`
          : `Imported ${catalogId} with ${plural(commandCount, 'command')}.`,
      );
      documentDesk.done();
      navigate({ view: 'catalog', catalogId });
      await catalogsChanged(client);
    } catch (cause) {
      setFailed(wordsOf(cause));
      setBusy(false);
      await client.invalidateQueries({ queryKey: ['catalogs'] });
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    if (id.trim() === '') setFailed('Enter an id, such as github.');
    else if (standing !== undefined && !replace) setFailed(`${id.trim()} is taken: replace it, or enter another id.`);
    else void send();
  };
  return (
    <form className="document-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor={`${field}-id`}>Id</label>
        <input
          ref={idField}
          id={`${field}-id`}
          type="text"
          value={id}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${field}-id-says`}
          onChange={(event) => setId(event.target.value)}
        />
        <p id={`${field}-id-says`} className="quiet small">
          The first word of each command in a workflow: <code>{visibleTitle(id.trim() || 'github')} …</code>
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${field}-url`}>Address</label>
        <input
          id={`${field}-url`}
          type="text"
          inputMode="url"
          value={baseUrl}
          placeholder="https://api.example.com"
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${field}-url-says`}
          onChange={(event) => setBaseUrl(event.target.value)}
        />
        <p id={`${field}-url-says`} className="quiet small">
          {preview.baseUrl === undefined
            ? 'The document gives none. Without one its commands cannot be sent.'
            : 'Where its commands are sent.'}
        </p>
      </div>
      <Whose project={here.project} to={to} onChoose={setTo} />
      {standing === undefined ? null : (
        <label className="check-line aside warning">
          <input type="checkbox" checked={replace} onChange={(event) => setReplace(event.target.checked)} />
          <span>
            Replace the document of <strong>{visibleTitle(standing.title)}</strong>, which has this id. Its settings
            stay.
          </span>
        </label>
      )}
      {failed === undefined ? null : (
        <p className="grave" role="alert">
          <InCode text={failed} />
        </p>
      )}
      <div className="actions">
        <Button onClick={documentDesk.done}>Cancel</Button>
        <Button submit look="main" disabled={busy}>
          {busy ? 'Importing …' : standing === undefined ? 'Import' : 'Replace'}
        </Button>
      </div>
    </form>
  );
}

interface WhoseProps {
  readonly project: boolean;
  readonly to: 'project' | 'user';
  readonly onChoose: (to: 'project' | 'user') => void;
}

function Whose({ project, to, onChoose }: WhoseProps) {
  const name = useId();
  if (!project) return <p className="quiet small">It goes into your own catalogs, for you in every project.</p>;
  return (
    <fieldset className="field document-to">
      <legend className="label">Import into</legend>
      {(['project', 'user'] as const).map((one) => (
        <label key={one} className="check-line">
          <input type="radio" name={name} checked={to === one} onChange={() => onChoose(one)} />
          <span>
            {one === 'project' ? 'This project' : 'Your own catalogs'}{' '}
            <span className="quiet small">
              {one === 'project' ? 'for everyone who works on it' : 'for you, in every project'}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What is wrong with a field is said; what an agent would send is not. */
function wordsOf(cause: unknown): string {
  if (!(cause instanceof ApiFailure) || cause.told === undefined) return failureWords(cause);
  const { violations = [], message } = cause.told;
  if (cause.code === 'ALREADY_EXISTS') return `${message}. Enter another id, or replace it.`;
  return violations.length === 0 ? failureWords(cause) : `${violations.map((one) => one.message).join('; ')}.`;
}
