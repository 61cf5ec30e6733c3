import type { BundleImported } from '../../contract/bundle-answers.js';
import { plural } from '../../base/plural.js';
import { own } from '../../base/own.js';
import { visibleText } from '../../render/visible-text.js';
import type { ApiFailure } from '../api/api-failure.js';
import { failureMark } from '../api/failure-words.js';
import { CopyButton } from '../parts/copy-button.js';
import { Dialog } from '../parts/dialog.js';
import { Link } from '../router/link.js';
import { type Handed, importDesk } from './import-desk.js';
import { InCode } from '../parts/in-code.js';

/** What came of each file that was handed in. */
export function ImportOutcome({ handed }: { readonly handed: readonly Handed[] }) {
  const busy = handed.some(({ state }) => state.is === 'waiting' || state.is === 'reading');
  return (
    <Dialog title={busy ? 'Importing …' : 'Import'} onClose={importDesk.clear}>
      <ul className="handed" aria-live="polite">
        {handed.map((one) => (
          <li key={one.id}>
            <h3 className="one-line" title={one.name}>
              {one.name}
            </h3>
            <Outcome of={one} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function Outcome({ of: { state } }: { readonly of: Handed }) {
  if (state.is === 'refused') return <Refused failure={state.failure} />;
  if (state.is !== 'told')
    return (
      <p className="quiet">
        {state.is === 'waiting'
          ? 'Waiting for the previous import.'
          : 'Checking the whole file before anything is imported.'}
      </p>
    );
  const { told } = state;
  const { bundle, sessionId, warnings } = told;
  return (
    <div className="aside good">
      <p>
        <strong>{headlines[told.outcome]}</strong> {outcomeWords(told)}
      </p>
      <p className="quiet small">
        {bundle.title === undefined ? '' : `${visibleText(bundle.title)}. `}
        {[plural(bundle.runs, 'run'), plural(bundle.lines, 'event'), plural(bundle.pins, 'workflow')].join(', ')},
        written by WorkRail {bundle.producer}.
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="warning">
          <InCode text={warning} />
        </p>
      ))}
      <div className="outcome-actions">
        <Link className="button" to={{ view: 'session', sessionId }} onClick={importDesk.clear}>
          Show the session
        </Link>
        <CopyButton
          text={`resume_session ${JSON.stringify(told.resume)}`}
          label="Copy a call for an agent to find it"
          small={false}
        >
          Copy call for an agent
        </CopyButton>
      </div>
    </div>
  );
}

const headlines: Readonly<Record<BundleImported['outcome'], string>> = {
  imported: 'Imported',
  imported_as_new: 'Imported as new.',
  merged: 'Merged.',
  already_here: 'Already imported.',
};

function outcomeWords({ outcome, sessionId, bundle, merged }: BundleImported): string {
  switch (outcome) {
    case 'imported':
      return `as ${sessionId}.`;
    case 'imported_as_new':
      return `The id ${bundle.exportedAs} is taken by another session, so this one is ${sessionId}. To combine them, use Import and merge.`;
    case 'merged':
      return `Session ${sessionId}: ${countedSegments(merged?.added ?? 0, 'added')}, ${countedSegments(merged?.grown ?? 0, 'extended')}.`;
    case 'already_here':
      return `Session ${sessionId} has all of it; nothing changed.`;
  }
}

const countedSegments = (count: number, verb: string): string =>
  count === 1 ? `1 segment ${verb}` : `${count === 0 ? 'no' : count} segments ${verb}`;

function Refused({ failure }: { readonly failure: ApiFailure }) {
  const context = failure.told?.context ?? {};
  const text = (name: string): string | undefined => {
    const value = own(context, name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const [part, line, expected, actual] = [text('part'), text('line'), text('expected'), text('actual')];
  return (
    <div className="aside grave" role="alert">
      <p>
        <strong>Not imported:</strong> <InCode text={failure.message} />
      </p>
      {part === undefined ? null : (
        <p>
          In <code>{line === undefined ? part : `${part}:${line}`}</code>
          {expected === undefined ? null : (
            <>
              : expected <code>{short(expected)}</code>, got <code>{short(actual ?? '')}</code>
            </>
          )}
        </p>
      )}
      {failure.told === undefined ? null : (
        <p className="quiet">
          <InCode text={failure.told.suggested_action} />
        </p>
      )}
      <p className="small quiet">{failureMark(failure)}</p>
    </div>
  );
}

/** Enough of a digest to tell it from another. */
const short = (text: string): string => (text.length > 24 ? `${text.slice(0, 16)}…` : text);
