import { limits } from '../base/limits.js';
import type { PeopleRequests } from '../requests/people-requests.js';
import type { ApiHandlers } from './handler-of-route.js';
import { readText } from './read-body.js';

type CatalogRoute =
  | 'choices'
  | 'catalogs'
  | 'catalog'
  | 'commands'
  | 'command'
  | 'previewDocument'
  | 'importDocument'
  | 'enableCatalog'
  | 'removeCatalog';

/** What the routes of catalogs and their commands do. */
export const catalogHandlers = (people: PeopleRequests): Pick<ApiHandlers, CatalogRoute> => ({
  choices: ({ param, body }) => people.offerChoices({ workflow: param('workflow'), ...body }),
  catalogs: () => people.browseCatalogs({}),
  catalog: ({ param }) => people.readCatalog({ catalog: param('catalog') }),
  commands: ({ query }) => people.browseCommands(query),
  command: ({ param }) => people.readCommand({ catalog: param('catalog'), command: param('command') }),
  previewDocument: async ({ request, query }) => {
    const text = await readText(request, limits.apiDocument);
    return text.ok ? people.previewDocument({ text: text.value, ...query }) : text;
  },
  importDocument: async ({ request, query }) => {
    const text = await readText(request, limits.apiDocument);
    return text.ok ? people.importDocument({ text: text.value, ...query }) : text;
  },
  enableCatalog: ({ param, body }) => people.enableCatalog({ catalog: param('catalog'), ...body }),
  removeCatalog: ({ param, body }) => people.removeCatalog({ catalog: param('catalog'), ...body }),
});
