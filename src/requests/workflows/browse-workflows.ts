import type { Rejection } from '../../base/rejection.js';
import { ok, type Result } from '../../base/result.js';
import type { ListedWorkflow } from '../../contract/answer.js';
import type { WorkflowsPage } from '../../contract/workflow-answers.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { asJson } from '../../contract/reply-with.js';
import { foldText } from '../../sessions/search-words.js';
import type { Environment } from '../world/environment.js';

/** The whole library, searched while somebody types. */
export async function browseWorkflows(
  env: Environment,
  { query = '' }: { readonly query?: string | undefined },
): Promise<Result<WorkflowsPage, Rejection>> {
  const all = await env.library.list();
  const words = foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const found = all.filter(({ id, title, description, tags, file }) => {
    const text = foldText([id, title, description, ...tags, file].join('\n'));
    return words.every((word) => text.includes(word));
  });
  return ok({ workflows: found.map(wholeEntry), here: all.length });
}

/** As a list tells it, with nothing cut. */
export function wholeEntry({
  id,
  title,
  description,
  version,
  kind,
  tags,
  idStatus,
  suggestedId,
  source,
  file,
  hides,
  violations,
  warnings,
}: LibraryEntry): ListedWorkflow {
  return {
    id,
    title,
    description,
    ...(version !== undefined && { version }),
    kind,
    tags,
    idStatus,
    ...(suggestedId !== undefined && { suggestedId }),
    source,
    file,
    hides,
    startable: violations.length === 0,
    violations: violations.map(asJson),
    ...(warnings.length > 0 && { warningCount: warnings.length }),
  };
}
