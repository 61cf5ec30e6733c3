import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { WorkflowsPage } from '../../contract/workflow-answers.js';
import { foldText } from '../../base/search-words.js';
import type { Environment } from '../world/environment.js';
import { listedEntry } from './listed-entry.js';
import { workflowUsage } from './workflow-usage.js';

/** The whole library, searched while somebody types. */
export async function browseWorkflows(
  env: Environment,
  { query = '' }: { readonly query?: string | undefined },
): Promise<Result<WorkflowsPage, Rejection>> {
  const [all, used] = await Promise.all([env.library.list(), workflowUsage(env)]);
  const words = foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const found = all.filter(({ id, title, description, tags, file }) => {
    const text = foldText([id, title, description, ...tags, file].join('\n'));
    return words.every((word) => text.includes(word));
  });
  return ok({
    workflows: found.map((entry) => listedEntry(entry)),
    here: all.length,
    ...(used !== undefined && { used }),
  });
}
