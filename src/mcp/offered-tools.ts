import type { JsonObject } from '../base/json-value.js';
import type { RequestName } from '../contract/request-schemas.js';
import { legacyToolNames, toolCatalogue, type ToolEntry } from '../contract/tool-catalogue.js';
import { toolSchema } from '../contract/tool-schemas.js';

export interface OfferedTool {
  /** The name a client calls. */
  readonly name: string;
  readonly request: RequestName;
  readonly legacy: boolean;
  /** What is published of it. */
  readonly published: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema: JsonObject & { readonly type: 'object' };
    readonly annotations: ToolEntry['annotations'];
    readonly _meta?: { readonly [key: string]: string };
  };
}

/** The tools of a server, in the order of the catalogue; the names of the first contract come after all others. */
export function offeredTools(chosen: ReadonlySet<RequestName>, legacyNames: boolean): readonly OfferedTool[] {
  const entries = toolCatalogue.filter(({ name }) => chosen.has(name));
  const sessionTokens = chosen.has('start_session');
  const classed = entries.some(({ toolset }) => toolset !== undefined);
  const own = entries.map((entry) => offered(entry.name, entry, { sessionTokens, legacy: false, classed }));
  if (!legacyNames) return own;
  const legacy = Object.entries(legacyToolNames).flatMap(([name, request]) => {
    return entries
      .filter((entry) => entry.name === request)
      .map((entry) => offered(name, entry, { sessionTokens, legacy: true, classed }));
  });
  return [...own, ...legacy];
}

function offered(
  name: string,
  entry: ToolEntry,
  options: { readonly sessionTokens: boolean; readonly legacy: boolean; readonly classed: boolean },
): OfferedTool {
  const { title, description, annotations } = entry;
  const inputSchema = { ...toolSchema(entry.name, options), type: 'object' as const };
  return {
    name,
    request: entry.name,
    legacy: options.legacy,
    published: {
      name,
      title,
      description,
      inputSchema,
      annotations,
      ...(options.classed && { _meta: classOf(entry) }),
    },
  };
}

/** How far a tool goes, for hosts that route by it. Said where sets of tools are asked for. */
function classOf({ annotations: { readOnlyHint, destructiveHint }, name }: ToolEntry): {
  readonly [key: string]: string;
} {
  const isDeletion = name === 'delete_workflow' || name === 'remove_catalog';
  return {
    'workrail/execution_type': readOnlyHint ? 'safe' : isDeletion ? 'destructive' : 'standard',
    'workrail/http_method': readOnlyHint ? 'GET' : isDeletion ? 'DELETE' : destructiveHint ? 'PUT' : 'POST',
  };
}
