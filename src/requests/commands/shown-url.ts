import { buildRequest } from '../../catalogs/build-request.js';
import { operationOfShape } from '../../catalogs/operation-of-shape.js';
import type { CommandToSend } from '../../decide/commands/command-at.js';

/** Where a command goes, with what is secret by its name. */
export function shownUrl(
  { step, operation, named }: Pick<CommandToSend, 'step' | 'operation' | 'named'>,
  address: string,
): string {
  const content = step.content === undefined ? {} : { content: step.content };
  const built = buildRequest(operationOfShape(operation), { ...named, ...content, baseUrl: address });
  return built.ok ? built.value.url : `${address}${operation.path}`;
}
