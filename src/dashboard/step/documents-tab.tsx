import { useQuery } from '@tanstack/react-query';
import type { StepDetail } from '../../contract/http-api.js';
import { queries } from '../api/queries.js';
import { NotYet } from '../parts/state-notice.js';
import { LedgerOf } from './ledger-of.js';
import { DocumentTold } from './document-told.js';

/** What all artifacts up to this step come to, and the rounds of its loops. */
export function DocumentsTab({ detail: { sessionId, run, node } }: { readonly detail: StepDetail }) {
  const asked = useQuery(queries.documents(sessionId, run.runId, node.nodeId));
  const { data } = asked;
  if (data === undefined) return <NotYet asked={asked} what="the documents" place="here" />;
  if (data.missing !== undefined) return <p className="aside warning">{data.missing}</p>;
  return (
    <>
      {data.ledgers.map((ledger) => (
        <LedgerOf key={ledger.loop} ledger={ledger} />
      ))}
      {data.documents.length === 0 ? (
        <p className="quiet">No artifact up to here folds into a document.</p>
      ) : (
        data.documents.map((document) => <DocumentTold key={document.name} document={document} />)
      )}
    </>
  );
}
