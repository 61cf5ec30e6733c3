import { plural } from '../../base/plural.js';
import type { CatalogChanged } from '../../contract/tools/catalog-answers.js';
import type { Page } from '../print/page.js';
import { ask } from '../shell/ask.js';
import { confirmedRevision } from '../shell/confirmed-revision.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';

export const runCatalogsEnable = withRequests('catalogs enable', (asked) => setEnabled(asked, true));
export const runCatalogsDisable = withRequests('catalogs disable', (asked) => setEnabled(asked, false));

const noCatalog = 'which catalog? `workrail catalogs` lists them';

async function setEnabled(asked: RequestsContext, enabled: boolean): Promise<ExitCode> {
  const [catalogId] = asked.parsed.words;
  if (catalogId === undefined) return asked.misused(noCatalog);
  const changed = await ask(asked, 'set_catalog_enabled', { catalogId, enabled });
  return changed.ok ? asked.tell(changed.value, printChanged) : changed.error;
}

export const runCatalogsRemove = withRequests('catalogs remove', async (asked) => {
  const { parsed, misused } = asked;
  const [catalogId] = parsed.words;
  if (catalogId === undefined) return misused(noCatalog);
  const withDocument = parsed.has('with-document');
  const revision = await confirmedRevision(asked, {
    tool: 'remove_catalog',
    args: { catalogId },
    question: `Move ${catalogId} to the trash${withDocument ? ', with its document' : ''}?`,
    nothingDone: 'Nothing removed.',
    sure: ['catalogs', 'remove', catalogId, ...(withDocument ? ['--with-document'] : [])],
  });
  if (!revision.ok) return revision.error;
  const request = { catalogId, confirm: revision.value, ...(withDocument && { removeManifest: true }) };
  const removed = await ask(asked, 'remove_catalog', request);
  return removed.ok ? asked.tell(removed.value, printChanged) : removed.error;
});

function printChanged(page: Page, told: CatalogChanged): void {
  const { catalogId, happened, enabled, commandCountAfterToggle = 0, manifestRemoved, warnings } = told;
  if (happened === 'removed') {
    const document = manifestRemoved === true ? ', with its document' : '. The copy of its document stays';
    page.say(`Moved to the trash: ${catalogId}${document}.`, page.style.good);
  } else {
    const state = enabled === true ? 'enabled' : 'disabled';
    const count = enabled === true ? `: ${plural(commandCountAfterToggle, 'command')}` : '';
    page.say(`${catalogId} is ${happened === 'unchanged' ? 'already ' : ''}${state}${count}.`, page.style.good);
  }
  for (const one of warnings) page.say(`Note: ${one}.`);
}
