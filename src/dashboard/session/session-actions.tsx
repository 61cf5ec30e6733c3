import type { SessionHead } from '../../contract/http-api.js';
import { address } from '../api/address.js';

/** What leads out of the page: the session as a document, and as a bundle. */
export function SessionActions({ session }: { readonly session: SessionHead }) {
  return (
    <>
      <a className="button" href={address(['sessions', session.sessionId, 'render'], { format: 'html' })} target="_blank" rel="noreferrer">
        Report
      </a>
      <a className="button" href={address(['sessions', session.sessionId, 'export'])} download>
        Export
      </a>
    </>
  );
}
