import { z } from 'zod';
import { safetyWords } from '../base/closed-sets.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, jsonObject, jsonObjects, jsonValue, text, texts } from './described.js';

const safety = z
  .enum(safetyWords)
  .describe('What calling it may do: nothing (safe), change something, delete something');
const revision = text('Changes whenever its settings or its document do');
const documentKind = z.enum(['openapi_2', 'openapi_3', 'openapi_3_1']).describe('Which OpenAPI it is');
export type DocumentKind = z.output<typeof documentKind>;

const catalogHere = z.strictObject({
  catalogId: text('Id of the catalog'),
  title: text('Its title'),
  vendor: text('Who offers the API').exactOptional(),
  source: z.enum(['user', 'project']).describe('Whose it is: the project’s, or this user’s'),
  path: text('Where it lies'),
  revision,
  enabled: flag('Whether workflows may use its commands'),
  commandCount: count('How many commands it has'),
  baseUrl: text('The address that its commands are sent to').exactOptional(),
  auth: text('How calls say who makes them'),
  settings: jsonObject('What a person decided about it; secrets by their names alone'),
  notAllowed: texts('Addresses that its settings allow and you have not allowed on this machine').exactOptional(),
  missingSecrets: texts('Names of secrets that its settings use, and that are not set on this machine').exactOptional(),
  problem: text('Why it cannot be used').exactOptional(),
  hides: texts('Catalogs of the same id that this one overrides').exactOptional(),
});
export type CatalogHere = ReadonlyOutput<typeof catalogHere>;

/** GET /api/catalogs */
export const catalogsPage = z.strictObject({
  catalogs: z.array(catalogHere).describe('All that are here, disabled and broken ones too, by their ids'),
  project: flag('Whether one can be imported into the project'),
});
export type CatalogsPage = ReadonlyOutput<typeof catalogsPage>;

/** GET /api/catalogs/:id */
export const catalogDetail = z.strictObject({
  catalog: catalogHere.describe('The catalog as it is listed'),
  document: z
    .strictObject({
      kind: documentKind,
      title: text('Title in the document'),
      version: text('Version in the document'),
      description: text('What the document says of the API'),
    })
    .describe('Its document; absent where it cannot be read')
    .exactOptional(),
  providerCount: count('How many of its commands can offer choices for an input'),
  groups: texts('How the names of its commands begin'),
  secrets: texts('Names of the secrets that its settings use'),
  workflows: z
    .array(z.strictObject({ id: text('Id of the workflow'), title: text('Its title'), file: text('Its file') }))
    .describe('Workflows that run its commands'),
});
export type CatalogDetail = ReadonlyOutput<typeof catalogDetail>;

const commandHead = {
  catalog: text('Id of its catalog'),
  command: text('What it is called in its catalog: its operationId, else its method and path'),
  method: text('Method of the request'),
  path: text('Path of the request, as the document has it'),
  safety,
  summary: text('What it does, in one line'),
};
const commandListed = z.strictObject(commandHead);
export type CommandHere = ReadonlyOutput<typeof commandListed>;

/** GET /api/commands */
export const commandsPage = z.strictObject({
  commands: z.array(commandListed).describe('Those that match, the closest first'),
  total: count('How many match'),
  here: count('How many there are in all enabled catalogs'),
  nextCursor: text('What to send as cursor for the next page; absent on the last').exactOptional(),
});
export type CommandsPage = ReadonlyOutput<typeof commandsPage>;

const content = z.strictObject({
  type: text('Content type'),
  schema: jsonValue('JSON Schema; what it refers to is in definitions').exactOptional(),
  example: jsonValue('An example of the document').exactOptional(),
});

/** GET /api/catalogs/:id/commands/:command */
export const commandDetail = z.strictObject({
  ...commandHead,
  catalogTitle: text('Title of its catalog'),
  enabled: flag('Whether workflows may use it'),
  description: text('What the document says of it'),
  deprecated: flag('Whether the document calls it deprecated'),
  repeatable: flag('Whether it may be sent again where nobody knows whether it was done'),
  baseUrl: text('The address that it is sent to').exactOptional(),
  parameters: z
    .array(
      z.strictObject({
        name: text('Name of the parameter'),
        in: z.enum(['path', 'query', 'header', 'cookie']).describe('Where it stands in the request'),
        required: flag('Whether it must be given'),
        description: text('What it is for').exactOptional(),
        deprecated: flag('Whether the document calls it deprecated').exactOptional(),
        contentType: text('Where its value is written as a document of its own').exactOptional(),
        schema: jsonValue('JSON Schema of its value').exactOptional(),
        example: jsonValue('An example of the document').exactOptional(),
      }),
    )
    .describe('Its parameters, in the order of the document'),
  body: z
    .strictObject({
      required: flag('Whether it must be sent'),
      description: text('What it is for').exactOptional(),
      content: z.array(content).describe('Each content type that it may have'),
    })
    .describe('What is sent besides; absent for none')
    .exactOptional(),
  answers: z
    .array(
      z.strictObject({
        status: text('Status: 200, 2XX or default'),
        description: text('What it means'),
        content: z.array(content).describe('Each content type that it may have'),
      }),
    )
    .describe('What it may be answered'),
  definitions: jsonObject('Schemas that others refer to as #/$defs/name'),
  leftOut: texts('Names of schemas that there was no room for').exactOptional(),
  step: text('A step that runs it, with the inputs that it reads, as YAML'),
  provider: z
    .strictObject({
      items: text('Where the list of choices is in the answer'),
      fields: texts('Fields of an item to take the value from, best first'),
      required: texts('Parameters that must be given'),
      input: text('An input that takes its choices from it, as YAML'),
    })
    .describe('How it offers choices for an input; absent where it does not')
    .exactOptional(),
});
export type CommandDetail = ReadonlyOutput<typeof commandDetail>;

/** POST /api/workflows/:id/choices */
export const choicesOffered = z.strictObject({
  input: text('The input that they are for'),
  command: text('The command that lists them'),
  choices: z
    .array(z.strictObject({ value: jsonValue('What the input becomes'), label: text('What a person chooses it by') }))
    .describe('The first that match'),
  total: count('How many match'),
  complete: flag('Whether the command was read to its end; otherwise it has more than were searched'),
  fetchedAt: text('When the command answered, in ISO 8601'),
  stale: text('Why these are from an earlier answer; absent where they are not').exactOptional(),
});
export type ChoicesOffered = ReadonlyOutput<typeof choicesOffered>;

const counts = z
  .strictObject({ safe: count('Safe ones'), changes: count('Those that change'), deletes: count('Those that delete') })
  .describe('How many commands of each safety');

/** POST /api/documents/preview */
export const documentPreview = z.strictObject({
  valid: flag('Whether it can be imported'),
  violations: jsonObjects('Why it cannot: rule, path, message and, where known, line and column'),
  warnings: jsonObjects('What is doubtful in it, in the same form'),
  omitted: count('How many more violations and warnings there are').exactOptional(),
  document: text('The bytes that were looked at, by their digest: import with expectedDocument').exactOptional(),
  kind: documentKind.exactOptional(),
  title: text('Its title').exactOptional(),
  version: text('Its version').exactOptional(),
  catalogId: text('The id that an import would give it').exactOptional(),
  baseUrl: text('The address that its commands would be sent to').exactOptional(),
  commands: count('How many commands it has').exactOptional(),
  providers: count('How many of them can offer choices for an input').exactOptional(),
  safety: counts.exactOptional(),
  groups: texts('What the names of its commands begin with, the most frequent first').exactOptional(),
  first: z.array(commandListed).describe('Its first commands').exactOptional(),
});
export type DocumentPreview = ReadonlyOutput<typeof documentPreview>;

/** POST /api/catalogs */
export const catalogImported = z.strictObject({
  catalogId: text('Id of the catalog'),
  happened: z.enum(['created', 'replaced', 'unchanged']).describe('What came of it'),
  revision,
  path: text('Where it lies'),
  enabled: flag('Whether workflows may use its commands'),
  commandCount: count('How many commands it has'),
});
export type CatalogImported = ReadonlyOutput<typeof catalogImported>;

/** POST /api/catalogs/:id/enabled and POST /api/catalogs/:id/remove */
export const catalogChange = z.strictObject({
  catalogId: text('Id of the catalog'),
  happened: z.enum(['enabled', 'disabled', 'removed', 'unchanged']).describe('What came of it'),
  warnings: texts('Workflows that use it, and whether they can no longer be started'),
});
export type CatalogChange = ReadonlyOutput<typeof catalogChange>;
