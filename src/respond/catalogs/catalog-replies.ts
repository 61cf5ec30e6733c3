import type { JsonObject } from '../../base/json-value.js';
import { plural } from '../../base/plural.js';
import type {
  CatalogChanged,
  CatalogsAnswer,
  CatalogTold,
  CommandListed,
  DocumentTold,
  ImportAnswer,
  ImportPreview,
} from '../../contract/tools/catalog-answers.js';
import { callText } from '../../contract/call-text.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply, replyWith } from '../../contract/reply-with.js';

const kinds: { readonly [kind in DocumentTold['documentKind']]: string } = {
  openapi_2: 'OpenAPI 2.0',
  openapi_3: 'OpenAPI 3.0',
  openapi_3_1: 'OpenAPI 3.1',
  unknown: 'not an OpenAPI document',
};

const findings = (
  source: string,
  told: Pick<DocumentTold, 'violations' | 'warnings' | 'omitted'>,
): readonly string[] => [
  ...told.violations.map((one) => `- ${findingText(source, one)}`),
  ...told.warnings.map((one) => `- warning: ${findingText(source, one)}`),
  ...(told.omitted === undefined ? [] : [`- and ${told.omitted} more`]),
];

function findingText(source: string, { file, line, column, path, message, expected, closest }: JsonObject): string {
  const text = (value: JsonObject[string] | undefined): string => (typeof value === 'string' ? value : '');
  const place =
    typeof line === 'number' ? `${text(file) || source}:${line}${typeof column === 'number' ? `:${column}` : ''} ` : '';
  const wanted = text(message).includes(text(expected)) ? '' : `; expected ${text(expected)}`;
  return `${place}${text(path) === '' ? '' : `${text(path)}: `}${text(message)}${wanted}${text(closest) === '' ? '' : `; closest: ${text(closest)}`}`;
}

export function documentReply(answer: DocumentTold): Reply {
  const { valid, source, documentKind, title, version, operationCount, violations, nextCall } = answer;
  const lines = [
    valid
      ? `${source} is valid: ${title ?? ''} ${version ?? ''} (${kinds[documentKind]}), ${plural(operationCount, 'operation')}.`
      : `${source} cannot be imported: ${plural(violations.length, 'violation')}.`,
    ...findings(source, answer),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

const commandLine = ({ command, method, path, safety, summary }: CommandListed): string =>
  `- ${command}: ${summary === '' ? `${method} ${path}` : summary} (${method}, ${safety})`;

export function previewReply(answer: ImportPreview): Reply {
  const {
    catalog,
    replaces,
    projectedCommandCount,
    projectedGroupPrefixes,
    providerContractCount,
    commandPreview = [],
    document,
    nextCall,
  } = answer;
  const lines = [
    `${catalog.catalogId} (${catalog.title}) would have ${plural(projectedCommandCount, 'command')}, ${providerContractCount} of which can offer choices.`,
    `Called at ${catalog.baseUrl ?? 'an address that the document does not give: send baseUrl'}.`,
    ...(replaces === undefined ? [] : [`It would replace the document of the catalog that is here (${replaces}).`]),
    ...(projectedGroupPrefixes.length === 0 ? [] : [`Groups: ${projectedGroupPrefixes.join(', ')}.`]),
    ...commandPreview.map(commandLine),
    ...(commandPreview.length > 0 && commandPreview.length < projectedCommandCount
      ? [`- and ${projectedCommandCount - commandPreview.length} more`]
      : []),
    ...findings(document, { violations: [], warnings: answer.warnings }),
    `Next: ${callText(nextCall)}`,
  ];
  return lookupReply(lines.join('\n'), answer);
}

export function importedReply(answer: ImportAnswer): Reply {
  const { catalogId, happened, revision, catalogPath, commandCount, enabled, nextCall, warnings } = answer;
  const word = { created: 'Imported', replaced: 'Replaced', unchanged: 'Already here:' }[happened];
  const lines = [
    `${word} ${catalogId} (${catalogPath}), revision ${revision}: ${plural(commandCount, 'command')}${enabled ? '' : ', disabled'}.`,
    ...findings(catalogId, { violations: [], warnings }),
    `Next: ${callText(nextCall)}`,
  ];
  return replyWith(lines.join('\n'), answer, { catalogId, happened, revision, commandCount });
}

export function catalogsReply(answer: CatalogsAnswer): Reply {
  const { catalogs, total, nextCursor, nextCall } = answer;
  const lines = [
    total === 0 ? 'No catalogs are here.' : `${plural(total, 'catalog')}:`,
    ...catalogs.map(catalogLine),
    ...(nextCursor === undefined
      ? []
      : [`More: ${callText({ tool: 'list_catalogs', arguments: { cursor: nextCursor } })}`]),
    `Next: ${callText(nextCall)}`,
  ];
  return lookupReply(lines.join('\n'), answer);
}

function catalogLine({
  catalogId,
  title,
  enabled,
  commandCount,
  path,
  revision,
  baseUrl,
  auth,
  notAllowed = [],
  problem,
  missingSecrets = [],
  hides = [],
}: CatalogTold): string {
  const said = [
    problem === undefined ? plural(commandCount, 'command') : `cannot be used: ${problem}`,
    ...(enabled || problem !== undefined ? [] : ['disabled']),
    ...(baseUrl === undefined ? [] : [baseUrl]),
    ...(auth === 'none' ? [] : [`auth ${auth}`]),
    ...(missingSecrets.length === 0
      ? []
      : [
          `not set on this machine: ${missingSecrets.join(', ')} (only the user can: workrail catalogs secret ${catalogId} ${missingSecrets[0]!})`,
        ]),
    `${path}, ${revision}`,
    ...notAllowed.map((one) => `the user has not allowed it to call ${one} on this machine`),
    ...hides.map((one) => `hides ${one}`),
  ];
  return `- ${catalogId} (${title}): ${said.join('; ')}`;
}

const done: { readonly [happened in CatalogChanged['happened']]: string } = {
  enabled: 'Enabled',
  disabled: 'Disabled',
  configured: 'Configured',
  removed: 'Moved to the trash:',
  unchanged: 'Unchanged:',
};

export function changedReply(answer: CatalogChanged): Reply {
  const { catalogId, happened, revision, settings, warnings, movedTo, nextCall } = answer;
  const lines = [
    `${done[happened]} ${catalogId}${movedTo === undefined ? `, revision ${revision}` : ` (${movedTo})`}.`,
    ...(settings === undefined ? [] : [`Settings: ${JSON.stringify(settings)}`]),
    ...warnings.map((one) => `Note: ${one}.`),
    `Next: ${callText(nextCall)}`,
  ];
  const backbone: JsonObject = { catalogId, happened, revision };
  return replyWith(lines.join('\n'), answer, backbone);
}
