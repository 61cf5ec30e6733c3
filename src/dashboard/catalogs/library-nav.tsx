import { Link } from '../router/link.js';
import './library-nav.css';

/** From workflows to the commands that they may run, and back. */
export function LibraryNav({ at }: { readonly at: 'workflows' | 'catalogs' | 'catalog' }) {
  return (
    <nav className="library-nav" aria-label="Library">
      <Link to={{ view: 'workflows' }} aria-current={at === 'workflows' ? 'page' : undefined}>
        Workflows
      </Link>
      <Link to={{ view: 'catalogs' }} aria-current={at === 'catalogs' ? 'page' : at === 'catalog' ? 'true' : undefined}>
        Catalogs
      </Link>
    </nav>
  );
}
