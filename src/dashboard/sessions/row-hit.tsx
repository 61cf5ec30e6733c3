import { useQuery } from '@tanstack/react-query';
import { withoutJson } from '../../contract/plain-words.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { Link } from '../router/link.js';

export interface RowHitProps {
  readonly sessionId: string;
  /** Empty while somebody types. */
  readonly words: string;
  /** How the session matches, told where no step has the words. */
  readonly why: string | undefined;
  /** The tab key leads to it. */
  readonly chosen: boolean;
}

/** The words that hit, with the step that they stand in; leads to that step. */
export function RowHit({ sessionId, words, why = '', chosen }: RowHitProps) {
  const { data } = useQuery({ ...queries.hits(sessionId, words), enabled: words !== '' });
  const [hit] = data?.hits ?? [];
  if (hit === undefined)
    return <div className="row-hit one-line quiet">{data === undefined ? '' : visibleTitle(why)}</div>;
  const { where, quote, runId, nodeId } = hit;
  return (
    <div className="row-hit one-line">
      <Link
        to={{
          view: 'session',
          sessionId,
          ...(runId !== undefined && nodeId !== undefined && { runId, nodeId }),
        }}
        tabIndex={chosen ? 0 : -1}
      >
        {visibleTitle(where)}
      </Link>{' '}
      <Marked text={visibleTitle(withoutJson(quote))} words={hit.words} />
    </div>
  );
}

function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const sought = words.flatMap((word) => word.split(' '));
  const isOne = (piece: string): boolean =>
    sought.some((word) => piece.startsWith(word) || (piece.length > 2 && word.startsWith(piece)));
  return (
    <>
      {text
        .split(/([\p{L}\p{N}\p{M}]+)/u)
        .map((piece, at) => (at % 2 === 1 && isOne(piece.toLowerCase()) ? <mark key={at}>{piece}</mark> : piece))}
    </>
  );
}
