import type { CatalogDetail } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { readJson } from '../api/read-json.js';
import { CommandTold } from '../parts/command-told.js';
import { ValueTold } from '../step/value-told.js';
import { authWords } from './auth-words.js';

/** How its commands are called, and how that is changed. */
export function CatalogSettings({ detail: { catalog, secrets } }: { readonly detail: CatalogDetail }) {
  const { catalogId, baseUrl, auth, settings, notAllowed = [] } = catalog;
  const headers = Object.keys(readJson.object(settings, 'headers'));
  const idempotency = readJson.text(settings, 'idempotencyHeader');
  const allow = readJson.texts(settings, 'allow').filter((one) => !notAllowed.includes(one));
  const limits = readJson.object(settings, 'limits');
  const from = readJson.text(settings, 'from');
  const firstSecret = secrets[0];
  return (
    <section>
      <h2>Settings</h2>
      <dl className="catalog-settings">
        <dt>Address</dt>
        <dd>{baseUrl === undefined ? <span className="warning">none</span> : <code>{visibleTitle(baseUrl)}</code>}</dd>
        <dt>Authentication</dt>
        <dd>{authWords(auth)}</dd>
        {secrets.length === 0 ? null : (
          <>
            <dt>Secrets</dt>
            <dd>
              {secrets.map((name) => (
                <code key={name}>{name} </code>
              ))}
              <span className="quiet small">names only; the page never shows a value</span>
            </dd>
          </>
        )}
        {headers.length === 0 ? null : (
          <>
            <dt>Headers</dt>
            <dd>{visibleTitle(headers.join(', '))}</dd>
          </>
        )}
        {idempotency === undefined ? null : (
          <>
            <dt>Idempotency header</dt>
            <dd>
              <code>{visibleTitle(idempotency)}</code>
            </dd>
          </>
        )}
        {allow.length === 0 ? null : (
          <>
            <dt>Allowed addresses</dt>
            <dd>{visibleTitle(allow.join(', '))}</dd>
          </>
        )}
        {notAllowed.length === 0 ? null : (
          <>
            <dt>Blocked addresses</dt>
            <dd className="warning">{visibleTitle(notAllowed.join(', '))}</dd>
          </>
        )}
        {Object.keys(limits).length === 0 ? null : (
          <>
            <dt>Limits</dt>
            <dd>
              <ValueTold value={limits} />
            </dd>
          </>
        )}
        {from === undefined ? null : (
          <>
            <dt>Imported from</dt>
            <dd>{visibleTitle(from)}</dd>
          </>
        )}
      </dl>
      {notAllowed.length === 0 ? null : (
        <>
          <p className="quiet small">
            This project asks to call addresses that are not public, and you have not allowed them on this machine. If
            you trust it, allow them:
          </p>
          <CommandTold
            words={['catalogs', 'configure', catalogId, ...notAllowed.flatMap((one) => ['--allow', one])]}
            label="Copy the command"
          />
        </>
      )}
      <p className="quiet small">Change settings in a terminal, such as the address:</p>
      <CommandTold
        words={['catalogs', 'configure', catalogId, '--base-url', baseUrl ?? 'https://api.example.com']}
        label="Copy the command"
      />
      {firstSecret === undefined ? null : (
        <>
          <p className="quiet small">Give a secret its value:</p>
          <CommandTold words={['catalogs', 'secret', catalogId, firstSecret]} label="Copy the command" />
        </>
      )}
    </section>
  );
}
