import { useQuery } from '@tanstack/react-query';
import type { ListedWorkflow } from '../../contract/answer.js';
import { queries } from '../api/queries.js';
import { LibraryNav } from '../catalogs/library-nav.js';
import { walkLinks } from '../keys/walk-links.js';
import { NotYet, StateNotice } from '../parts/state-notice.js';
import { WorkflowRow } from '../workflows/workflow-row.js';
import '../workflows/workflows.css';

/** The sources in the order in which one takes the place of another. */
const sources: readonly { readonly name: string; readonly title: string }[] = [
  { name: 'configured', title: 'Configured folders' },
  { name: 'project', title: 'This project' },
  { name: 'user', title: 'Yours' },
  { name: 'bundled', title: 'Built in' },
];

/** The library: every workflow file in reach, by where it comes from. */
export function WorkflowsView({ query }: { readonly query: string }) {
  const asked = useQuery(queries.workflows(query));
  const { data, isPlaceholderData } = asked;
  if (data === undefined) return <NotYet asked={asked} what="the workflows" lines={9} />;
  const { workflows, here, used = [] } = data;
  const usedBy = new Map(used.map((one) => [one.workflowId, one]));
  if (here === 0) {
    return (
      <StateNotice kind="empty" title="No workflows found">
        <p>The built-in workflows are missing too. Add your own to .workrail/workflows, or reinstall WorkRail.</p>
      </StateNotice>
    );
  }
  const known = new Set(sources.map(({ name }) => name));
  const shelves = [
    ...sources,
    ...[...new Set(workflows.map(({ source }) => source))]
      .filter((name) => !known.has(name))
      .map((name) => ({ name, title: name })),
  ]
    .map((shelf) => ({ ...shelf, workflows: workflows.filter(({ source }) => source === shelf.name) }))
    .filter((shelf) => shelf.workflows.length > 0);
  const [firstFound] = shelves.flatMap((shelf) => shelf.workflows);
  return (
    <div className="workflows-view" aria-busy={isPlaceholderData}>
      <header className="workflows-head">
        <LibraryNav at="workflows" />
        <h1>{query === '' ? 'Workflows' : `Workflows with “${query}”`}</h1>
        <p className="quiet figures" role="status">
          {query === '' ? `${here} in total` : `${workflows.length} of ${here}`}
          {brokenWords(workflows)}
        </p>
      </header>
      {workflows.length === 0 ? (
        <p className="nothing-of-that">
          No workflow matches. Search covers titles, ids, descriptions, tags and file names; every word must match.
        </p>
      ) : (
        <div role="presentation" onKeyDown={(event) => walkLinks(event, '.workflow-row h3 a')}>
          {shelves.map(({ name, title, workflows: shelved }) => (
            <section key={name} aria-label={title} className="shelf">
              <h2>
                {title} <span className="quiet figures">{shelved.length}</span>
              </h2>
              <ul>
                {shelved.map((workflow) => (
                  <WorkflowRow
                    key={workflow.file}
                    workflow={workflow}
                    first={workflow === firstFound}
                    used={usedBy.get(workflow.id)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      )}
    </div>
  );
}

function brokenWords(workflows: readonly ListedWorkflow[]): string {
  const broken = workflows.filter(({ startable }) => !startable).length;
  return broken === 0 ? '' : broken === 1 ? '; one cannot be started' : `; ${broken} cannot be started`;
}
