import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { plural } from '../../base/plural.js';
import { type SafetyWord, safetyWords } from '../../base/closed-sets.js';
import type { CatalogHere } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { queries } from '../api/queries.js';
import { CatalogRow } from '../catalogs/catalog-row.js';
import { CommandList } from '../catalogs/command-list.js';
import { DocumentButton } from '../catalogs/document-button.js';
import { LibraryNav } from '../catalogs/library-nav.js';
import { CommandTold } from '../parts/command-told.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';
import { navigate } from '../router/navigate.js';
import '../catalogs/catalogs.css';

interface CatalogsViewProps {
  readonly query?: string | undefined;
  readonly catalog?: string | undefined;
  readonly safety?: string | undefined;
}

/** The catalogs that are here, and a search over the commands of all. */
export function CatalogsView({ query, catalog, safety }: CatalogsViewProps) {
  const asked = useQuery(queries.catalogs());
  if (asked.data === undefined) return <NotYet asked={asked} what="the catalogs" lines={6} />;
  const { catalogs } = asked.data;
  if (catalogs.length === 0) return <NoCatalogs />;
  const isSearch = query !== undefined || catalog !== undefined || safety !== undefined;
  const broken = catalogs.filter(({ problem }) => problem !== undefined).length;
  return (
    <div className="catalogs-view">
      <header className="catalogs-head">
        <LibraryNav at={isSearch ? 'catalog' : 'catalogs'} />
        <h1>{query === undefined ? (isSearch ? 'Commands' : 'Catalogs') : `Commands for “${query}”`}</h1>
        {isSearch ? null : (
          <>
            <p className="quiet figures">
              {plural(catalogs.length, 'catalog')}
              {broken === 0 ? '' : `; ${broken} cannot be used`}
            </p>
            <DocumentButton />
          </>
        )}
      </header>
      {isSearch ? null : (
        <ul className="catalog-list" aria-label="Catalogs">
          {catalogs.map((one) => (
            <CatalogRow key={one.catalogId} catalog={one} />
          ))}
        </ul>
      )}
      <Commands asked={{ query, catalog, safety }} catalogs={catalogs} isSearch={isSearch} />
    </div>
  );
}

function NoCatalogs() {
  return (
    <>
      <header className="catalogs-head">
        <LibraryNav at="catalogs" />
      </header>
      <StateNotice kind="empty" title="No catalogs yet">
        <p>
          A catalog holds the commands of one API, so that workflows can call it. It is made from the API’s OpenAPI
          document.
        </p>
        <p>Drop the document on this page (OpenAPI 2.0, 3.0 or 3.1, YAML or JSON), or choose it:</p>
        <DocumentButton main />
        <p className="quiet">Or in a terminal:</p>
        <CommandTold words={['catalogs', 'import', 'openapi.yaml']} label="Copy the command" />
      </StateNotice>
    </>
  );
}

interface CommandsProps {
  readonly asked: CatalogsViewProps;
  readonly catalogs: readonly CatalogHere[];
  readonly isSearch: boolean;
}

const isSafety = (word: string | undefined): word is SafetyWord => safetyWords.some((one) => one === word);

function Commands({ asked: { query, catalog, safety }, catalogs, isSearch }: CommandsProps) {
  const found = useInfiniteQuery(
    queries.commands({
      ...(query !== undefined && { query }),
      ...(catalog !== undefined && { catalog }),
      ...(isSafety(safety) && { safety }),
    }),
  );
  const { data, isPlaceholderData } = found;
  const go = (changed: CatalogsViewProps): void => {
    const next = { query, catalog, safety, ...changed };
    navigate({
      view: 'catalogs',
      ...(next.query !== undefined && { query: next.query }),
      ...(next.catalog !== undefined && next.catalog !== '' && { catalog: next.catalog }),
      ...(next.safety !== undefined && next.safety !== '' && { safety: next.safety }),
    });
  };
  const total = data?.pages[0]?.total ?? 0;
  const here = data?.pages[0]?.here ?? 0;
  return (
    <section className="commands" aria-label="Commands" aria-busy={isPlaceholderData}>
      <div className="commands-head">
        {isSearch ? null : <h2>Commands</h2>}
        <select
          className="menu"
          aria-label="Filter by catalog"
          value={catalog ?? ''}
          onChange={(event) => go({ catalog: event.target.value })}
        >
          <option value="">All catalogs</option>
          {catalogs.map(({ catalogId, title }) => (
            <option key={catalogId} value={catalogId}>
              {visibleTitle(title)}
            </option>
          ))}
        </select>
        <select
          className="menu"
          aria-label="Filter by safety"
          value={isSafety(safety) ? safety : ''}
          onChange={(event) => go({ safety: event.target.value })}
        >
          <option value="">Any safety</option>
          {safetyWords.map((word) => (
            <option key={word} value={word}>
              {word.charAt(0).toUpperCase() + word.slice(1)}
            </option>
          ))}
        </select>
        <p className="quiet figures small" role="status">
          {data === undefined
            ? ''
            : total === here
              ? plural(here, 'command')
              : `${total} of ${plural(here, 'command')}`}
        </p>
        {isSearch ? (
          <Link className="small" to={{ view: 'catalogs' }}>
            Clear
          </Link>
        ) : null}
      </div>
      {data === undefined ? (
        <NotYet asked={found} what="the commands" place="part" />
      ) : total === 0 ? (
        <p className="no-commands">{nothingWords(here, isSearch)}</p>
      ) : (
        <CommandList asked={found} label="Commands" ofMany={catalogs.length > 1} />
      )}
    </section>
  );
}

function nothingWords(here: number, isSearch: boolean): string {
  if (here === 0) return 'No command can be used: every catalog is disabled or cannot be read.';
  return isSearch
    ? 'No command matches. Say what it does in other words, such as “close an issue”, or take a filter away. Disabled catalogs are left out.'
    : 'The catalogs here have no commands.';
}
