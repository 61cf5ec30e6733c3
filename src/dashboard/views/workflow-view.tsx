import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice } from '../parts/state-notice.js';

/** One workflow. */
export function WorkflowView({ workflowId }: { readonly workflowId: string }) {
  const { data, error, refetch } = useQuery(queries.workflow(workflowId));
  if (data === undefined) return error === null ? <Skeleton what="the workflow" /> : <FailureNotice error={error} retry={() => void refetch()} />;
  return (
    <div>
      <h1>{data.workflow.title}</h1>
      <p>{data.workflow.description}</p>
    </div>
  );
}
