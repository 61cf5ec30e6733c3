import type { JsonObject } from '../../base/json-value.js';
import { plural } from '../../base/plural.js';
import type {
  CommandsAnswer,
  FoundCommand,
  ProviderListed,
  ProvidersAnswer,
} from '../../contract/tools/catalog-answers.js';
import { yamlText } from '../../render/yaml-text.js';
import type { Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { ask, look } from '../shell/ask.js';
import { exitCodes } from '../shell/exit-codes.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { printFound } from './print-found.js';

const safeties = ['safe', 'idempotent', 'mutating', 'destructive'];

export const runCommandsSearch = withRequests('commands search', async (asked) => {
  const safety = asked.parsed.text('safety');
  if (safety !== undefined && !safeties.includes(safety))
    return asked.misused(`--safety is one of ${safeties.join(', ')}, not ${JSON.stringify(safety)}`);
  const request = { ...requestOf(asked), ...(safety !== undefined && { safety }) };
  const first = await ask(asked, 'search_commands', request);
  if (!first.ok) return first.error;
  if (!('commands' in first.value)) throw new Error('a search was answered with one command');
  const whole: CommandsAnswer = first.value;
  const commands = [...whole.commands];
  let { nextCursor } = whole;
  while (asked.parsed.has('all') && nextCursor !== undefined) {
    const page = await ask(asked, 'search_commands', { ...request, cursor: nextCursor });
    if (!page.ok) return page.error;
    if (!('commands' in page.value)) break;
    commands.push(...page.value.commands);
    ({ nextCursor } = page.value);
  }
  const { total, nextCall } = whole;
  const told: CommandsAnswer = {
    commands,
    total,
    ...(nextCursor !== undefined && { nextCursor }),
    ...(nextCall !== undefined && { nextCall }),
  };
  if (commands.length === 0 && !asked.json) return tellNone(asked, 'command');
  return asked.tell(told, (page) => printCommands(asked, page, told));
});

export const runCommandsProviders = withRequests('commands providers', async (asked) => {
  const request = requestOf(asked);
  const providers: ProviderListed[] = [];
  let last: ProvidersAnswer | undefined;
  do {
    const page = await ask(asked, 'list_providers', {
      ...request,
      ...(last?.nextCursor !== undefined && { cursor: last.nextCursor }),
    });
    if (!page.ok) return page.error;
    last = page.value;
    providers.push(...last.providers);
  } while (asked.parsed.has('all') && last.nextCursor !== undefined);
  const told: ProvidersAnswer = { ...last, providers };
  if (providers.length === 0 && !asked.json) return tellNone(asked, 'provider');
  return asked.tell(told, (page) => printProviders(asked, page, told));
});

function requestOf({ parsed }: RequestsContext): JsonObject {
  const query = parsed.words.join(' ');
  const catalog = parsed.text('catalog');
  return { ...(query !== '' && { query }), ...(catalog !== undefined && { catalog }) };
}

/** Why nothing was found, and where to look. */
async function tellNone(asked: RequestsContext, what: string): Promise<typeof exitCodes.done> {
  const { page } = asked;
  const here = await look(asked, 'list_catalogs', {});
  if (here?.total === 0) {
    page.say('No catalogs yet.');
    page.command('Import one: ', ['catalogs', 'import', '<file>']);
    return exitCodes.done;
  }
  page.say(`No ${what} matches. Say it in other words.`);
  if (here?.catalogs.some(({ enabled }) => !enabled) === true) page.say('Disabled catalogs are not searched.');
  page.command('Catalogs: ', ['catalogs']);
  return exitCodes.done;
}

function printCommands({ environment, parsed }: RequestsContext, page: Page, told: CommandsAnswer): void {
  const { commands, total, nextCursor } = told;
  if (!environment.stdoutIsTerminal) {
    for (const { command, kind, method = '', path = '', safety = '', summary } of commands)
      environment.out([command, kind, method, path, safety, summary].map((field) => printable(field)).join('\t'));
    return;
  }
  for (const found of commands) printFound(page, found);
  page.gap();
  if (nextCursor !== undefined)
    page.command(`${commands.length} of ${plural(total, 'command')}. All: `, againWith('search', parsed.words, parsed));
  const [first] = commands;
  if (first !== undefined) page.command('Show one: ', wordsToShow(first));
}

const wordsToShow = ({ kind, command }: FoundCommand): readonly string[] =>
  kind === 'workflow' ? ['inspect', command] : ['commands', 'show', command];

function againWith(name: string, words: readonly string[], parsed: RequestsContext['parsed']): readonly string[] {
  const options = ['catalog', 'safety'].flatMap((option) => {
    const value = parsed.text(option);
    return value === undefined ? [] : [`--${option}`, value];
  });
  return ['commands', name, ...words, ...options, '--all'];
}

function printProviders({ environment, parsed }: RequestsContext, page: Page, told: ProvidersAnswer): void {
  const { providers, total, nextCursor, example } = told;
  if (!environment.stdoutIsTerminal) {
    for (const { command, items, select, required, summary } of providers)
      environment.out(
        [command, items, select.join(','), required.join(','), summary].map((field) => printable(field)).join('\t'),
      );
    return;
  }
  for (const { command, summary, items, select, required } of providers) {
    page.item('', command, page.style.bold);
    if (summary !== '') page.item('  ', summary);
    const values = select.length === 0 ? 'the item' : select.slice(0, 4).join(', ');
    const needs = required.length === 0 ? '' : ` · needs ${required.join(', ')}`;
    page.item('  ', `value ${values} · items ${items}${needs}`, page.style.dim);
  }
  page.gap();
  if (nextCursor !== undefined)
    page.command(
      `${providers.length} of ${plural(total, 'provider')}. All: `,
      againWith('providers', parsed.words, parsed),
    );
  if (example === undefined) return;
  page.gap();
  page.say('An input that takes its choices from the first:');
  for (const line of yamlText({ inputs: { choice: example } }).split('\n')) page.shell('  ', line);
}
