import { limits } from '../../base/limits.js';
import { addUsage, tellUsage, type UsageSum } from '../../base/usage.js';
import type { WorkflowUsage } from '../../contract/workflow-answers.js';
import type { Environment } from '../world/environment.js';
import type { Registered } from '../world/registered-session.js';

/** What runs of each workflow used, as the register knows it. Undefined while sessions are read for the first time: half of a sum is none. */
export async function workflowUsage({ register }: Environment): Promise<readonly WorkflowUsage[] | undefined> {
  const { found, reading } = await register.known(false, limits.firstListMs);
  return reading === undefined ? usedByWorkflow(found) : undefined;
}

function usedByWorkflow(found: readonly Registered[]): readonly WorkflowUsage[] {
  const by = new Map<string, { readonly runs: number; readonly usage: UsageSum }>();
  for (const { run } of found.flatMap(({ places }) => places)) {
    if (run?.usage === undefined) continue;
    const { runs = 0, usage } = by.get(run.workflowId) ?? {};
    by.set(run.workflowId, { runs: runs + 1, usage: addUsage(usage, run.usage)! });
  }
  return [...by]
    .map(([workflowId, { runs, usage }]) => ({ workflowId, runs, usage: tellUsage(usage) }))
    .toSorted((a, b) => (a.workflowId < b.workflowId ? -1 : 1));
}
