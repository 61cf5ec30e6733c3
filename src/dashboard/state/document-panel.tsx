import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { queries } from '../api/queries.js';
import { Button } from '../parts/button.js';
import { CopyButton } from '../parts/copy-button.js';
import { useRemembered } from '../parts/remembered.js';
import { NotYet } from '../parts/state-notice.js';
import { compareDocuments, countChanges } from './compare-documents.js';
import { documentLines } from './document-lines.js';
import { DocumentTree } from './document-tree.js';
import { PickOne } from './pick-one.js';
import type { VersionTold } from './version-moment.js';
import { madeWords, versionName } from './version-words.js';

export interface DocumentPanelProps {
  readonly stateId: string;
  readonly versions: readonly VersionTold[];
  readonly shown: VersionTold;
  /** What it is compared with, by the label; the version that it was made from where nobody chose another. */
  readonly base: string | undefined;
  readonly onBase: (base: string | undefined) => void;
}

/** The document of a version, with what differs from another one lit. */
export function DocumentPanel({ stateId, versions, shown, base, onBase }: DocumentPanelProps) {
  const from = base ?? shown.from;
  const asked = useQuery(queries.stateDocuments(stateId, shown.etag, from === shown.etag ? undefined : from));
  const { data } = asked;
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [all, setAll] = useState<boolean>();
  const [onlyChanges, setOnlyChanges] = useRemembered('state changes only');
  const whole = useMemo(() => data && compareDocuments(data.before, data.after), [data]);
  const lines = useMemo(
    () => whole && documentLines(whole, { turned, all, onlyChanges: onlyChanges && whole.change !== 'same' }),
    [whole, turned, all, onlyChanges],
  );
  const turnAll = (open: boolean): void => {
    setTurned(new Map([['', true]]));
    setAll(open);
  };
  if (data === undefined || whole === undefined || lines === undefined)
    return <NotYet asked={asked} what="the document" lines={9} place="part" />;
  const hasFolded = lines.some((line) => line.kind === 'part' && line.isOpen === false);
  return (
    <section className="document-panel" aria-label="Document">
      <div className="document-bar">
        <BasePicker versions={versions} shown={shown} base={base} onBase={onBase} />
        <ChangeCount counts={countChanges(whole)} compared={data.base !== undefined} />
        <span className="spread" />
        <Button
          small
          pressed={onlyChanges}
          onClick={() => setOnlyChanges(!onlyChanges)}
          disabled={whole.change === 'same'}
          title="Leave out what is the same"
        >
          Changes only
        </Button>
        <Button small onClick={() => turnAll(hasFolded)}>
          {hasFolded ? 'Unfold all' : 'Fold all'}
        </Button>
        <CopyButton text={() => Promise.resolve(JSON.stringify(data.after, null, 2))} label="Copy the document">
          Copy
        </CopyButton>
      </div>
      <DocumentTree
        lines={lines}
        of={`${data.etag} ${data.base ?? ''}`}
        label={`Document of ${versionName(shown, versions)}`}
        onTurn={(id, open) => setTurned(new Map(turned).set(id, open))}
        busy={asked.isPlaceholderData}
      />
    </section>
  );
}

function ChangeCount({
  counts: { added, changed, removed },
  compared,
}: {
  readonly counts: ReturnType<typeof countChanges>;
  readonly compared: boolean;
}) {
  const parts = [
    { kind: 'added', count: added },
    { kind: 'changed', count: changed },
    { kind: 'removed', count: removed },
  ].filter(({ count }) => count > 0);
  return (
    <p className="small change-count" role="status">
      {parts.length === 0 ? (
        <span className="quiet">{compared ? 'No difference' : 'The first version'}</span>
      ) : (
        parts.map(({ kind, count }) => (
          <span key={kind} className={kind}>
            {count} {kind}
          </span>
        ))
      )}
    </p>
  );
}

type BasePickerProps = Pick<DocumentPanelProps, 'versions' | 'shown' | 'base' | 'onBase'>;

/** Which version this one is compared with. */
function BasePicker({ versions, shown, base, onBase }: BasePickerProps) {
  const before = versions.find(({ etag }) => etag === shown.from);
  const isUnknown = base !== undefined && versions.every(({ etag }) => etag !== base);
  return (
    <PickOne label="Compared with" chosen={base ?? ''} onChoose={(etag) => onBase(etag === '' ? undefined : etag)}>
      <option value="">{before === undefined ? 'the version before' : `the version before (${before.version})`}</option>
      {isUnknown ? <option value={base}>{base}</option> : null}
      {versions.toReversed().map((version) => (
        <option key={version.etag} value={version.etag} disabled={version.etag === shown.etag}>
          {versionName(version, versions)}, {madeWords(version).toLowerCase()}
        </option>
      ))}
    </PickOne>
  );
}
