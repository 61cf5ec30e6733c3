import type { StatesOfSession } from '../../contract/states-told.js';
import { Button } from '../parts/button.js';

export interface HeadsToldProps {
  readonly state: StatesOfSession['states'][number];
  readonly onVersion: (etag: string) => void;
  readonly onCompare: (one: string, other: string) => void;
}

/** Clones wrote at the same time, and nobody has written since: what each of them has, before it is merged. */
export function HeadsTold({ state: { heads, status }, onVersion, onCompare }: HeadsToldProps) {
  const [served, ...others] = heads;
  if (served === undefined || others.length === 0) return null;
  return (
    <section className="aside warning heads-told" aria-label="Newest versions">
      <p>
        <strong>{heads.length} newest versions.</strong> Clones wrote at the same time.{' '}
        {status === 'open'
          ? 'The next write merges them; until then the first is the one that is read.'
          : 'The first is the one that is read.'}
      </p>
      <ul>
        {heads.map((etag) => (
          <li key={etag}>
            <button type="button" className="link-button" onClick={() => onVersion(etag)}>
              {etag}
            </button>{' '}
            {etag === served ? (
              <span className="quiet small">is read</span>
            ) : (
              <Button small onClick={() => onCompare(etag, served)}>
                Compare with the first
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
