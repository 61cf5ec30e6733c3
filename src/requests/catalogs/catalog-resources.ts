import type { JsonObject } from '../../base/json-value.js';
import type { Environment } from '../world/environment.js';
import { groupPrefixes } from './import-openapi.js';
import { catalogTold } from './list-catalogs.js';

interface CatalogResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: 'application/json';
  readonly text: string;
}

/** What can be read of catalogs: which are here and how they are searched. Their commands are too many for one page. */
export function catalogResources(env: Environment): readonly CatalogResource[] {
  const all = env.catalogs.list().map((entry) => {
    const { catalogId, title, revision, enabled, commandCount, problem } = catalogTold(env, entry);
    const opened = env.catalogs.open(entry);
    return {
      told: { catalogId, title, revision, enabled, commandCount, ...(problem !== undefined && { problem }) },
      groups: opened.ok ? groupPrefixes(opened.value.catalog.operations) : [],
      providerCount: opened.ok ? Object.keys(opened.value.providers).length : 0,
    };
  });
  const page = (value: JsonObject): string => JSON.stringify(value, undefined, 1);
  return [
    {
      uri: 'workrail://commands',
      name: 'commands',
      title: 'Commands',
      description: 'The catalogs of commands that are here, and how to find a command in them',
      mimeType: 'application/json',
      text: page({
        search: 'search_commands {"query": "what it should do"}; with "commandId": its parameters, body and a step',
        catalogs: all.map(({ told, groups }) => ({ ...told, groups })),
      }),
    },
    {
      uri: 'workrail://providers',
      name: 'providers',
      title: 'Providers',
      description: 'How many commands of each catalog can offer the choices of an input, and how to find one',
      mimeType: 'application/json',
      text: page({
        search: 'list_providers {"query": "what to choose from"}: where the choices stand, and what it requires',
        catalogs: all.map(({ told: { catalogId, enabled }, providerCount }) => ({ catalogId, enabled, providerCount })),
      }),
    },
  ];
}
