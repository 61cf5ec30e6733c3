import { closestName } from '../base/closest-name.js';
import { err, ok, type Result } from '../base/result.js';
import type { RequestName } from '../contract/request-schemas.js';
import { toolCatalogue } from '../contract/tool-catalogue.js';

/** One place where tools are switched, in the order in which places are heard: the environment first, the command line last. */
export interface ToolSwitches {
  /** As a person wrote it, for messages: `--disable`, `WORKRAIL_DISABLE`. */
  readonly enableName: string;
  readonly disableName: string;
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** The tools a server offers. A switch that names nothing, or what cannot be switched, is refused in words. */
export function chooseTools(places: readonly ToolSwitches[]): Result<ReadonlySet<RequestName>, string> {
  const chosen = new Set(toolCatalogue.filter(({ byDefault }) => byDefault).map(({ name }) => name));
  for (const { enableName, disableName, enable, disable } of places) {
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
  return ok(chosen);
}

const namesOf = (lists: readonly string[]): readonly string[] => {
  return lists
    .flatMap((list) => list.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '');
};

const optionalNames = (): readonly string[] => toolCatalogue.filter(({ optional }) => optional).map(({ name }) => name);

function unknownName(place: string, name: string): string {
  const names = toolCatalogue.map((tool) => tool.name);
  const closest = closestName(name, names);
  return `${place}: there is no tool ${JSON.stringify(name)}; ${closest === undefined ? `the tools are ${names.join(', ')}` : `did you mean ${closest}?`}`;
}
