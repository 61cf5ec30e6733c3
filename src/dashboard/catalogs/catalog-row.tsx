import { plural } from '../../base/plural.js';
import type { CatalogHere } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { InCode } from '../parts/in-code.js';
import { Link } from '../router/link.js';
import { authWords } from './auth-words.js';
import { EnabledSwitch } from './enabled-switch.js';

/** One catalog of the list: what it offers, where its commands are sent, whether it can be used. */
export function CatalogRow({ catalog }: { readonly catalog: CatalogHere }) {
  const { catalogId, title, commandCount, baseUrl, auth, path, problem, hides = [] } = catalog;
  return (
    <li className={problem === undefined ? 'catalog-row' : 'catalog-row broken'}>
      <div>
        <h2>
          <Link to={{ view: 'catalog', catalogId }}>{visibleTitle(title)}</Link>
          {title === catalogId ? null : <code className="quiet small">{catalogId}</code>}
        </h2>
        {problem === undefined ? (
          <p className="quiet catalog-address">
            {baseUrl === undefined ? (
              <span className="warning">No address: the document gives none</span>
            ) : (
              <code>{visibleTitle(baseUrl)}</code>
            )}
          </p>
        ) : (
          <p className="grave">
            Cannot be used: <InCode text={problem} />
          </p>
        )}
        {hides.map((hidden) => (
          <p key={hidden} className="small warning">
            Overrides <code>{hidden}</code>
          </p>
        ))}
      </div>
      <div className="catalog-facts small quiet">
        <span className="figures">{plural(commandCount, 'command')}</span>
        {auth === 'none' ? null : <span>{authWords(auth)}</span>}
        <span className="one-line" title={path}>
          {path}
        </span>
      </div>
      <EnabledSwitch catalog={catalog} />
    </li>
  );
}
