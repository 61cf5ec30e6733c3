import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { plural } from '../../base/plural.js';
import type { CatalogDetail } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { CatalogSettings } from '../catalogs/catalog-settings.js';
import { CommandList } from '../catalogs/command-list.js';
import { EnabledSwitch } from '../catalogs/enabled-switch.js';
import { kindWords } from '../catalogs/kind-words.js';
import { LibraryNav } from '../catalogs/library-nav.js';
import { RemoveDialog } from '../catalogs/remove-dialog.js';
import { Button } from '../parts/button.js';
import { Folded } from '../parts/folded.js';
import { InCode } from '../parts/in-code.js';
import { Markdown } from '../parts/markdown.js';
import { NotYet } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { nameTab } from '../waiting/tab-sign.js';
import '../step/step.css';
import '../catalogs/catalogs.css';

/** One catalog: how it is called, who uses it, and its commands. */
export function CatalogView({ catalogId }: { readonly catalogId: string }) {
  const asked = useQuery(queries.catalog(catalogId));
  const { data } = asked;
  const title = data?.catalog.title;
  useEffect(() => {
    if (title !== undefined) nameTab(`${title} · WorkRail`);
    return () => {
      nameTab('WorkRail');
    };
  }, [title]);
  return data === undefined ? <NotYet asked={asked} what="the catalog" lines={8} /> : <Catalog detail={data} />;
}

function Catalog({ detail }: { readonly detail: CatalogDetail }) {
  const [removing, setRemoving] = useState(false);
  const { catalog, document: described } = detail;
  const { catalogId, title, vendor, path, problem, hides = [] } = catalog;
  return (
    <div className="catalog-view">
      <header className="catalogs-head">
        <LibraryNav at="catalog" />
        <div className="catalog-title">
          <h1>{visibleTitle(title)}</h1>
          <p className="quiet small catalog-line">
            <code>{catalogId}</code>
            {described === undefined ? null : (
              <span>
                {kindWords[described.kind]}, version {visibleTitle(described.version)}
              </span>
            )}
            {vendor === undefined ? null : <span>{visibleTitle(vendor)}</span>}
            <span>{path}</span>
          </p>
        </div>
        <EnabledSwitch catalog={catalog} />
        <Button look="grave" onClick={() => setRemoving(true)}>
          Remove …
        </Button>
      </header>
      {problem === undefined ? null : (
        <p className="aside grave">
          <strong>Cannot be used:</strong> <InCode text={problem} />. Import its document again, or remove it.
        </p>
      )}
      {hides.map((hidden) => (
        <p key={hidden} className="aside warning">
          It overrides <code>{hidden}</code>, which has the same id.
        </p>
      ))}
      {described === undefined || described.description.trim() === '' ? null : (
        <Folded kind="About this API" hint={visibleTitle(described.description.trim().split('\n')[0] ?? '')}>
          <Markdown text={described.description} />
        </Folded>
      )}
      <CatalogSettings detail={detail} />
      <UsedBy detail={detail} />
      <CommandsHere detail={detail} />
      {removing ? <RemoveDialog detail={detail} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}

function UsedBy({ detail: { workflows } }: { readonly detail: CatalogDetail }) {
  return (
    <section>
      <h2>Used by</h2>
      {workflows.length === 0 ? (
        <p className="quiet">No workflow runs its commands.</p>
      ) : (
        <ul className="told-list">
          {workflows.map(({ id, title, file }) => (
            <li key={id}>
              <Link to={{ view: 'workflow', workflowId: id }}>{visibleTitle(title)}</Link>{' '}
              <span className="quiet small">{file}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function CommandsHere({ detail: { catalog } }: { readonly detail: CatalogDetail }) {
  const { catalogId, enabled, commandCount, problem } = catalog;
  const found = useInfiniteQuery({ ...queries.commands({ catalog: catalogId }), enabled });
  return (
    <section className="commands" aria-label="Commands">
      <div className="commands-head">
        <h2>
          Commands <span className="quiet figures">{commandCount}</span>
        </h2>
        {enabled ? (
          <Link className="small" to={{ view: 'catalogs', catalog: catalogId }}>
            Filter
          </Link>
        ) : null}
      </div>
      {!enabled ? (
        <p className="quiet">
          {problem === undefined
            ? `It is disabled. Enable it to search and run ${commandCount === 1 ? 'its command' : `its ${plural(commandCount, 'command')}`}.`
            : 'None can be used.'}
        </p>
      ) : found.data === undefined ? (
        <NotYet asked={found} what="the commands" place="part" />
      ) : (
        <CommandList asked={found} label="Commands" ofMany={false} />
      )}
    </section>
  );
}
