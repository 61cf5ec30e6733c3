import { Fragment, useMemo } from 'react';
import { canonicalJson } from '../../base/canonical-json.js';
import { visibleText } from '../../render/visible-text.js';
import { Folded } from '../parts/folded.js';
import { Markdown } from '../parts/markdown.js';
import { ArtifactList } from '../step/artifact-list.js';
import { isObjectTold, type JsonObjectTold, type JsonTold } from '../step/json-told.js';
import { ValueTold } from '../step/value-told.js';
import { type TextPiece, wordDifference } from './word-difference.js';

/** Texts that share less than this are other texts: marks in them would only be in the way. */
const leastAlike = 0.25;

/** What one side has, of what the other side has in its place; without that nothing is marked. */
interface Differing<Value> {
  readonly value: Value;
  readonly other: Value | undefined;
}

function usePieces({ value, other }: Differing<string>, least = leastAlike): readonly TextPiece[] | undefined {
  return useMemo(() => {
    const told = other === undefined || other === value ? undefined : wordDifference(value, other);
    return told === undefined || told.alike < least ? undefined : told.a;
  }, [value, other, least]);
}

const Marked = ({ pieces }: { readonly pieces: readonly TextPiece[] }) =>
  pieces.map(({ text, changed }, index) =>
    changed ? (
      <mark key={index} className="only-here">
        {visibleText(text)}
      </mark>
    ) : (
      <Fragment key={index}>{visibleText(text)}</Fragment>
    ),
  );

/** Notes as they were written where words of them are marked, and as Markdown where none are. */
export function DifferingNotes(notes: Differing<string>) {
  const pieces = usePieces(notes);
  return pieces === undefined ? (
    <Markdown text={notes.value} />
  ) : (
    <div className="written said">
      <Marked pieces={pieces} />
    </div>
  );
}

/** A value of the context, or as much of an artifact as is not its kind. */
export function DifferingValue({ value, other }: Differing<JsonTold>) {
  const isText = typeof value === 'string' && typeof other === 'string';
  const isDeep = isCompound(value) && isCompound(other);
  const pieces = usePieces(
    {
      value: isText ? value : isDeep ? written(value) : '',
      other: isText ? other : isDeep ? written(other) : undefined,
    },
    isText ? leastAlike : 0,
  );
  if (pieces === undefined) return <ValueTold value={value} depth={1} />;
  return isText ? (
    <span className="said">
      <Marked pieces={pieces} />
    </span>
  ) : (
    <pre className="raw">
      <Marked pieces={pieces} />
    </pre>
  );
}

const isCompound = (value: JsonTold | undefined): value is NonNullable<JsonTold> =>
  isObjectTold(value) || Array.isArray(value);

/** In the order of names, whatever order they were handed in. */
const written = (value: JsonTold): string => JSON.stringify(JSON.parse(canonicalJson(value)), null, 2);

export interface DifferingArtifactsProps {
  readonly artifacts: readonly JsonObjectTold[];
  /** Those of the other side; absent where nothing is to be marked. */
  readonly others: readonly JsonObjectTold[] | undefined;
}

/** Artifacts of one side, each against the one of its kind on the other. */
export function DifferingArtifacts({ artifacts, others }: DifferingArtifactsProps) {
  const left = [...(others ?? [])];
  return artifacts.map((artifact, index) => {
    const at = left.findIndex(({ kind }) => kind === artifact['kind']);
    const [other] = at < 0 ? [] : left.splice(at, 1);
    if (other === undefined) return <ArtifactList key={index} artifacts={[artifact]} />;
    const { kind } = artifact;
    const isSame = canonicalJson(artifact) === canonicalJson(other);
    return (
      <Folded
        key={index}
        kind={typeof kind === 'string' ? kind : 'artifact'}
        hint={isSame ? 'same on both' : 'differs'}
        open={!isSame}
      >
        {isSame ? <ValueTold value={artifact} /> : <DifferingValue value={artifact} other={other} />}
      </Folded>
    );
  });
}
