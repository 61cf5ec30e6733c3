import type { LedgerTold } from '../../contract/ledger-told.js';
import { spokenLedger } from '../../render/spoken-ledger.js';
import { InCode } from '../parts/in-code.js';

/** The rounds of a loop, a line each. */
export function LedgerOf({ ledger }: { readonly ledger: LedgerTold }) {
  const { head, lines } = spokenLedger(ledger);
  return (
    <section className="ledger">
      <h3>{head}</h3>
      <ul className="told-list">
        {lines.map((line) => (
          <li key={line}>
            <InCode text={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}
