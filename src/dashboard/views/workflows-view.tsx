import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice } from '../parts/state-notice.js';
import { Link } from '../router/link.js';

/** The library: every workflow file in reach. */
export function WorkflowsView({ query }: { readonly query: string }) {
  const { data, error, refetch } = useQuery(queries.workflows(query));
  if (data === undefined) return error === null ? <Skeleton what="the workflows" /> : <FailureNotice error={error} retry={() => void refetch()} />;
  return (
    <div>
      <h1>Workflows</h1>
      <ul>
        {data.workflows.map(({ id, title, file }) => (
          <li key={file}>
            <Link to={{ view: 'workflow', workflowId: id }}>{title}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
