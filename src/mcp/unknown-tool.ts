import { closestName } from '../base/closest-name.js';
import { earlierTools, legacyToolNames, toolCatalogue, tools } from '../contract/tool-catalogue.js';

/** Why a name cannot be called here, and what can be done about it. */
export function unknownTool(name: string, offered: readonly string[]): string {
  const tool = toolCatalogue.find((entry) => entry.name === name);
  if (tool !== undefined) {
    if (tool.toolset !== undefined)
      return `The tool ${name} is not offered on this server. It takes --toolsets ${tool.toolset} (or WORKRAIL_TOOLSETS=${tool.toolset}).`;
    return tool.byDefault
      ? `The tool ${name} is disabled on this server by --disable or WORKRAIL_DISABLE. To offer it, remove it there or pass --enable ${name} instead.`
      : `The tool ${name} is not enabled on this server. It takes --enable ${name} (or WORKRAIL_ENABLE=${name}).`;
  }
  if (Object.hasOwn(legacyToolNames, name)) {
    return `The tool ${name} is called ${legacyToolNames[name]} here. The flag --legacy-tool-names offers the old names too.`;
  }
  if (Object.hasOwn(earlierTools, name)) {
    const instead = earlierTools[name]!;
    return `There is no tool ${name}; use ${instead} instead. ${tools[instead].description}`;
  }
  const shown = JSON.stringify(name.slice(0, 80));
  const closest = closestName(name, offered);
  return `No tool is named ${shown}. ${closest === undefined ? `The tools are ${offered.join(', ')}.` : `Did you mean ${closest}?`}`;
}
