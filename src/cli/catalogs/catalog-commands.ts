import type { Command } from '../shell/command.js';
import type { OptionTable } from '../print/option-table.js';
import { atDeskOptions } from '../shell/shared-options.js';

const url: OptionTable = {
  url: { kind: 'text', value: 'url', says: 'the address of the document, instead of a file' },
};

const named: OptionTable = {
  id: {
    kind: 'text',
    value: 'id',
    says: 'what workflows call it (default: made from the name of the file or the title)',
  },
  title: { kind: 'text', value: 'title', says: 'the title (default: the one in the document)' },
  vendor: { kind: 'text', value: 'name', says: 'whose API it is' },
  'base-url': { kind: 'text', value: 'url', says: 'the address of the API (default: the one in the document)' },
  to: { kind: 'text', value: 'project|user', says: 'where a new catalog goes' },
};

const found: OptionTable = {
  catalog: { kind: 'text', value: 'catalog', says: 'only of this catalog' },
  all: { kind: 'switch', says: 'show all of them' },
};

/** Commands about the APIs that workflows call. */
export const catalogCommands: readonly Command[] = [
  {
    name: 'catalogs',
    group: 'catalogs',
    summary: 'list the APIs whose commands workflows can run',
    details: ['A catalog is an OpenAPI document and your settings for it. Lists those of the project and your own.'],
    options: atDeskOptions,
    examples: ['workrail catalogs', 'workrail catalogs --json'],
    load: async () => (await import('./list-catalogs-command.js')).runCatalogs,
  },
  {
    name: 'catalogs show',
    group: 'catalogs',
    summary: 'show a catalog, its settings and what uses it',
    words: { usage: '<catalog>', most: 1, name: 'catalog' },
    details: [],
    options: atDeskOptions,
    examples: ['workrail catalogs show petstore'],
    load: async () => (await import('./list-catalogs-command.js')).runCatalogsShow,
  },
  {
    name: 'catalogs validate',
    group: 'catalogs',
    summary: 'check an OpenAPI document, and report every problem',
    words: { usage: '<file>', most: 1, name: 'file' },
    details: [
      'OpenAPI 2.0 (Swagger), 3.0 and 3.1, as YAML or JSON. Files that the document refers to must be in its folder.',
      'The exit code is 1 if there are errors, 0 if there are only warnings.',
    ],
    options: { ...url, ...atDeskOptions },
    examples: ['workrail catalogs validate openapi.yaml', 'workrail catalogs validate openapi.yaml --json'],
    load: async () => (await import('./import-catalog-command.js')).runCatalogsValidate,
  },
  {
    name: 'catalogs preview',
    group: 'catalogs',
    summary: 'show the catalog that an import would make',
    words: { usage: '<file>', most: 1, name: 'file' },
    details: ['Writes nothing.'],
    options: { ...url, ...named, ...atDeskOptions },
    examples: ['workrail catalogs preview openapi.yaml', 'workrail catalogs preview openapi.yaml --id petstore'],
    load: async () => (await import('./import-catalog-command.js')).runCatalogsPreview,
  },
  {
    name: 'catalogs import',
    group: 'catalogs',
    summary: 'make a catalog from an OpenAPI document',
    words: { usage: '<file>', most: 1, name: 'file' },
    details: [
      'A copy of the document goes into the project where there is a .workrail, else into your own folder. Nothing is fetched or called.',
      'Import again with --overwrite when the document changes; the settings stay.',
    ],
    options: {
      ...url,
      ...named,
      overwrite: { kind: 'switch', says: 'replace the document of the catalog with the same id' },
      disabled: { kind: 'switch', says: 'import it without offering its commands yet' },
      ...atDeskOptions,
    },
    examples: [
      'workrail catalogs import openapi.yaml',
      'workrail catalogs import ~/Downloads/petstore.json --id petstore --base-url http://localhost:8080/v3',
      'workrail catalogs import openapi.yaml --overwrite',
    ],
    load: async () => (await import('./import-catalog-command.js')).runCatalogsImport,
  },
  {
    name: 'catalogs configure',
    group: 'catalogs',
    summary: 'set how the commands of a catalog are called',
    words: { usage: '<catalog>', most: 1, name: 'catalog' },
    details: [
      'Without options, it shows the settings.',
      '--auth takes bearer:SECRET, basic:USER:SECRET, header:NAME:SECRET, query:NAME:SECRET, cookie:NAME:SECRET, client:ID:SECRET (OAuth client credentials, with --token-url) or none. SECRET is a name that you choose, such as TOKEN, never the secret itself.',
      '--header and --allow add to what is set; --header NAME= removes a header, and --reset first empties the setting.',
    ],
    options: {
      'base-url': { kind: 'text', value: 'url', says: 'the address of the API' },
      auth: { kind: 'text', value: 'kind:…:SECRET', says: 'how calls say who makes them; see above' },
      'token-url': { kind: 'text', value: 'url', says: 'where --auth client:… gets its tokens' },
      scope: { kind: 'list', value: 'scope', says: 'an OAuth scope to ask for; repeatable' },
      header: { kind: 'list', value: 'name=value', says: 'a header to send with each call; repeatable' },
      'idempotency-header': {
        kind: 'text',
        value: 'name',
        says: 'the header that takes a key, so that a repeated call is done once',
      },
      allow: {
        kind: 'list',
        value: 'address',
        says: 'an address to allow that is not public, such as localhost:8080 or 10.0.0.0/8; repeatable',
      },
      timeout: { kind: 'text', value: 'seconds', says: 'how long a call may take (default: 30)' },
      'at-once': { kind: 'text', value: 'number', says: 'how many calls may run at the same time (default: 4)' },
      reset: {
        kind: 'list',
        value: 'setting',
        says: 'back to the default: base-url, auth, headers, idempotency-header, allow or limits; repeatable',
      },
      ...atDeskOptions,
    },
    examples: [
      'workrail catalogs configure petstore --base-url http://localhost:8080/v3 --allow localhost:8080',
      'workrail catalogs configure github --auth bearer:GITHUB_TOKEN',
      'workrail catalogs configure shop --auth header:X-Api-Key:SHOP_KEY --header Accept-Language=en',
      'workrail catalogs configure shop --reset auth --reset headers',
    ],
    load: async () => (await import('./configure-catalog-command.js')).runCatalogsConfigure,
  },
  {
    name: 'catalogs secret',
    group: 'catalogs',
    summary: 'set, list or remove the secrets that a catalog reads',
    words: { usage: '<catalog> [<name>]', most: 2, name: 'catalog' },
    details: [
      'Asks for the value without showing it; without a terminal, it reads the value from stdin. Agents and workflows see only the name.',
      'A secret is used only by its catalog, at the address that the catalog has now.',
    ],
    options: {
      env: { kind: 'text', value: 'variable', says: 'read the value from this environment variable at each call' },
      list: { kind: 'switch', says: 'list the names (also without a name)' },
      remove: { kind: 'switch', says: 'remove the secret' },
      ...atDeskOptions,
    },
    examples: [
      'workrail catalogs secret github',
      'workrail catalogs secret github TOKEN',
      'workrail catalogs secret github TOKEN --env GITHUB_TOKEN',
      'workrail catalogs secret github TOKEN --remove',
    ],
    load: async () => (await import('./catalog-secret-command.js')).runCatalogsSecret,
  },
  {
    name: 'catalogs enable',
    group: 'catalogs',
    summary: 'offer the commands of a catalog to workflows',
    words: { usage: '<catalog>', most: 1, name: 'catalog' },
    details: [],
    options: atDeskOptions,
    examples: ['workrail catalogs enable petstore'],
    load: async () => (await import('./change-catalog-command.js')).runCatalogsEnable,
  },
  {
    name: 'catalogs disable',
    group: 'catalogs',
    summary: 'stop offering the commands of a catalog',
    words: { usage: '<catalog>', most: 1, name: 'catalog' },
    details: ['Deletes nothing. Names the workflows that cannot be started without it.'],
    options: atDeskOptions,
    examples: ['workrail catalogs disable petstore'],
    load: async () => (await import('./change-catalog-command.js')).runCatalogsDisable,
  },
  {
    name: 'catalogs remove',
    group: 'catalogs',
    summary: 'move a catalog to the trash',
    words: { usage: '<catalog>', most: 1, name: 'catalog' },
    details: [
      'Asks first; --yes does not. The copy of the document stays in its folder; --with-document moves it to the trash too.',
      'What was removed is kept below local/deleted of the data folder.',
    ],
    options: {
      'with-document': { kind: 'switch', says: 'remove the copy of the document too' },
      yes: { kind: 'switch', says: 'do not ask' },
      ...atDeskOptions,
    },
    examples: ['workrail catalogs remove petstore', 'workrail catalogs remove petstore --with-document --yes'],
    load: async () => (await import('./change-catalog-command.js')).runCatalogsRemove,
  },
  {
    name: 'commands search',
    group: 'catalogs',
    summary: 'find the commands of APIs by what they do',
    words: { usage: '[words…]', most: 20 },
    details: [
      'Searches all enabled catalogs, the closest first, and the workflows. Without words, it lists the commands in the order of the document.',
      'safe only reads; idempotent can be repeated; mutating and destructive change things.',
    ],
    options: {
      ...found,
      safety: { kind: 'text', value: 'safe|idempotent|mutating|destructive', says: 'only commands of this kind' },
      ...atDeskOptions,
    },
    examples: [
      'workrail commands search close an issue',
      'workrail commands search pets --catalog petstore --safety safe',
      'workrail commands search --catalog petstore --all --json',
    ],
    load: async () => (await import('./search-commands-command.js')).runCommandsSearch,
  },
  {
    name: 'commands show',
    group: 'catalogs',
    summary: 'show what a command takes, and a step to copy',
    words: { usage: '<catalog> <command>', most: 3, name: 'api' },
    details: [
      'Shows its parameters, body and answers. Name it as a step does; a method and a path name one too. The catalog can be left out where only one has it.',
      '--step prints only the step, as YAML. --json has every schema in full.',
    ],
    options: { step: { kind: 'switch', says: 'print only the step to copy' }, ...atDeskOptions },
    examples: [
      'workrail commands show petstore addPet',
      "workrail commands show 'github repos/get'",
      "workrail commands show petstore GET '/pet/{petId}'",
      'workrail commands show petstore addPet --step >> mine.yaml',
    ],
    load: async () => (await import('./show-command-command.js')).runCommandsShow,
  },
  {
    name: 'commands providers',
    group: 'catalogs',
    summary: 'find the commands that offer choices for an input',
    words: { usage: '[words…]', most: 20 },
    details: ['Shows what each gives and what it needs. Nothing is called.'],
    options: { ...found, ...atDeskOptions },
    examples: ['workrail commands providers repositories', 'workrail commands providers pets --catalog petstore'],
    load: async () => (await import('./search-commands-command.js')).runCommandsProviders,
  },
];
