import path from 'node:path';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { LibraryEntry } from '../../library/library-entry.js';
import { findWorkflow, unknownWorkflow } from '../steps/find-workflow.js';
import type { Environment } from '../world/environment.js';
import { invalidWorkflow } from './invalid-workflow.js';

interface Asked {
  readonly workflowId?: string | undefined;
  readonly content?: string | undefined;
}

export interface AskedWorkflow {
  readonly entry: LibraryEntry;
  readonly workflow: CompiledWorkflow;
  /** It is here under its id, and not a text that came with the call. */
  readonly isHere: boolean;
}

/** What a text is called in messages; JSON is told by how it begins. */
export const nameOfText = (content: string): string => (/^\s*[{[]/u.test(content) ? 'content.json' : 'content.yaml');

/** A workflow that can be started: one that is here, or the text of one. */
export async function askedWorkflow(
  env: Environment,
  { workflowId, content }: Asked,
): Promise<Result<AskedWorkflow, Rejection>> {
  if (content === undefined) {
    const found = await findWorkflow(env, workflowId ?? '');
    return found.ok ? ok({ entry: found.value.entry, workflow: found.value.workflow, isHere: true }) : found;
  }
  const judged = judgedText(env, content);
  const { entry, compilation } = judged;
  if (!compilation.ok || entry.violations.length > 0) return err(invalidWorkflow(judged, 'validate_workflow'));
  return ok({ entry, workflow: compilation.workflow, isHere: false });
}

/** A text as it would be judged as a file of the project. */
export function judgedText(env: Environment, text: string): NonNullable<ReturnType<Environment['judgeFiles']>[number]> {
  const label = nameOfText(text);
  const [judged] = env.judgeFiles([{ path: path.join(env.workspace, '.workrail-content', label), label, text }]);
  if (judged === undefined) throw new Error('a text that is given is judged');
  return judged;
}

/** A workflow that is here, broken or not. */
export async function workflowHere(
  env: Environment,
  id: string,
): Promise<Result<NonNullable<Awaited<ReturnType<Environment['library']['find']>>>, Rejection>> {
  const found = await env.library.find(id);
  return found === undefined ? err(await unknownWorkflow(env, id)) : ok(found);
}
