import type { JsonObject } from '../../base/json-value.js';
import { plural } from '../../base/plural.js';
import type {
  CommandAnswer,
  CommandsAnswer,
  FoundCommand,
  ProvidersAnswer,
  ProviderValuesAnswer,
} from '../../contract/tools/catalog-answers.js';
import { callText } from '../../contract/call-text.js';
import type { Reply } from '../../contract/reply.js';
import { lookupReply } from '../../contract/reply-with.js';

interface Asked {
  readonly query?: string | undefined;
  readonly catalog?: string | undefined;
  readonly safety?: string | undefined;
}

const asked = ({ query, catalog, safety }: Asked): { [name: string]: string } => ({
  ...(query !== undefined && { query }),
  ...(catalog !== undefined && { catalog }),
  ...(safety !== undefined && { safety }),
});

export interface CatalogsSearched {
  readonly count: number;
  /** Those that the search would have looked at, were they enabled. */
  readonly disabled: readonly string[];
  readonly canEnable: boolean;
}

export function commandsReply(
  answer: CommandsAnswer,
  request: Asked,
  { count: catalogCount, disabled, canEnable }: CatalogsSearched,
): Reply {
  const { commands, nextCursor, nextCall } = answer;
  const none =
    catalogCount === 0
      ? 'No catalogs are here: import_openapi of the toolset catalogs brings one.'
      : `No command matches${request.query === undefined ? '' : ` “${request.query}”`}. Say it in other words.`;
  const lines = [
    ...disabledTold(disabled, canEnable),
    commands.length === 0 ? none : foundTold(answer, request),
    ...commands.map(foundLine),
    ...(nextCursor === undefined
      ? []
      : [`More: ${callText({ tool: 'search_commands', arguments: { ...asked(request), cursor: nextCursor } })}`]),
    ...(nextCall === undefined ? [] : [`Next: ${callText(nextCall)}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

const mostDisabled = 5;

/** Whoever misses a command that is there is told before anything else why. */
function disabledTold(disabled: readonly string[], canEnable: boolean): readonly string[] {
  const [first] = disabled;
  if (first === undefined) return [];
  const named = disabled.slice(0, mostDisabled).join(', ');
  const more = disabled.length > mostDisabled ? ` and ${disabled.length - mostDisabled} more` : '';
  const enabling = canEnable
    ? callText({ tool: 'set_catalog_enabled', arguments: { catalogId: first, enabled: true } })
    : `workrail catalogs enable ${first}, in a terminal`;
  return [`Not searched, since disabled: ${named}${more}. If the user agrees: ${enabling}`];
}

function foundTold({ commands, total, fitting }: CommandsAnswer, { query = '' }: Asked): string {
  if (fitting === undefined) return `${commands.length} of ${plural(total, 'command')}:`;
  const others = total - fitting;
  if (fitting === 0)
    return `No command fits “${query}” well: say it in other words, or tell the user that no catalog here has it. ${plural(total, 'command')} with one of the words, the closest first:`;
  const rest = others === 0 ? '' : `; ${others} more ${others === 1 ? 'has' : 'have'} one of the words`;
  return `${plural(fitting, 'command')} ${fitting === 1 ? 'fits' : 'fit'} well${rest}. The closest first:`;
}

const foundLine = ({ kind, command, summary, method, path, safety }: FoundCommand): string =>
  kind === 'workflow'
    ? `- workflow ${command}: ${summary}`
    : `- ${command}: ${summary === undefined || summary === '' ? `${method} ${path}` : summary} (${method} ${path}, ${safety})`;

export function commandReply(answer: CommandAnswer): Reply {
  const {
    command,
    method,
    path,
    safety,
    summary,
    description,
    parameters,
    body,
    answers,
    definitions,
    leftOut = [],
    shortened = [],
    example,
    provider,
  } = answer;
  const lines = [
    `${command}: ${method} ${path} (${safety})`,
    ...(answer.baseUrl === undefined ? [] : [`at ${answer.baseUrl}`]),
    ...[summary, description].filter((text, at, all) => text !== '' && all.indexOf(text) === at),
    ...Object.entries(parameters).map(([place, list]) => `${place}: ${JSON.stringify(list)}`),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body)}`]),
    `answers: ${JSON.stringify(answers)}`,
    ...(Object.keys(definitions).length === 0 ? [] : [`definitions: ${JSON.stringify(definitions)}`]),
    ...(shortened.length === 0
      ? []
      : [`Shortened, without descriptions and what is deep inside: ${shortened.join(', ')}.`]),
    ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.join(', ')}.`]),
    ...(provider === undefined ? [] : [`As a provider: ${JSON.stringify(provider)}`]),
    'A step of it, with the inputs that it reads:',
    '```json',
    JSON.stringify(example),
    '```',
  ];
  return lookupReply(lines.join('\n'), answer);
}

export function providersReply(answer: ProvidersAnswer, request: Asked): Reply {
  const { providers, total, nextCursor, example } = answer;
  const lines = [
    providers.length === 0
      ? 'No command offers choices for that. Say it in other words.'
      : `${providers.length} of ${plural(total, 'provider')}, the closest first:`,
    ...providers.map(({ command, summary, items, select, required }) =>
      [
        `- ${command}: ${summary}`,
        `items ${items}`,
        `value ${
          select.length === 0
            ? 'item'
            : select
                .slice(0, 4)
                .map((name) => `item.${name}`)
                .join(' or ')
        }`,
        ...(required.length === 0 ? [] : [`requires ${required.join(', ')}`]),
      ].join('; '),
    ),
    ...(example === undefined ? [] : [`An input that takes its choices from the first: ${JSON.stringify(example)}`]),
    ...(nextCursor === undefined
      ? []
      : [`More: ${callText({ tool: 'list_providers', arguments: { ...asked(request), cursor: nextCursor } })}`]),
  ];
  return lookupReply(lines.join('\n'), answer);
}

export function providerValuesReply(answer: ProviderValuesAnswer, request: JsonObject): Reply {
  const { input, command, values, total, complete, stale, nextCursor, nextCall } = answer;
  const lines = [
    total === 0
      ? `${command} has no value for ${input}.`
      : `${values.length} of ${total}${complete ? '' : ' or more'} values for ${input}, from ${command}:`,
    ...values.map(({ value, label }) => `- ${JSON.stringify(value)}${label === value ? '' : ` (${label})`}`),
    ...(stale === undefined ? [] : [`These are from an earlier answer: ${stale}.`]),
    ...(complete ? [] : ['There are more than these: search with query, or ask the user.']),
    ...(nextCursor === undefined
      ? []
      : [`More: ${callText({ tool: 'list_provider_values', arguments: { ...request, cursor: nextCursor } })}`]),
    `Next: ${callText(nextCall)}`,
  ];
  return lookupReply(lines.join('\n'), answer);
}
