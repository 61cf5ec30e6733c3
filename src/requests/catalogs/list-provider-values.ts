import { hole } from '../../base/hole.js';
import type { JsonObject } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import type { Reply } from '../../contract/reply.js';
import type { RequestOf } from '../../contract/request-schemas.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { providerValuesReply } from '../../respond/catalogs/command-replies.js';
import { askedWorkflow } from '../author/asked-workflow.js';
import { readCursor, wrongCursor } from '../world/cursors.js';
import type { Environment } from '../world/environment.js';
import { choicesOfInput } from './choices-of-input.js';

/** The values that an input may take, as its provider has them now. */
export async function listProviderValues(
  env: Environment,
  request: RequestOf<'list_provider_values'>,
): Promise<Result<Reply, Rejection>> {
  const asked = await askedWorkflow(env, request);
  if (!asked.ok) return asked;
  const from = readCursor(request.cursor);
  if (from === undefined) return err(wrongCursor('list_provider_values', request.cursor ?? ''));
  const { entry, workflow, isHere } = asked.value;
  const { input: name } = request;
  const found = await choicesOfInput(env, workflow, request);
  if (!found.ok) return found;
  const source: JsonObject = isHere ? { workflowId: entry.id } : { content: hole('the same text') };
  if ('needs' in found.value)
    return err(needsFirst(workflow, { name, needs: found.value.needs, source, inputs: request.inputs }));
  const { choices: all, command, complete, fetchedAt, fromCache, stale } = found.value;
  const values = all.slice(from, from + limits.choicesShown);
  const next = from + values.length;
  const given = request.inputs === undefined ? {} : { inputs: request.inputs };
  return ok(
    providerValuesReply(
      {
        workflowId: entry.id,
        input: name,
        command,
        values,
        total: all.length,
        fetchedAt,
        fromCache,
        complete,
        ...(stale !== undefined && { stale: stale.message }),
        ...(next < all.length && { nextCursor: String(next) }),
        nextCall: {
          tool: 'resolve_inputs',
          arguments: { ...source, inputs: { ...request.inputs, [name]: hole('the value that the user chose') } },
        },
      },
      { ...source, input: name, ...given, ...(request.query !== undefined && { query: request.query }) },
    ),
  );
}

/** What a choice depends on is chosen before. */
function needsFirst(
  workflow: CompiledWorkflow,
  asked: {
    readonly name: string;
    readonly needs: readonly string[];
    readonly source: JsonObject;
    readonly inputs: JsonObject | undefined;
  },
): Rejection {
  const { name, needs, source, inputs = {} } = asked;
  const [first = ''] = needs;
  const isOffered = own(workflow.inputs, first)?.provider !== undefined;
  return {
    code: 'PRECONDITION_FAILED',
    message: `the choices of ${name} depend on ${needs.join(' and ')}`,
    action: isOffered ? `let the user choose ${first} first` : `ask the user for ${first} first`,
    nextCall: isOffered
      ? {
          tool: 'list_provider_values',
          arguments: { ...source, input: first, ...(Object.keys(inputs).length > 0 && { inputs }) },
        }
      : {
          tool: 'list_provider_values',
          arguments: { ...source, input: name, inputs: { ...inputs, [first]: hole(first) } },
        },
  };
}
