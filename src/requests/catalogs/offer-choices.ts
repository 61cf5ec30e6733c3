import { limits } from '../../base/limits.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { ChoicesBody } from '../../contract/api-bodies.js';
import type { ChoicesOffered } from '../../contract/catalogs-told.js';
import { askedWorkflow } from '../author/asked-workflow.js';
import type { Environment } from '../world/environment.js';
import { choicesOfInput } from './choices-of-input.js';

/** What a person may choose for an input before they start a workflow. */
export async function offerChoices(
  env: Environment,
  { workflow: id, ...asked }: ChoicesBody & { readonly workflow: string },
): Promise<Result<ChoicesOffered, Rejection>> {
  const workflow = await askedWorkflow(env, { workflowId: id });
  if (!workflow.ok) return workflow;
  const found = await choicesOfInput(env, workflow.value.workflow, asked);
  if (!found.ok) return found;
  if ('needs' in found.value) {
    const needs = found.value.needs.join(' and ');
    return err({
      code: 'PRECONDITION_FAILED',
      message: `the choices of ${asked.input} depend on ${needs}`,
      action: `enter ${needs} first`,
      context: { workflowId: id, needs: [...found.value.needs] },
    });
  }
  const { choices, command, complete, fetchedAt, stale } = found.value;
  return ok({
    input: asked.input,
    command,
    choices: choices.slice(0, limits.choicesShown).map(({ value, label }) => ({ value, label })),
    total: choices.length,
    complete,
    fetchedAt,
    ...(stale !== undefined && { stale: stale.message }),
  });
}
