import { plural } from '../../base/plural.js';
import type { CatalogDetail } from '../../contract/catalogs-told.js';
import type { CatalogTold } from '../../contract/tools/catalog-answers.js';
import type { CliEnvironment } from '../print/cli-environment.js';
import type { Page } from '../print/page.js';
import { printable } from '../print/printable.js';
import { askForAll } from '../shell/ask.js';
import { withRequests } from '../shell/with-requests.js';
import { printSettings } from './print-settings.js';

export const runCatalogs = withRequests('catalogs', async (command) => {
  const pages = await askForAll(command, 'list_catalogs', {});
  if (!pages.ok) return pages.error;
  const catalogs = pages.value.flatMap((page) => page.catalogs);
  return command.tell({ catalogs, total: catalogs.length }, (page) =>
    printCatalogs(page, catalogs, command.environment),
  );
});

export const runCatalogsShow = withRequests('catalogs show', async ({ parsed, misused, requests, reject, tell }) => {
  const [catalogId] = parsed.words;
  if (catalogId === undefined) return misused('which catalog? `workrail catalogs` lists them');
  const shown = await requests.people.readCatalog({ catalog: catalogId });
  return shown.ok ? tell(shown.value, printCatalog) : reject(shown.error);
});

const stateOf = ({ enabled, problem }: CatalogTold): string =>
  problem === undefined ? (enabled ? 'enabled' : 'disabled') : 'broken';

function printCatalogs(page: Page, all: readonly CatalogTold[], { stdoutIsTerminal, out }: CliEnvironment): void {
  if (all.length === 0) {
    page.say('No catalogs yet.');
    page.command('Import one: ', ['catalogs', 'import', '<file>']);
    return;
  }
  if (!stdoutIsTerminal) {
    for (const one of all)
      out(
        [one.catalogId, stateOf(one), String(one.commandCount), one.baseUrl ?? '', one.title]
          .map((field) => printable(field))
          .join('\t'),
      );
    return;
  }
  const width = Math.min(24, Math.max(...all.map(({ catalogId }) => catalogId.length)));
  for (const one of all) {
    const below = ' '.repeat(width + 2);
    if (one.catalogId.length > width) page.say(one.catalogId, page.style.bold);
    page.item(one.catalogId.length > width ? below : `${one.catalogId.padEnd(width)}  `, one.title, page.style.bold);
    page.item(below, factsOf(one));
    if (one.problem !== undefined) page.item(below, `cannot be used: ${one.problem}`, page.style.bad);
  }
  page.gap();
  page.command('Show one: ', ['catalogs', 'show', '<catalog>']);
  page.command('Find a command: ', ['commands', 'search', '<words>']);
}

const factsOf = ({ commandCount, enabled, problem, baseUrl, path, hides = [] }: CatalogTold): string =>
  [
    plural(commandCount, 'command'),
    ...(enabled || problem !== undefined ? [] : ['disabled']),
    ...(baseUrl === undefined ? [] : [baseUrl]),
    path,
    ...hides.map((one) => `hides ${one}`),
  ].join(' · ');

function printCatalog(page: Page, detail: CatalogDetail): void {
  const { catalog, providerCount, groups, workflows } = detail;
  const { catalogId, title, vendor, enabled, problem, commandCount, baseUrl } = catalog;
  page.item(`${catalogId}  `, `${title}${vendor === undefined ? '' : ` (${vendor})`}`, page.style.bold);
  if (problem !== undefined) page.say(`It cannot be used: ${problem}.`, page.style.bad);
  else if (!enabled) {
    page.say('It is disabled.', page.style.bad);
    page.command('Enable it: ', ['catalogs', 'enable', catalogId]);
  }
  page.gap();
  page.item('Commands   ', `${commandCount}, ${providerCount} of which can offer choices`);
  if (groups.length > 0) page.item('Groups     ', groups.join(', '));
  page.item('Address    ', baseUrl ?? 'none: the document gives none');
  if (baseUrl === undefined) page.command('  Set it: ', ['catalogs', 'configure', catalogId, '--base-url', '<url>']);
  page.item('Folder     ', `${catalog.path}, revision ${catalog.revision}`);
  for (const one of catalog.hides ?? []) page.item('Hides      ', one);
  if (enabled) page.item('Used by    ', workflows.map(({ id }) => id).join(', ') || 'no workflow');
  printSettings(page, detail);
  if (problem !== undefined || !enabled) return;
  page.gap();
  page.command('Find a command: ', ['commands', 'search', '<words>', '--catalog', catalogId]);
}
