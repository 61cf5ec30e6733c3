import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { type CommandLookup, commandParts, type CommandProblem } from '../compiled/command-lookup.js';
import type { OperationShape } from '../compiled/operation-shape.js';
import type { StepOutline } from '../source/source-outline.js';
import type { SourcePath } from '../source/source-path.js';

/** One place of a file that names a command: a step, or a provider of an input. */
export interface CommandSite {
  /** Of the object that holds `run`. */
  readonly path: SourcePath;
  readonly source: JsonObject;
  readonly catalog: string;
  readonly command: string;
  readonly step?: StepOutline;
}

export interface FoundCommand extends CommandSite {
  readonly found: OperationShape | CommandProblem | undefined;
}

export function commandSites(inputs: JsonObject, all: readonly StepOutline[]): readonly CommandSite[] {
  const site = (one: JsonValue | undefined, path: SourcePath, step?: StepOutline): readonly CommandSite[] => {
    const source = isJsonObject(one ?? null) ? (one as JsonObject) : {};
    const parts = typeof source['run'] === 'string' ? commandParts(source['run']) : undefined;
    return parts === undefined ? [] : [{ path, source, ...parts, ...(step && { step }) }];
  };
  return [
    ...Object.entries(inputs).flatMap(([name, input]) =>
      isJsonObject(input) ? site(input['provider'], ['inputs', name, 'provider']) : [],
    ),
    ...all.flatMap((step) => site(step.source, step.path, step)),
  ];
}

export const lookedUp = (sites: readonly CommandSite[], commands: CommandLookup | undefined): readonly FoundCommand[] =>
  sites.map((site) => ({ ...site, found: commands?.(site.catalog, site.command) }));

export const operationOf = ({ found }: FoundCommand): OperationShape | undefined =>
  found === undefined || 'problem' in found ? undefined : found;
