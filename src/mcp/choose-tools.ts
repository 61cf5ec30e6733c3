import { closestName } from '../base/closest-name.js';
import { err, ok, type Result } from '../base/result.js';
import type { RequestName } from '../contract/request-schemas.js';
import { toolCatalogue } from '../contract/tool-catalogue.js';
import { toolsets } from '../contract/tools/tool.js';

/** One place where tools are switched, in the order in which places are heard: the environment first, the command line last. */
export interface ToolSwitches {
  /** As a person wrote it, for messages: `--disable`, `WORKRAIL_DISABLE`. */
  readonly enableName: string;
  readonly disableName: string;
  readonly toolsetsName?: string;
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  readonly toolsets?: readonly string[];
}

/** The tools a server offers. A switch that names nothing, or what cannot be switched, is refused in words. */
export function chooseTools(
  places: readonly ToolSwitches[],
  readOnly = false,
): Result<ReadonlySet<RequestName>, string> {
  const chosen = new Set(toolCatalogue.filter(({ byDefault }) => byDefault).map(({ name }) => name));
  for (const {
    enableName,
    disableName,
    toolsetsName = '--toolsets',
    enable,
    disable,
    toolsets: asked = [],
  } of places) {
    for (const toolset of namesOf(asked)) {
      if (!toolsets.some((known) => known === toolset)) return err(unknownToolset(toolsetsName, toolset));
      for (const tool of toolCatalogue) if (tool.toolset === toolset) chosen.add(tool.name);
    }
    const off = namesOf(disable);
    const on = namesOf(enable);
    for (const name of off) {
      const tool = toolCatalogue.find((entry) => entry.name === name);
      if (tool === undefined) return err(unknownName(disableName, name));
      if (!tool.optional)
        return err(`${disableName}: ${name} cannot be disabled; these can: ${optionalNames().join(', ')}`);
      if (on.includes(name)) return err(`${name} is named by both ${disableName} and ${enableName}`);
      chosen.delete(tool.name);
    }
    for (const name of on) {
      const tool = toolCatalogue.find((entry) => entry.name === name);
      if (tool === undefined) return err(unknownName(enableName, name));
      chosen.add(tool.name);
    }
  }
  if (readOnly) for (const { name, annotations } of toolCatalogue) if (!annotations.readOnlyHint) chosen.delete(name);
  return ok(chosen);
}

const namesOf = (lists: readonly string[]): readonly string[] => {
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
};

/** Sets of tools are asked for by their own name. */
const single = toolCatalogue.filter(({ toolset }) => toolset === undefined);
const optionalNames = (): readonly string[] => single.filter(({ optional }) => optional).map(({ name }) => name);

function unknownName(place: string, name: string): string {
  const names = single.map((tool) => tool.name);
  const closest = closestName(
    name,
    toolCatalogue.map((tool) => tool.name),
  );
  return `${place}: no tool named ${JSON.stringify(name)}; ${closest === undefined ? `the tools are ${names.join(', ')}` : `did you mean ${closest}?`}`;
}

function unknownToolset(place: string, name: string): string {
  const closest = closestName(name, toolsets);
  return `${place}: no toolset named ${JSON.stringify(name)}; ${closest === undefined ? `the toolsets are ${toolsets.join(', ')}` : `did you mean ${closest}?`}`;
}
