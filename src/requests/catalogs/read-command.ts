import { closestNames } from '../../base/closest-name.js';
import { defined } from '../../base/defined.js';
import { isJsonObject, type JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { exampleStep } from '../../catalogs/example-step.js';
import type { Content, Operation } from '../../catalogs/openapi-catalog.js';
import type { CommandDetail } from '../../contract/catalogs-told.js';
import { asJson } from '../../contract/reply-with.js';
import { yamlText } from '../../render/yaml-text.js';
import { type OpenedCatalog, titleOf } from '../../library/open-catalogs.js';
import type { Environment } from '../world/environment.js';
import { commandHere } from './command-here.js';
import { unknownToPeople } from './read-one-catalog.js';
import { commandTold, providerExample } from './search-commands.js';

/** One command with all that its document says of it. */
export async function readCommand(
  env: Environment,
  { catalog, command }: { readonly catalog: string; readonly command: string },
): Promise<Result<CommandDetail, Rejection>> {
  const entry = env.catalogs.find(catalog);
  // The catalogs that come close are no commands.
  if (entry === undefined) return err({ ...unknownToPeople(env, catalog), context: { catalog } });
  const opened = env.catalogs.open(entry);
  if (!opened.ok) return err(unusable(catalog, opened.error));
  const operation = opened.value.operation(command);
  return operation === undefined ? err(unknownCommand(opened.value, command)) : ok(told(opened.value, operation));
}

const unusable = (catalog: string, why: string): Rejection => ({
  code: 'CATALOG_INVALID',
  message: `the catalog ${catalog} cannot be used: ${why}`,
  action: 'import its document again',
  context: { catalog },
});

function unknownCommand({ entry, catalog }: OpenedCatalog, command: string): Rejection {
  const names = catalog.operations.map(({ id }) => id);
  return {
    code: 'NOT_FOUND',
    message: `${entry.id} has no command ${JSON.stringify(command)}`,
    action: 'search for it by what it does',
    context: { catalog: entry.id, closest: [...closestNames(command, names)] },
  };
}

function told(opened: OpenedCatalog, operation: Operation): CommandDetail {
  const { entry, providers } = opened;
  const { parameters, body, answers, definitions, leftOut, deprecated, description } = operation;
  const { repeatable, baseUrl } = commandTold(opened, operation);
  const { inputs, step } = exampleStep(entry.id, operation);
  const provider = own(providers, operation.id);
  return {
    ...commandHere(entry.id, operation),
    catalogTitle: titleOf(opened),
    enabled: entry.settings.enabled,
    description,
    deprecated,
    repeatable,
    ...(baseUrl !== undefined && { baseUrl }),
    parameters: parameters.map(parameterTold),
    ...(body !== undefined && { body: bodyTold(body) }),
    answers: answers.map(({ status, description: says, content }) => ({
      status,
      description: says,
      content: content.map(contentTold),
    })),
    definitions: asJson(definitions),
    ...(leftOut.length > 0 && { leftOut }),
    step: yamlText({ ...(Object.keys(inputs).length > 0 && { inputs }), steps: [step] }),
    ...(provider !== undefined && {
      provider: {
        items: provider.items,
        fields: [...provider.fields],
        required: [...provider.required],
        input: inputText(
          providerExample({
            command: `${entry.id} ${operation.id}`,
            summary: operation.summary,
            items: provider.items,
            select: provider.fields,
            required: provider.required,
          }),
        ),
      },
    }),
  };
}

type Told<K extends 'parameters' | 'body'> = NonNullable<CommandDetail[K]>;

const parameterTold = (one: Operation['parameters'][number]): Told<'parameters'>[number] =>
  defined<Told<'parameters'>[number]>({
    name: one.name,
    in: one.in,
    required: one.required,
    description: one.description,
    deprecated: one.deprecated,
    contentType: one.contentType,
    schema: one.schema,
    example: one.example,
  });

const bodyTold = ({ required, description, content }: NonNullable<Operation['body']>): Told<'body'> =>
  defined<Told<'body'>>({ required, description, content: content.map(contentTold) });

const contentTold = ({ type, schema, example }: Content): Told<'body'>['content'][number] =>
  defined<Told<'body'>['content'][number]>({ type, schema, example });

const inputText = (input: JsonObject): string => {
  const { provider } = input;
  const given = isJsonObject(provider) && isJsonObject(provider['with']) ? Object.values(provider['with']) : [];
  // The inputs that it reads are inputs too.
  const read = given.flatMap((hole) => (typeof hole === 'string' ? (/inputs\.(\w+)/u.exec(hole)?.[1] ?? []) : []));
  return yamlText({
    inputs: { ...Object.fromEntries(read.map((name) => [name, { type: 'string', required: true }])), choice: input },
  });
};
