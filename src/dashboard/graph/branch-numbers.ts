import { oncePerObject } from '../../base/once-per-object.js';
import { branchNumbers } from '../../contract/plan-tracks.js';
import type { RunGraph } from '../../contract/http-api.js';

/** The number of each node's branch, as reports and the command line have it; of a step to come, that of its tip. */
export const branchesOf: (graph: Pick<RunGraph, 'nodes' | 'tips'>) => ReadonlyMap<string, number> = oncePerObject(
  ({ nodes, tips }) => {
    const children: string[][] = nodes.map(() => []);
    for (const { id, up } of nodes) if (up !== undefined) children[up]?.push(id);
    return branchNumbers({
      nodes: nodes.map(({ id, up }, index) => {
        const parent = up === undefined ? undefined : nodes[up]?.id;
        return { nodeId: id, children: children[index] ?? [], ...(parent !== undefined && { parent }) };
      }),
      tips,
    });
  },
);
